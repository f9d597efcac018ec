import CGTK
import Foundation
import GTK
import MediaCore
import Observation

/// The recently opened videos, from the desktop's own list, which file choosers and other programs also use. Main
/// actor.
@MainActor @Observable
final class RecentFilms {
    struct Film: Identifiable, Equatable {
        let url: URL
        let title: String
        var id: String { url.absoluteString }
    }
    static let shared = RecentFilms()
    /// The videos that exist, the newest first; at most `maximumCount`.
    private(set) var films: [Film] = []
    static let maximumCount = 12

    @ObservationIgnored private let signals = Signals()
    private var list: GTKRecentFiles? { GTKRecentFiles.standard }
    @ObservationIgnored private var isFollowing = false

    private init() {}

    /// Follows the desktop's list from now on. Call it after GTK has started.
    func follow() {
        guard !isFollowing, let list else { return }
        isFollowing = true
        list.onChange(signals) { [weak self] in self?.update() }
        update()
    }

    /// Adds a video.
    /// - Parameter url: A file or a URL. It is stored without a user name and password.
    func add(_ url: URL) {
        list?.add(
            url.withoutCredentials.absoluteString, type: RecentFilms.type(of: url), application: RecentFilms.program,
            program: "zoetrope app %u")
    }

    /// Removes a video that no longer exists, or that the user does not want in the list.
    func forget(_ url: URL) {
        list?.remove(url.withoutCredentials.absoluteString)
    }

    private func update() {
        guard let list else { return }
        let found = list.items(of: RecentFilms.program).compactMap { item in
            RecentFilms.film(item).map { (film: $0, when: item.modified) }
        }
        let newest = found.sorted { $0.when > $1.when }.prefix(RecentFilms.maximumCount).map(\.film)
        if newest != films { films = newest }
    }

    /// The name of the app in the desktop's list.
    private static let program = "Zoetrope"

    /// Returns the video of an item. Returns nil if the file no longer exists, or if only other programs have opened
    /// the item and its type is neither video nor audio.
    private static func film(_ item: GTKRecentFiles.Item) -> Film? {
        guard let url = URL(string: item.uri), !url.isFileURL || item.exists,
            item.isOurs || item.type.hasPrefix("video/") || item.type.hasPrefix("audio/")
        else { return nil }
        return Film(url: url, title: item.name ?? url.lastPathComponent)
    }

    private static func type(of url: URL) -> String {
        let guess = g_content_type_guess(url.lastPathComponent, nil, 0, nil)
        defer { g_free(guess) }
        let type = guess.flatMap { g_content_type_get_mime_type($0) }
        defer { g_free(type) }
        let text = type.map { String(cString: $0) } ?? "application/octet-stream"
        // The URL of a web page may still be that of a video.
        return text == "application/octet-stream" && !url.isFileURL ? "video/x-unknown" : text
    }
}
