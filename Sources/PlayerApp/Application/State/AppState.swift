import Foundation
import MediaCore

/// What the player finds as it left it: its window, and the places in films. Numbers come from a file, and are made
/// proper where they are read.
struct AppState: Codable, Equatable, Sendable {
    /// Points; of the window's content.
    struct Size: Codable, Equatable, Sendable {
        var width: Double
        var height: Double
    }
    struct Place: Codable, Equatable, Sendable {
        var film: String
        /// From its beginning.
        var seconds: Double
    }
    private var size: Size?
    var isMaximized = false
    var showsList = false
    /// The one that was left last is the last.
    private(set) var places: [Place] = []

    /// The oldest are forgotten.
    static let mostPlaces = 1000
    /// A name longer than this is not worth its place.
    private static let longestName = 4096

    /// Of the window that was closed last; nil: none was. Between 240×180 and 16 384 points a side.
    var windowSize: CGSize? {
        get {
            size.map {
                CGSize(width: min(max(240, $0.width), 16_384), height: min(max(180, $0.height), 16_384))
            }
        }
        set { size = newValue.map { Size(width: $0.width.rounded(), height: $0.height.rounded()) } }
    }

    /// Seconds; nil where none is kept.
    func place(in film: URL) -> Double? {
        let name = AppState.name(film)
        return places.last { $0.film == name }.map(\.seconds).flatMap { $0 > 0 && $0 < 1e9 ? $0 : nil }
    }

    /// - Parameter seconds: nil forgets it.
    mutating func keep(_ seconds: Double?, in film: URL) {
        let name = AppState.name(film)
        places.removeAll { $0.film == name }
        guard let seconds, seconds.isFinite, seconds > 0, name.utf8.count <= AppState.longestName else { return }
        // Tenths: nobody needs more, and a file of many is short.
        places.append(Place(film: name, seconds: (min(seconds, 1e9) * 10).rounded() / 10))
        if places.count > AppState.mostPlaces { places.removeFirst(places.count - AppState.mostPlaces) }
    }

    mutating func forgetPlaces() { places = [] }

    /// No name and no password is kept.
    private static func name(_ film: URL) -> String { film.withoutCredentials.absoluteString }

    /// Seconds: what counts as hardly begun, and as watched to its end.
    private static let begun = 5.0, rest = 10.0
    /// Whether a place is worth coming back to.
    static func isWorthKeeping(_ seconds: Double, of duration: Double) -> Bool {
        seconds.isFinite && duration.isFinite && seconds >= begun && seconds <= duration - min(rest, duration / 10)
    }

    init() {}
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        size = try values.decodeIfPresent(Size.self, forKey: .size)
        isMaximized = try values.decodeIfPresent(Bool.self, forKey: .isMaximized) ?? false
        showsList = try values.decodeIfPresent(Bool.self, forKey: .showsList) ?? false
        places = Array((try values.decodeIfPresent([Place].self, forKey: .places) ?? []).suffix(AppState.mostPlaces))
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
