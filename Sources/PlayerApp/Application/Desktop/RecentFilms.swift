import CGTK
import Foundation
import GLibSupport
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
    private var manager: UnsafeMutablePointer<GtkRecentManager>? { gtk_recent_manager_get_default() }
    @ObservationIgnored private var isFollowing = false

    private init() {}

    /// From now on as the desktop has it. After GTK has started.
    func follow() {
        guard !isFollowing, let manager else { return }
        isFollowing = true
        signals.on(manager, "changed") { [weak self] in self?.look() }
        look()
    }

    /// - Parameter url: a file, or an address, which is kept without a name and a password in it.
    func add(_ url: URL) {
        guard let manager else { return }
        let uri = url.withoutCredentials.absoluteString
        let type = RecentFilms.type(of: url)
        let application = "Zoetrope", program = "zoetrope app %u"
        withStrings([type, application, program]) { texts in
            var data = GtkRecentData(
                display_name: nil, description: nil, mime_type: texts[0], app_name: texts[1], app_exec: texts[2],
                groups: nil, is_private: 0)
            _ = gtk_recent_manager_add_full(manager, uri, &data)
        }
    }

    /// One that is gone, or is not wanted in the list any more.
    func forget(_ url: URL) {
        guard let manager else { return }
        gtk_recent_manager_remove_item(manager, url.withoutCredentials.absoluteString, nil)
    }

    private func look() {
        guard let manager else { return }
        var found: [(film: Film, when: Int64)] = []
        let list = gtk_recent_manager_get_items(manager)
        var node = list
        while let current = node {
            node = current.pointee.next
            guard let info = current.pointee.data.map({ OpaquePointer($0) }) else { continue }
            defer { gtk_recent_info_unref(info) }
            if let film = RecentFilms.film(info) {
                let stamp = gtk_recent_info_get_modified(info)
                found.append((film, stamp.map { Int64(g_date_time_to_unix($0)) } ?? 0))
            }
        }
        g_list_free(list)
        let newest = found.sorted { $0.when > $1.when }.prefix(RecentFilms.most).map(\.film)
        if newest != films { films = newest }
    }

    /// Nil for what is no film, was opened by others only and is none by its type, or has gone.
    private static func film(_ info: OpaquePointer) -> Film? {
        guard let uri = gtk_recent_info_get_uri(info), let url = URL(string: String(cString: uri)) else { return nil }
        let type = gtk_recent_info_get_mime_type(info).map { String(cString: $0) } ?? ""
        let isOurs = gtk_recent_info_has_application(info, "Zoetrope") != 0
        guard isOurs || type.hasPrefix("video/") || type.hasPrefix("audio/") else { return nil }
        guard !url.isFileURL || gtk_recent_info_exists(info) != 0 else { return nil }
        let name = gtk_recent_info_get_display_name(info).map { String(cString: $0) } ?? url.lastPathComponent
        return Film(url: url, title: name)
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

/// C's strings, for as long as `body` runs.
private func withStrings(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Void) {
    let copies = texts.map { strdup($0) }
    body(copies)
    for copy in copies { free(copy) }
}
