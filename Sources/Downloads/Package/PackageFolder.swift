import Foundation
import MediaCore
import Streaming

/// Where the things of one package lie. A value; nothing of a server is in its names.
struct PackageFolder: Sendable {
    let place: DiskPath

    init(library: DiskRoot, folder: String) { place = library.appending(folder) }

    /// For messages and for players.
    var path: String { place.path }
    var index: DiskPath { place.appending(PackageNames.index) }
    var lock: DiskPath { place.appending(PackageNames.lock) }
    func folder(of rendition: RenditionRow) -> DiskPath { place.appending(rendition.name) }
    func file(_ name: String, of rendition: RenditionRow) -> DiskPath { folder(of: rendition).appending(name) }

    /// Held by who writes into it.
    func takeLock() throws(DownloadError) -> FolderLock? {
        try DiskFile.makeFolder(place)
        return try FolderLock.take(lock)
    }
}
