import Foundation
import MediaCore
import Streaming

/// Where the things of one package lie. A value; nothing of a server is in its names.
struct PackageFolder: Sendable, Hashable {
    let path: String

    init(library: String, folder: String) { path = library + "/" + folder }

    var index: String { path + "/" + PackageNames.index }
    func folder(of rendition: RenditionRow) -> String { path + "/" + rendition.name }
    func file(_ name: String, of rendition: RenditionRow) -> String { path + "/" + rendition.name + "/" + name }

    /// Held by who writes into it.
    func takeLock() throws(DownloadError) -> FolderLock? {
        try DiskFile.makeFolder(path)
        return try FolderLock.take(path + "/" + PackageNames.lock)
    }
}
