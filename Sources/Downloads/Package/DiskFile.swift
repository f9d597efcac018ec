import CSystem
import Foundation
import Glibc
import MediaCore

/// Files of a library: written to the side, synced, and then given their name, so that a name stands for something
/// whole.
enum DiskFile {
    /// A file open for writing at any place. Confined to who holds it.
    final class Handle {
        let path: String
        private var descriptor: Int32
        /// Bytes written since the disk was last told to begin.
        private var unsent = 0

        /// - Parameter truncating: what was in it goes.
        init(_ path: String, truncating: Bool = false, mode: mode_t = 0o644) throws(DownloadError) {
            self.path = path
            // Not through a link: whoever may write into the folder must not make us write elsewhere.
            descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (truncating ? O_TRUNC : 0), mode)
            guard descriptor >= 0 else { throw DownloadError.system(errno, at: path, "cannot be written") }
        }
        init(reading path: String) throws(DownloadError) {
            self.path = path
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw DownloadError.system(errno, at: path, "cannot be read") }
        }
        deinit { if descriptor >= 0 { close(descriptor) } }

        var size: Int64 {
            var info = stat()
            return fstat(descriptor, &info) == 0 ? Int64(info.st_size) : 0
        }

        func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DownloadError) {
            var done = 0
            while done < bytes.count {
                guard let base = bytes.baseAddress else { return }
                let count = pwrite(descriptor, base + done, bytes.count - done, off_t(offset) + off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    throw DownloadError.system(count < 0 ? errno : ENOSPC, at: path, "cannot be written")
                }
                done += count
            }
            // The disk has something to do while the rest comes, so that little is left to wait for in the end.
            unsent += bytes.count
            guard unsent >= 1 << 20 else { return }
            unsent = 0
            zt_begin_sync(descriptor)
        }

        /// The first so many.
        func bytes(_ count: Int64) throws(DownloadError) -> [UInt8] {
            var failure: DownloadError?
            let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, done in
                while done < buffer.count {
                    let got = pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(done))
                    if got < 0, errno == EINTR { continue }
                    if got < 0 { failure = DownloadError.system(errno, at: path, "cannot be read") }
                    if got == 0 {
                        failure = DownloadError(
                            .damaged, at: path, reason: "ends after \(done) bytes", suggestion: "Repair the download")
                    }
                    guard got > 0 else { return }
                    done += got
                }
            }
            if let failure { throw failure }
            return bytes
        }

        /// What is there, piece by piece.
        ///
        /// - Parameter capacity: bytes of each piece but the last.
        func read(
            from start: Int64, count: Int64, piece capacity: Int = 256 << 10, _ body: (UnsafeRawBufferPointer) -> Void
        ) throws(DownloadError) {
            let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
            defer { buffer.deallocate() }
            var position = start
            let end = start.addingSaturating(count)
            while position < end {
                let got = pread(descriptor, buffer, Int(min(Int64(capacity), end - position)), off_t(position))
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else { throw DownloadError.system(errno, at: path, "cannot be read") }
                guard got > 0 else {
                    throw DownloadError(
                        .damaged, at: path, reason: "ends after \(position) bytes", suggestion: "Repair the download")
                }
                body(UnsafeRawBufferPointer(start: buffer, count: got))
                position += Int64(got)
            }
        }

        func truncate(to size: Int64) throws(DownloadError) {
            guard ftruncate(descriptor, off_t(size)) == 0 else {
                throw DownloadError.system(errno, at: path, "cannot be cut")
            }
        }

        func sync() throws(DownloadError) {
            guard fdatasync(descriptor) == 0 else {
                throw DownloadError.system(errno, at: path, "cannot be written to the disk")
            }
        }
    }

    /// What a folder names is on the disk.
    static func syncFolder(_ path: String) throws(DownloadError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DownloadError.system(errno, at: path, "cannot be opened") }
        defer { close(descriptor) }
        // Some file systems do not sync folders: then there is nothing to be done.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw DownloadError.system(errno, at: path, "cannot be written to the disk")
        }
    }

    static func makeFolder(_ path: String) throws(DownloadError) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: true)
        var missing: [String] = []
        while !parts.isEmpty {
            let here = "/" + parts.joined(separator: "/")
            if mkdir(here, 0o755) == 0 {
                try syncFolder((here as NSString).deletingLastPathComponent)
                break
            }
            if errno == EEXIST { break }
            guard errno == ENOENT else { throw DownloadError.system(errno, at: here, "cannot be made") }
            missing.append(here)
            parts.removeLast()
        }
        for folder in missing.reversed() {
            guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
                throw DownloadError.system(errno, at: folder, "cannot be made")
            }
            try syncFolder((folder as NSString).deletingLastPathComponent)
        }
        guard isFolder(path) else {
            throw DownloadError(.disk, at: path, reason: "is not a folder", suggestion: "Choose another one")
        }
    }

    static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    /// Nil where there is no regular file.
    static func size(_ path: String) -> Int64? {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG ? Int64(info.st_size) : nil
    }

    static func rename(_ from: String, _ to: String) throws(DownloadError) {
        guard Glibc.rename(from, to) == 0 else { throw DownloadError.system(errno, at: to, "cannot get its name") }
    }

    /// Nothing happens where there is none.
    static func remove(_ path: String) throws(DownloadError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw DownloadError.system(errno, at: path, "cannot be removed")
        }
    }

    /// A folder with all that is in it; links are removed, not followed. Nothing happens where there is none.
    static func removeTree(_ path: String) throws(DownloadError) {
        guard isFolder(path), !isLink(path) else { return try remove(path) }
        for name in names(in: path) { try removeTree(path + "/" + name) }
        guard rmdir(path) == 0 || errno == ENOENT else {
            throw DownloadError.system(errno, at: path, "cannot be removed")
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
    }

    /// A file or a folder under a second name, without a byte being copied. False: the file system does not do that, or
    /// not as far as there.
    static func link(_ from: String, to target: String) -> Bool {
        guard isFolder(from) else { return Glibc.link(from, target) == 0 }
        guard mkdir(target, 0o755) == 0 else { return false }
        return names(in: from).allSatisfy { link(from + "/" + $0, to: target + "/" + $0) }
    }

    /// Hidden ones included.
    static func names(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// A small file, whole or not at all.
    static func replace(_ path: String, with bytes: Data, mode: mode_t = 0o644) throws(DownloadError) {
        let side = path + PackageNames.part
        let file = try Handle(side, truncating: true, mode: mode)
        let result: Result<Void, DownloadError> = bytes.withUnsafeBytes { bytes in
            do throws(DownloadError) { return .success(try file.write(bytes, at: 0)) } catch { return .failure(error) }
        }
        try result.get()
        try file.sync()
        try rename(side, path)
    }

    /// Bytes that this user may still write where `path` is; nil: nobody knows.
    static func room(at path: String) -> Int64? {
        var info = statvfs()
        guard statvfs(path, &info) == 0 else { return nil }
        return Int64(clamping: UInt64(info.f_bavail).multipliedSaturating(by: UInt64(info.f_frsize)))
    }
}

/// A package or a library in the hands of one process: the system lets go of it when the process ends, however it does.
final class FolderLock: @unchecked Sendable {
    // Guarded by immutability.
    private let descriptor: Int32

    /// - Returns: nil when somebody else has it.
    static func take(_ path: String) throws(DownloadError) -> FolderLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw DownloadError.system(errno, at: path, "cannot be written") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            if code == EWOULDBLOCK { return nil }
            throw DownloadError.system(code, at: path, "cannot be locked")
        }
        return FolderLock(descriptor)
    }

    /// Waits for whoever has it, for things that take a moment.
    static func wait(_ path: String) throws(DownloadError) -> FolderLock {
        let limit = HostClock.now() + 10_000_000_000
        while true {
            if let lock = try take(path) { return lock }
            guard HostClock.now() < limit else {
                throw DownloadError(.inUse, at: path, reason: "another process holds it", suggestion: "Try again")
            }
            usleep(5_000)
        }
    }

    private init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
}
