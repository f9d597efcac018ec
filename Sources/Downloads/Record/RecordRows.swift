import Foundation
import MediaCore

/// A package: a folder of the library with media, which all downloads of one source share.
struct PackageRow: Sendable, Hashable {
    var id: Int64
    /// The identity of the source. Downloads with the same identity share the package.
    var asset: String
    /// The name in the library's folder. Relative, so that the library can be moved.
    var folder: String
    var source: URL
    var title: String
    var created: Date
    /// The date on which the package was finished, or nil. `played` is the date on which it was last played.
    var finished: Date?
    var played: Date?
    var expires: Date?
    var isProtected: Bool
    /// The size of the complete resources, in bytes.
    var bytes: Int64
}

/// A download: the request for a source's media.
struct DownloadRow: Sendable, Hashable {
    /// The requested state, independent of the actual one. Another process may write it too.
    enum RequestedState: String, Sendable { case run, pause, cancel, remove }
    var id: UUID
    var package: Int64
    /// The URL, without a user name and password.
    var url: URL
    /// The options, without headers that may contain secrets.
    var options: DownloadOptions
    /// The credentials that were removed from `url` and `options`.
    var needs = DownloadCredentials.Needs()
    var requestedState: RequestedState
    /// Whether all media are on the disk.
    var isFinished: Bool
    /// The error that ended the download, or nil.
    var failure: DownloadError?
    var added: Date
    /// The position in the queue.
    var place: Double
    var progress: DownloadProgress
    /// The name of the `AVAssetDownloadURLSession` that made the download, or an empty string. `note` contains the
    /// session's own values.
    var session: String
    var note: String
}

/// A rendition of a package.
struct RenditionRow: Sendable, Hashable {
    var id: Int64
    var package: Int64
    var kind: RenditionKind
    /// The name of the folder in the package.
    var name: String
    var url: URL
    var others: [URL]
    var tag: String
    var bitRate: Double
    /// The media playlist as the server sent it, or the facts about a file (`FileFacts`). Nil before either is known.
    /// `playlistURL` is the URL after redirects.
    var playlist: String?
    var playlistURL: URL?
    var variables: [String: String]
    var isComplete: Bool
}

/// A resource of which all bytes, or the first bytes, are on the disk.
struct ResourceRow: Sendable, Hashable {
    var rendition: Int64
    var kind: PlanItem.Kind
    var number: Int
    /// The name of the file in the rendition's folder.
    var file: String
    /// The number of bytes. For an incomplete part of a file, the bytes that are written to the disk; for other
    /// incomplete resources, 0.
    var length: Int64
    var digest: ContentDigest
    var isComplete: Bool
    /// The server's ETag or Last-Modified for `If-Range` (RFC 9110 §13.1.5), or an empty string if none is usable. For
    /// an incomplete resource, the value of `ResourceFacts.version`.
    var validator: String
}
