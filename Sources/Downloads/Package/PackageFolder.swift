import Glibc
import MediaEngine

/// The paths of a package. Only Zoetrope chooses the names; none contains text that a server sent.
struct PackageFolder: Sendable {
    let diskPath: DiskPath

    init(library: DiskRoot, folder: String) { diskPath = library.appending(folder) }

    /// The full path, for messages and players.
    var path: String { diskPath.path }
    var index: DiskPath { diskPath.appending(PackageNames.index) }
    var lock: DiskPath { diskPath.appending(PackageNames.lock) }
    func folder(of rendition: RenditionRow) -> DiskPath { diskPath.appending(rendition.name) }
    func file(_ name: String, of rendition: RenditionRow) -> DiskPath { folder(of: rendition).appending(name) }

    /// Takes the lock of the package, which every writer holds.
    ///
    /// - Returns: Nil if another owner has the lock.
    func takeLock() throws(DownloadError) -> FolderLock? {
        try DiskFile.makeFolder(diskPath)
        return try FolderLock.take(lock)
    }

    /// Locks the package against readers, in this process and others, so that it can be deleted to free space.
    ///
    /// - Returns: Nil if the package is being read.
    func takeUse() throws(DownloadError) -> PackagesInUse.Use? {
        // The folder may be missing although the database lists the package.
        try DiskFile.makeFolder(diskPath)
        return try diskPath.inFolder { parent, name throws(DownloadError) in
            let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard folder >= 0 else { throw diskPath.failure(errno, in: parent, "the folder can't be opened") }
            return PackagesInUse.Use.exclusive(folder)
        }
    }
}
