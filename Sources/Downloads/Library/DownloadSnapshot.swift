import Foundation

/// The values of a download that observers receive after each change.
package struct DownloadSnapshot: Sendable, Hashable {
    package var id: UUID
    package var url: URL
    package var title: String
    package var options: DownloadOptions
    package var state: DownloadState
    package var progress: DownloadProgress
    package var added: Date
    /// The URL of the package's folder, below the library's current folder.
    package var location: URL
    /// The URL to play offline: a stream's folder, or the media file; nil while parts are missing.
    package var playable: URL?
    package var session: String
    package var note: String
}

/// An event of a download, delivered in order on the queue `zt-downloads`.
package enum DownloadEvent: Sendable {
    case changed(DownloadSnapshot)
    /// The resources to load and their location are known.
    case planned(UUID, location: URL)
    /// A range of the first rendition is on the disk, in seconds. `all` contains every range on the disk, and `whole`
    /// is the range of the entire media. The first rendition is the video, or the audio if there is no video.
    case loaded(UUID, Range<Double>, all: [Range<Double>], whole: Range<Double>)
    /// A server's response is incorrect but usable. Reported once for each resource.
    case noted(UUID, DownloadError)
    case removed(UUID)
}
