import Foundation
import MediaCore

/// A folder of the library with media in it: what all downloads of one source share.
struct PackageRow: Sendable, Hashable {
    var id: Int64
    /// What makes two downloads one package.
    var asset: String
    /// Its name in the library's folder; packages are found by it wherever the library lies.
    var folder: String
    var source: URL
    var title: String
    var created: Date
    /// When it was finished and when it was last played; nil: not yet.
    var finished: Date?
    var played: Date?
    var expires: Date?
    var isProtected: Bool
    /// Of its complete resources.
    var bytes: Int64
}

/// One wish for a source's media.
struct DownloadRow: Sendable, Hashable {
    /// What its owner wants of it, whatever it is doing; a second process writes it too.
    enum Wish: String, Sendable { case run, pause, cancel, remove }
    var id: UUID
    var package: Int64
    /// Without a name and password.
    var url: URL
    /// Without headers that may be keys.
    var options: DownloadOptions
    /// What was taken out of both.
    var needs = DownloadCredentials.Needs()
    var wish: Wish
    /// All of it has come.
    var isFinished: Bool
    /// Why it does not go on; nil: it does.
    var failure: DownloadError?
    var added: Date
    /// Order in the queue.
    var place: Double
    var progress: DownloadProgress
    /// Of the session of Apple's names that made it, and what that keeps with it; empty: none.
    var session: String
    var note: String
}

/// One of a package's renditions.
struct RenditionRow: Sendable, Hashable {
    var id: Int64
    var package: Int64
    var kind: RenditionKind
    /// Its folder in the package.
    var name: String
    var url: URL
    var others: [URL]
    var tag: String
    var bitRate: Double
    /// The media playlist as the server gave it, and where from after redirects; of a file what is known of it
    /// (`FileFacts`). Nil: not yet.
    var playlist: String?
    var playlistURL: URL?
    var variables: [String: String]
    var isComplete: Bool
}

/// One resource that has come, or whose beginning has.
struct ResourceRow: Sendable, Hashable {
    var rendition: Int64
    var kind: PlanItem.Kind
    var number: Int
    /// In the rendition's folder.
    var file: String
    /// Bytes; of an unfinished part of a file those that are on the disk for good, of other unfinished ones 0.
    var length: Int64
    var digest: ContentDigest
    var isComplete: Bool
    /// The server's ETag or Last-Modified, for `If-Range` (RFC 9110 §13.1.5); empty: it gave none that can be used. Of an
    /// unfinished one `ResourceFacts.version`.
    var validator: String
}
