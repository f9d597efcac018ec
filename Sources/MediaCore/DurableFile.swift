import Foundation

/// A namespace for writing data to the disk, so that it survives a crash of the machine.
///
/// A file that must be complete or absent is written beside its final path, synced and renamed. Then its folder is
/// synced.
package enum DurableFile {
    /// Writes the bytes of an open file to the disk.
    /// - Returns: 0, or the errno.
    package static func sync(_ file: Int32) -> Int32 { result(fdatasync(file)) }

    /// Writes the entries of an open folder to the disk.
    /// - Returns: 0, or the errno.
    package static func syncFolder(_ folder: Int32) -> Int32 { result(fsync(folder)) }

    /// Writes the bytes of the file at `path` to the disk, even if another process has written them.
    /// - Returns: 0, or the errno.
    package static func sync(_ path: FilePath) -> Int32 { opened(path, O_RDONLY, sync) }

    /// Writes the entries of the folder at `path` to the disk.
    /// - Returns: 0, or the errno.
    package static func syncFolder(_ path: FilePath) -> Int32 { opened(path, O_RDONLY | O_DIRECTORY, syncFolder) }

    private static func opened(_ path: FilePath, _ flags: Int32, _ body: (Int32) -> Int32) -> Int32 {
        let descriptor = path.withCString { open($0, flags | O_CLOEXEC | O_NONBLOCK) }
        // A file that the user may not read cannot be opened for syncing. This is not an error.
        guard descriptor >= 0 else { return errno == EACCES ? 0 : errno }
        defer { close(descriptor) }
        return body(descriptor)
    }

    /// Returns the errno, or 0 on success or if the file system does not support syncing.
    private static func result(_ code: Int32) -> Int32 {
        code == 0 || [EINVAL, ENOTSUP, EROFS].contains(errno) ? 0 : errno
    }
}
