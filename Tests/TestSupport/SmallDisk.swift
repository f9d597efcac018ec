import Foundation

/// A file system of a few megabytes that a test fills. Only root can mount it.
public final class SmallDisk: Sendable {
    public struct NotMounted: Error {
        /// The exit code of `mount`.
        public let code: Int32
    }

    /// Whether this process may mount a file system.
    public static var isAllowed: Bool { geteuid() == 0 }

    public let folder: URL
    private var filler: String { folder.appendingPathComponent("filler").path }

    /// Mounts the file system. Blocks; see `mount(megabytes:files:)`.
    /// - Parameter files: The number of files and folders that it can contain; nil for no limit.
    public init(megabytes: Int, files: Int? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let code = try ChildProcess(
            "mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m,nr_inodes=\(files ?? 0)", "tmpfs", folder.path]
        ).wait()
        guard code == 0 else {
            try? FileManager.default.removeItem(at: folder)
            throw NotMounted(code: code)
        }
    }

    /// Mounts a file system on a separate thread.
    public static func mount(megabytes: Int, files: Int? = nil) async throws -> SmallDisk {
        try await offPool { try SmallDisk(megabytes: megabytes, files: files) }
    }

    /// Fills the file system to the last byte, which only root can do. Blocks.
    public func fill() throws {
        try ChildProcess("dd", ["if=/dev/zero", "of=\(filler)", "bs=64k", "status=none"]).wait()
    }

    /// Removes the file that `fill` has written.
    public func free() { unlink(filler) }

    /// Unmounts the file system, even if files on it are open.
    public func close() {
        _ = try? ChildProcess("umount", ["-l", folder.path]).wait()
        try? FileManager.default.removeItem(at: folder)
    }

    deinit { close() }
}
