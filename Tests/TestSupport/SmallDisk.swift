import Foundation

/// A file system of a few megabytes for one test, which fills it. Only root can mount one.
public final class SmallDisk: Sendable {
    public struct NotMounted: Error {
        /// What `mount` returned.
        public let code: Int32
    }

    /// Whether this process may mount a file system.
    public static var isAllowed: Bool { geteuid() == 0 }

    public let folder: URL
    private var filler: String { folder.appendingPathComponent("filler").path }

    /// Mounts it, which blocks; see `mount(megabytes:)`.
    public init(megabytes: Int) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let code = try ChildProcess("mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder.path]).wait()
        guard code == 0 else {
            try? FileManager.default.removeItem(at: folder)
            throw NotMounted(code: code)
        }
    }

    /// Mounts one on a thread of its own.
    public static func mount(megabytes: Int) async throws -> SmallDisk {
        try await offPool { try SmallDisk(megabytes: megabytes) }
    }

    /// Fills it to the last byte, as root can. Blocks.
    public func fill() throws {
        try ChildProcess("dd", ["if=/dev/zero", "of=\(filler)", "bs=64k", "status=none"]).wait()
    }

    /// Removes what `fill` wrote.
    public func free() { unlink(filler) }

    /// Unmounts it, whoever still has a file on it open.
    public func close() {
        _ = try? ChildProcess("umount", ["-l", folder.path]).wait()
        try? FileManager.default.removeItem(at: folder)
    }

    deinit { close() }
}
