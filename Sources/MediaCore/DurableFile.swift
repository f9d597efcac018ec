import Foundation

/// Puts files on the disk, so that they survive the end of the machine. Whoever writes a file that must be complete or
/// absent writes it beside its place, syncs it, renames it, and syncs the folder.
package enum DurableFile {
    /// Puts the bytes of an open file on the disk.
    /// - Returns: 0, or the system's code.
    package static func sync(_ file: Int32) -> Int32 { result(fdatasync(file)) }

    /// Puts the names in an open folder on the disk.
    /// - Returns: 0, or the system's code.
    package static func syncFolder(_ folder: Int32) -> Int32 { result(fsync(folder)) }

    /// Puts the bytes of the file at `path`, whoever wrote them, on the disk.
    /// - Returns: 0, or the system's code.
    package static func sync(_ path: FilePath) -> Int32 { opened(path, O_RDONLY, sync) }

    /// Puts the names in the folder at `path` on the disk.
    /// - Returns: 0, or the system's code.
    package static func syncFolder(_ path: FilePath) -> Int32 { opened(path, O_RDONLY | O_DIRECTORY, syncFolder) }

    private static func opened(_ path: FilePath, _ flags: Int32, _ body: (Int32) -> Int32) -> Int32 {
        let descriptor = path.withCString { open($0, flags | O_CLOEXEC | O_NONBLOCK) }
        // Nobody can sync what this user may write but not read.
        guard descriptor >= 0 else { return errno == EACCES ? 0 : errno }
        defer { close(descriptor) }
        return body(descriptor)
    }

    /// Some file systems can't sync, or can't sync folders. Then there is nothing to be done.
    private static func result(_ code: Int32) -> Int32 {
        code == 0 || [EINVAL, ENOTSUP, EROFS].contains(errno) ? 0 : errno
    }
}
