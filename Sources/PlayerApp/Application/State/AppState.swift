import Foundation
import MediaCore

/// The state of the window between two runs. Numbers come from a file and are clamped where they are read.
struct AppState: Codable, Equatable, Sendable {
    /// Points; of the window's content.
    struct Size: Codable, Equatable, Sendable {
        var width: Double
        var height: Double
    }
    private var size: Size?
    var isMaximized = false
    var showsList = false
    /// Of the window that was closed last; nil: none was. Between 240×180 and 16 384 points a side.
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

/// What the user has chosen.
struct AppPreferences: Codable, Equatable, Sendable {
    enum Scheme: String, Codable, Sendable, CaseIterable { case desktop, light, dark }
    /// Films go on where they were left.
    var resumes = false
    var scheme = Scheme.desktop

    init() {}
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        resumes = try values.decodeIfPresent(Bool.self, forKey: .resumes) ?? false
        // One that a later version may know is no reason to lose the others.
        scheme = (try? values.decodeIfPresent(Scheme.self, forKey: .scheme)) ?? .desktop
    }
}
