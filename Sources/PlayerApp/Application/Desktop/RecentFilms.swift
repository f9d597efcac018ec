import CGTK
import Foundation
import GTK
import MediaCore
import Observation

/// What was opened lately: the desktop's own list, which file choosers and other programs have too. Main actor.
@MainActor @Observable
final class RecentFilms {
    struct Film: Identifiable, Equatable {
        let url: URL
        let title: String
        var id: String { url.absoluteString }
    }
    static let shared = RecentFilms()
    /// The newest first; those that are there. At most `most`.
    private(set) var films: [Film] = []
    static let most = 12

    @ObservationIgnored private let signals = Signals()
    private var list: GTKRecentFiles? { GTKRecentFiles.standard }
    @ObservationIgnored private var isFollowing = false

    private init() {}

    /// From now on as the desktop has it. After GTK has started.
    func follow() {
        guard !isFollowing, let list else { return }
        isFollowing = true
        list.onChange(signals) { [weak self] in self?.look() }
        look()
    }

    /// - Parameter url: a file, or an address, which is kept without a name and a password in it.
    func add(_ url: URL) {
        list?.add(
            url.withoutCredentials.absoluteString, type: RecentFilms.type(of: url), application: RecentFilms.program,
            program: "zoetrope app %u")
    }

    /// One that is gone, or is not wanted in the list any more.
    func forget(_ url: URL) {
        list?.remove(url.withoutCredentials.absoluteString)
    }

    private func look() {
        guard let list else { return }
        let found = list.items(of: RecentFilms.program).compactMap { item in
            RecentFilms.film(item).map { (film: $0, when: item.modified) }
        }
        let newest = found.sorted { $0.when > $1.when }.prefix(RecentFilms.most).map(\.film)
        if newest != films { films = newest }
    }

    /// As it is named in the desktop's list.
    private static let program = "Zoetrope"

    /// Nil for what is no film, was opened by others only and is none by its type, or has gone.
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
        // A page's address may hold a film all the same.
        return text == "application/octet-stream" && !url.isFileURL ? "video/x-unknown" : text
    }
}
