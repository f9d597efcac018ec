import Foundation
import MediaCore

/// What is told of a download whenever something of it changes. A value; any thread.
package struct DownloadSnapshot: Sendable, Hashable {
    package var id: UUID
    package var url: URL
    package var title: String
    package var options: DownloadOptions
    package var state: DownloadState
    package var progress: DownloadProgress
    package var added: Date
    /// The package's folder, wherever the library lies now.
    package var location: URL
    /// What is played offline: the folder of a stream, the file of a file; nil: not all of it is there.
    package var playable: URL?
    package var session: String
    package var note: String
}

/// What happens to a download, in order, on the queue `zt-downloads`.
package enum DownloadEvent: Sendable {
    case changed(DownloadSnapshot)
    /// It is known what is loaded, and where it goes.
    case planned(UUID, location: URL)
    /// A stretch of the picture (of the sound where there is no picture) is on the disk: seconds; with all that is
    /// there, and the whole.
    case loaded(UUID, Range<Double>, all: [Range<Double>], whole: Range<Double>)
    /// Something odd in a server's answers that does not keep a resource from being downloaded. Once for each resource.
    case noted(UUID, DownloadError)
    case removed(UUID)
}
