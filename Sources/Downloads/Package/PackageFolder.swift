import Foundation
import MediaCore
import Streaming

/// The paths of a package. Their names contain no text of a server.
struct PackageFolder: Sendable {
    let place: DiskPath

    init(library: DiskRoot, folder: String) { place = library.appending(folder) }

    /// The full path, for messages and players.
    var path: String { place.path }
    var index: DiskPath { place.appending(PackageNames.index) }
    var lock: DiskPath { place.appending(PackageNames.lock) }
    func folder(of rendition: RenditionRow) -> DiskPath { place.appending(rendition.name) }
    func file(_ name: String, of rendition: RenditionRow) -> DiskPath { folder(of: rendition).appending(name) }

    /// Takes the lock of the package, which every writer holds.
    ///
    /// - Returns: Nil if another owner has the lock.
    func takeLock() throws(DownloadError) -> FolderLock? {
        try DiskFile.makeFolder(place)
        return try FolderLock.take(lock)
    }
}
