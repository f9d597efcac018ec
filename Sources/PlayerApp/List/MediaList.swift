import Foundation
import MediaCore

/// What is played, in its order: files and addresses, with what a list says of each. A value.
///
/// Made of what a user names: a file stands for itself, a folder for the media in it, a list (M3U, PLS, XSPF) for what
/// it names. An HLS playlist is one stream, whatever its name: what is in it decides.
package struct MediaList: Sendable, Equatable {
    /// One thing to play.
    package struct Entry: Sendable, Hashable {
        package var url: URL
        /// As a list says; nil: nobody said.
        package var title: String?
        /// Seconds, above 0, as a list says; nil: nobody said.
        package var duration: Double?
        /// Fields for the server (`User-Agent`, `Referer`), as a list says.
        package var headers: [String: String]
        /// What the user named to get this entry: a folder, a list, or the entry's own URL.
        package internal(set) var source: URL

        package init(_ url: URL, title: String? = nil, duration: Double? = nil, headers: [String: String] = [:]) {
            self.url = url
            self.title = title
            self.duration = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
            self.headers = headers
            source = url
        }

        /// For people, never empty: the list's title, else the file's name, else the address without a password in it.
        package var displayTitle: String {
            if let title, !title.isEmpty { return title }
            if let path = FilePath(url) { return path.name.description }
            let last = url.lastPathComponent
            return last.isEmpty || last == "/" ? url.location : last
        }
    }

    /// How much is read at the most.
    package struct Limits: Sendable {
        /// In all that is named together.
        package var entries = 10_000
        /// Of one list.
        package var bytes = 4 << 20
        /// Lists in lists.
        package var depth = 8
        package init() {}
    }

    package var entries: [Entry]
    /// What could not be read, or only in part, in the order in which it was met: each says where, and of a list in
    /// which line. `.playlistInvalid`, or what the system answered (`.fileNotFound`, `.permissionDenied` …).
    package internal(set) var problems: [AVError] = []

    package init(_ entries: [Entry] = []) { self.entries = entries }

    /// What `urls` stand for. Reads folders and lists on this machine, and blocks meanwhile: a few milliseconds, unless
    /// the disk is slow. A file that is not there stays an entry, which fails when it is played; addresses of servers
    /// stay what they are (`withRemoteLists` asks those).
    package static func expanding(_ urls: [URL], limits: Limits = Limits()) -> MediaList {
        expanding(urls.map { Entry($0) }, limits: limits)
    }

    /// The same of entries, whose titles and fields stay with what is one thing.
    package static func expanding(_ entries: [Entry], limits: Limits = Limits()) -> MediaList {
        var expansion = ListExpansion(limits: limits)
        for entry in entries { expansion.add(entry) }
        var list = MediaList(expansion.entries)
        list.problems = expansion.problems
        return list
    }
}
