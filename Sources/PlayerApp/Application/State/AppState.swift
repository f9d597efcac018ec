import Foundation

/// The state of the window between two runs. Numbers come from a file, and are clamped when they are read.
struct AppState: Codable, Equatable, Sendable {
    /// The size of the window's content, in points.
    struct Size: Codable, Equatable, Sendable {
        var width: Double
        var height: Double
    }
    private var size: Size?
    var isMaximized = false
    var showsList = false
    /// The size of the window that was closed last, clamped to 240×180…16,384×16,384 points; nil before the first one.
    var windowSize: CGSize? {
        get {
            size.map {
                CGSize(width: min(max(240, $0.width), 16_384), height: min(max(180, $0.height), 16_384))
            }
        }
        set { size = newValue.map { Size(width: $0.width.rounded(), height: $0.height.rounded()) } }
    }

    init() {}
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        size = try values.decodeIfPresent(Size.self, forKey: .size)
        isMaximized = try values.decodeIfPresent(Bool.self, forKey: .isMaximized) ?? false
        showsList = try values.decodeIfPresent(Bool.self, forKey: .showsList) ?? false
    }
}

/// The user's preferences.
struct AppPreferences: Codable, Equatable, Sendable {
    enum Scheme: String, Codable, Sendable, CaseIterable { case desktop, light, dark }
    /// Whether videos continue where the user left them.
    var resumes = false
    var scheme = Scheme.desktop

    init() {}
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        resumes = try values.decodeIfPresent(Bool.self, forKey: .resumes) ?? false
        // A value that only a later version knows must not discard the other preferences.
        scheme = (try? values.decodeIfPresent(Scheme.self, forKey: .scheme)) ?? .desktop
    }
}
