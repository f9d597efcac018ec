import Foundation
import MediaCore

/// A list of entries to play, in order: files and URLs, with their metadata in a playlist.
///
/// The list is made from the URLs that a user names. A file is one entry. A folder is replaced with the media in it,
/// and a playlist (M3U, PLS, XSPF) with its entries. An HLS playlist, recognized by its content, is one entry.
package struct MediaList: Sendable, Equatable {
    /// An entry to play.
    package struct Entry: Sendable, Hashable {
        package var url: URL
        /// The title in a playlist; nil if there is none.
        package var title: String?
        /// The duration in a playlist, in seconds and above 0; nil if there is none.
        package var duration: Double?
        /// The HTTP headers in a playlist, such as `User-Agent` and `Referer`.
        package var headers: [String: String]
        /// The URL that the user named to get this entry: a folder, a playlist, or the entry's own URL.
        package internal(set) var source: URL

        package init(_ url: URL, title: String? = nil, duration: Double? = nil, headers: [String: String] = [:]) {
            self.url = url
            self.title = title
            self.duration = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
            self.headers = headers
            source = url
        }

        /// The title for the user, never empty: that in the playlist, or else the file name, or else the URL without a
        /// password.
        package var displayTitle: String { playlistTitle ?? fileName ?? url.location }
        /// The same as `displayTitle`, except that a file name has no extension.
        package var titleWithoutExtension: String {
            guard playlistTitle == nil, let fileName else { return displayTitle }
            let ending = FilePath(bytes: fileName.utf8)?.pathExtension ?? ""
            // “Vol. 2” can be the whole name of a file.
            guard (1...5).contains(ending.count), ending.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
            else { return fileName }
            return String(fileName.dropLast(ending.count + 1))
        }
        private var playlistTitle: String? { title?.isEmpty == false ? title : nil }
        private var fileName: String? {
            if let path = FilePath(url) { return path.name.description }
            let last = url.lastPathComponent
            return last.isEmpty || last == "/" ? nil : last
        }
    }

    /// The limits for reading playlists.
    package struct Limits: Sendable {
        /// The maximum number of entries of all URLs together.
        package var entries = 10_000
        /// The maximum size of one playlist, in bytes.
        package var bytes = 4 << 20
        /// The maximum depth of playlists in playlists.
        package var depth = 8
        package init() {}
    }

    package var entries: [Entry]
    /// The problems of files and playlists, in the order in which they occurred.
    ///
    /// Each contains the location and, if a line of a playlist is not valid, the line. Its code is `.playlistInvalid`,
    /// `.notAFile` for a folder without media files, or that of the system's error (`.fileNotFound`,
    /// `.permissionDenied` …).
    package internal(set) var problems: [AVError] = []

    package init(_ entries: [Entry] = []) { self.entries = entries }

    /// Returns the entries for URLs that a user names.
    ///
    /// Reads folders and local playlists, and blocks the thread meanwhile: a few milliseconds, unless the disk is slow.
    /// A missing file stays an entry, which fails when it plays. URLs of servers stay as they are; `withRemoteLists`
    /// loads them.
    /// - Parameters:
    ///   - urls: The files, folders, playlists and URLs.
    ///   - limits: The limits for reading playlists.
    package static func expanding(_ urls: [URL], limits: Limits = Limits()) -> MediaList {
        expanding(urls.map { Entry($0) }, limits: limits)
    }

    /// Returns entries in which each folder and local playlist is replaced with its contents. Other entries keep their
    /// titles and headers.
    package static func expanding(_ entries: [Entry], limits: Limits = Limits()) -> MediaList {
        var expansion = ListExpansion(limits: limits)
        for entry in entries { expansion.add(entry) }
        var list = MediaList(expansion.entries)
        list.problems = expansion.problems
        return list
    }
}
