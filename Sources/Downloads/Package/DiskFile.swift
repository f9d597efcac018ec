import CSystem
import Foundation
import Glibc
import MediaCore

/// The file operations of a library. A file is written under a temporary name, synced, and then renamed, so a file with
/// the final name is always complete.
///
/// Only the owner has access: files have the mode 0600, folders 0700.
enum DiskFile {
    private static let fileMode: mode_t = 0o600
    private static let folderMode: mode_t = 0o700

    /// A file that is open for reading and writing at any offset. Use it on one thread at a time.
    final class Handle {
        /// The path, for error messages.
        let location: String
        fileprivate let descriptor: Int32
        /// The number of bytes written since the system was last requested to write them to the disk.
        private var unsent = 0

        /// Opens a file for writing, or creates it.
        ///
        /// - Throws: `.damaged` if the path is not a regular file, for example a symbolic link.
        init(_ path: DiskPath) throws(DownloadError) {
            location = path.path
            descriptor = try path.inFolder { folder, name throws(DownloadError) in
                try DiskFile.openForWriting(path, folder, name)
            }
        }

        /// Opens a file for reading.
        ///
        /// - Throws: `.damaged` if the path is not a regular file, for example a symbolic link.
        init(reading path: DiskPath) throws(DownloadError) {
            location = path.path
            descriptor = try path.inFolder { folder, name throws(DownloadError) in
                // O_NONBLOCK, because opening a named pipe would otherwise wait.
                let file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
                guard file >= 0 else { throw path.failure(errno, in: folder, "reading failed") }
                _ = try DiskFile.regular(file, path)
                return file
            }
        }

        fileprivate init(_ location: String, descriptor: Int32) {
            self.location = location
            self.descriptor = descriptor
        }
        deinit { close(descriptor) }

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
                    throw DownloadError.system(count < 0 ? errno : ENOSPC, at: location, "writing failed")
                }
                done += count
            }
            // Start writing to the disk while more bytes arrive, so that the final sync is short.
            unsent += bytes.count
            guard unsent >= 1 << 20 else { return }
            unsent = 0
            zt_begin_sync(descriptor)
        }

        /// Returns the first `count` bytes.
        ///
        /// - Throws: `.damaged` if the file is shorter.
        func bytes(_ count: Int64) throws(DownloadError) -> [UInt8] {
            var failure: DownloadError?
            let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, done in
                do throws(DownloadError) {
                    done = try read(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
                    if done < buffer.count { throw ended(after: Int64(done)) }
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            return bytes
        }

        /// Reads bytes until `buffer` is full or the file ends.
        ///
        /// - Returns: The number of bytes read.
        func read(at position: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(DownloadError) -> Int {
            var done = 0
            while done < buffer.count {
                let count = pread(
                    descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                    off_t(position.addingSaturating(Int64(done))))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw DownloadError.system(errno, at: location, "reading failed") }
                if count == 0 { break }
                done += count
            }
            return done
        }

        /// Calls `body` with the bytes of a range, piece by piece.
        ///
        /// - Parameter capacity: The size of each piece but the last, in bytes.
        /// - Throws: `.damaged` if the file ends before the range does.
        func read(
            from start: Int64, count: Int64, piece capacity: Int = 256 << 10, _ body: (UnsafeRawBufferPointer) -> Void
        ) throws(DownloadError) {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
            defer { buffer.deallocate() }
            var position = start
            let end = start.addingSaturating(count)
            while position < end {
                let wanted = UnsafeMutableRawBufferPointer(
                    rebasing: buffer[..<Int(min(Int64(capacity), end - position))])
                let length = try read(at: position, into: wanted)
                guard length > 0 else { throw ended(after: position) }
                body(UnsafeRawBufferPointer(rebasing: wanted[..<length]))
                position += Int64(length)
            }
        }

        private func ended(after count: Int64) -> DownloadError {
            DownloadError(
                .damaged, at: location, reason: "the file ends after \(count) bytes", suggestion: "Repair the download")
        }

        func truncate(to size: Int64) throws(DownloadError) {
            guard ftruncate(descriptor, off_t(size)) == 0 else {
                throw DownloadError.system(errno, at: location, "shortening the file failed")
            }
        }

        func sync() throws(DownloadError) {
            let code = DurableFile.sync(descriptor)
            guard code == 0 else { throw DownloadError.system(code, at: location, "writing to the disk failed") }
        }

        /// Copies the entire file into `target`.
        fileprivate func copy(to target: Handle) throws(DownloadError) {
            var failure: DownloadError?
            var position: Int64 = 0
            try read(from: 0, count: size, piece: 1 << 20) { bytes in
                guard failure == nil else { return }
                do throws(DownloadError) { try target.write(bytes, at: position) } catch { failure = error }
                position += Int64(bytes.count)
            }
            if let failure { throw failure }
        }
    }

    /// Checks that an open file is a regular one, and closes `file` before it throws.
    private static func regular(_ file: Int32, _ path: DiskPath) throws(DownloadError) -> stat {
        var info = stat()
        guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw DownloadError(
                .damaged, at: path.path, reason: "the path is not a regular file",
                suggestion: "Remove the item at this path, then try again")
        }
        return info
    }

    private static func openForWriting(_ path: DiskPath, _ folder: Int32, _ name: String) throws(DownloadError) -> Int32
    {
        let file = openat(folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, fileMode)
        guard file >= 0 else { throw path.failure(errno, in: folder, "writing failed") }
        let info = try regular(file, path)
        guard info.st_nlink > 1 else {
            if info.st_mode & 0o077 != 0 { fchmod(file, fileMode) }
            return file
        }
        // The file has another hard link, for example in a backup, whose contents must not change. Write to a copy
        // instead.
        let old = Handle(path.path, descriptor: file)
        let temporary = path.folder.appending(name + ".copy")
        let copy = try fresh(temporary, folder)
        try old.copy(to: copy)
        guard renameat(folder, temporary.name, folder, name) == 0 else {
            throw path.failure(errno, in: folder, "renaming failed")
        }
        let duplicate = fcntl(copy.descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { throw DownloadError.system(errno, at: path.path, "writing failed") }
        return duplicate
    }

    /// Creates a file, after removing an existing one with the same name.
    private static func fresh(_ path: DiskPath, _ folder: Int32) throws(DownloadError) -> Handle {
        guard unlinkat(folder, path.name, 0) == 0 || errno == ENOENT else {
            throw path.failure(errno, in: folder, "writing failed")
        }
        let file = openat(folder, path.name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, fileMode)
        guard file >= 0 else { throw path.failure(errno, in: folder, "writing failed") }
        return Handle(path.path, descriptor: file)
    }

    /// Writes the entries of a folder to the disk.
    static func syncFolder(_ path: DiskPath) throws(DownloadError) {
        try inFolder(path) { folder throws(DownloadError) in
            let code = DurableFile.syncFolder(folder)
            guard code == 0 else { throw DownloadError.system(code, at: path.path, "writing to the disk failed") }
        }
    }

    /// Calls `body` with a descriptor of the folder itself.
    private static func inFolder<T>(_ path: DiskPath, _ body: (Int32) throws(DownloadError) -> T) throws(DownloadError)
        -> T
    {
        // The appended name is not used, so any name is suitable.
        try path.appending(PackageNames.lock).inFolder { folder, _ throws(DownloadError) in try body(folder) }
    }

    /// Creates a folder, and its parent folders below the library's, unless they exist.
    ///
    /// - Throws: `.damaged` if one of them is a symbolic link or a file.
    static func makeFolder(_ path: DiskPath) throws(DownloadError) {
        if path.names.count > 1 { try makeFolder(path.folder) }
        try path.inFolder { folder, name throws(DownloadError) in
            if mkdirat(folder, name, folderMode) == 0 {
                let code = DurableFile.syncFolder(folder)
                guard code == 0 else { throw DownloadError.system(code, at: path.path, "writing to the disk failed") }
            } else if errno != EEXIST {
                throw path.failure(errno, in: folder, "the folder can't be created")
            }
        }
        try inFolder(path) { _ in }
    }

    /// Returns the size in bytes, or nil if the path is not a regular file or passes a symbolic link.
    static func size(_ path: DiskPath) -> Int64? {
        guard let info = try? path.status(), info.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(info.st_size)
    }

    /// Returns whether nothing exists at the path. False if this cannot be determined, for example behind a symbolic
    /// link.
    static func isMissing(_ path: DiskPath) -> Bool {
        do throws(DownloadError) { return try path.status() == nil } catch { return false }
    }

    /// Returns whether the path is a folder. False for a symbolic link, and behind one.
    static func isFolder(_ path: DiskPath) -> Bool {
        guard let info = try? path.status() else { return false }
        return info.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the entries of a folder, including hidden ones, with the sizes of regular files in bytes and -1 for all
    /// others. Empty if the folder does not exist.
    ///
    /// - Throws: `.damaged` if the path passes a symbolic link.
    static func contents(of path: DiskPath) throws(DownloadError) -> [String: Int64] {
        // The appended name is not used, so any name is suitable.
        let found = try path.appending(PackageNames.lock).inFolderIfThere { folder, _ throws(DownloadError) in
            var result: [String: Int64] = [:]
            for name in try names(in: folder, path) {
                var info = stat()
                guard fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
                result[name] = info.st_mode & S_IFMT == S_IFREG ? Int64(info.st_size) : -1
            }
            return result
        }
        return found ?? [:]
    }

    private static func names(in folder: Int32, _ path: DiskPath) throws(DownloadError) -> [String] {
        // Opens the folder again, because reading moves the position of a descriptor.
        let reopened = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard reopened >= 0, let handle = fdopendir(reopened) else {
            let code = errno
            if reopened >= 0 { close(reopened) }
            throw DownloadError.system(code, at: path.path, "reading failed")
        }
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

    /// Renames a file within its folder.
    static func rename(_ from: DiskPath, _ to: DiskPath) throws(DownloadError) {
        try to.inFolder { folder, name throws(DownloadError) in
            guard renameat(folder, from.name, folder, name) == 0 else {
                throw to.failure(errno, in: folder, "renaming failed")
            }
        }
    }

    /// Removes a file, if it exists. A symbolic link is removed, and its target stays unchanged.
    static func remove(_ path: DiskPath) throws(DownloadError) {
        _ = try path.inFolderIfThere { folder, name throws(DownloadError) in
            guard unlinkat(folder, name, 0) == 0 || errno == ENOENT else {
                throw path.failure(errno, in: folder, "removal failed")
            }
        }
    }

    /// Removes a file, or a folder with its contents, if it exists. Symbolic links are removed, and their targets stay
    /// unchanged.
    static func removeTree(_ path: DiskPath) throws(DownloadError) {
        _ = try path.inFolderIfThere { folder, name throws(DownloadError) in
            try removeTree(name, in: folder, path, 0)
        }
    }

    /// The maximum nesting of folders, because each open level uses a file descriptor. The folders of a package are
    /// nested less deeply.
    private static let mostDepth = 32

    private static func removeTree(_ name: String, in folder: Int32, _ path: DiskPath, _ depth: Int)
        throws(DownloadError)
    {
        guard depth < mostDepth else {
            throw DownloadError(
                .disk, at: path.path,
                reason: "the folder can't be removed: its subfolders are nested more than \(mostDepth) deep",
                suggestion: "Remove the folder with a file manager")
        }
        let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard inner >= 0 else {
            let code = errno
            if code == ENOENT { return }
            // The entry is a symbolic link or a file.
            guard code == ENOTDIR || code == ELOOP else { throw path.failure(code, in: folder, "removal failed") }
            guard unlinkat(folder, name, 0) == 0 || errno == ENOENT else {
                throw path.failure(errno, in: folder, "removal failed")
            }
            return
        }
        defer { close(inner) }
        // Another process that also removes the package may make a lock file in the meantime.
        for attempt in 1...10 {
            for entry in try names(in: inner, path) {
                try removeTree(entry, in: inner, path.appending(entry), depth + 1)
            }
            if unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return }
            let code = errno
            guard code == ENOTEMPTY, attempt < 10 else { throw path.failure(code, in: folder, "removal failed") }
        }
    }

    /// Restricts access to files that an older version of Zoetrope created: the mode of files becomes 0600, of folders
    /// 0700. Files whose mode this user may not set stay unchanged.
    static func makePrivate(_ path: DiskPath) {
        try? path.inFolder { folder, name throws(DownloadError) in makePrivate(name, in: folder, path, 0) }
    }

    private static func makePrivate(_ name: String, in folder: Int32, _ path: DiskPath, _ depth: Int) {
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0, depth < mostDepth else { return }
        defer { close(file) }
        var info = stat()
        guard fstat(file, &info) == 0 else { return }
        if info.st_mode & S_IFMT == S_IFDIR {
            fchmod(file, folderMode)
            for entry in (try? names(in: file, path)) ?? [] {
                makePrivate(entry, in: file, path.appending(entry), depth + 1)
            }
        } else if info.st_mode & S_IFMT == S_IFREG {
            fchmod(file, fileMode)
        }
    }

    /// Replaces a small file. If writing fails, the old file stays unchanged.
    static func replace(_ path: DiskPath, with bytes: Data) throws(DownloadError) {
        try path.inFolder { folder, name throws(DownloadError) in
            let temporary = path.part
            let file = try fresh(temporary, folder)
            let result: Result<Void, DownloadError> = bytes.withUnsafeBytes { bytes in
                do throws(DownloadError) { return .success(try file.write(bytes, at: 0)) } catch {
                    return .failure(error)
                }
            }
            try result.get()
            try file.sync()
            guard renameat(folder, temporary.name, folder, name) == 0 else {
                throw path.failure(errno, in: folder, "renaming failed")
            }
        }
    }

    /// Returns the contents of a small file, or nil if it does not exist.
    ///
    /// - Throws: `.damaged` for a symbolic link, or for a file of more than `limit` bytes.
    static func read(_ path: DiskPath, limit: Int64 = 64 << 20) throws(DownloadError) -> [UInt8]? {
        guard try path.status() != nil else { return nil }
        let file = try Handle(reading: path)
        let size = file.size
        guard size <= limit else {
            throw DownloadError(.damaged, at: path.path, reason: "the file has \(size) bytes, more than the limit")
        }
        return try file.bytes(size)
    }

    /// Returns the number of bytes that the user may still write on the disk of `path`, or nil if unknown.
    static func freeSpace(at path: DiskPath) -> Int64? {
        var info = statvfs()
        let isKnown = try? inFolder(path) { folder in fstatvfs(folder, &info) == 0 }
        guard isKnown == true else { return nil }
        return Int64(clamping: UInt64(info.f_bavail).multipliedSaturating(by: UInt64(info.f_frsize)))
    }
}

extension DiskFile {
    /// Copies a file or folder of the library to a path outside the library. The copy has the default permissions of
    /// new files, except that only the owner can access keys.
    ///
    /// - Parameters:
    ///   - target: The path of the copy, which must not exist yet.
    ///   - names: The names of entries to leave out.
    ///   - links: Whether to make hard links instead of copies where the file system supports them.
    /// - Throws: `.damaged` for a symbolic link anywhere in the tree; `.diskFull`; `.disk`.
    static func export(_ path: DiskPath, to target: String, leavingOut names: Set<String>, links: Bool)
        throws(DownloadError)
    {
        guard let info = try path.status() else { throw missing(path) }
        if info.st_mode & S_IFMT == S_IFREG { return try exportFile(path, to: target, links: links) }
        guard info.st_mode & S_IFMT == S_IFDIR else {
            throw DownloadError(
                .damaged, at: path.path,
                reason: info.st_mode & S_IFMT == S_IFLNK
                    ? "the path is a symbolic link, which is not followed inside a library"
                    : "the path is not a regular file",
                suggestion: "Remove the item at this path, then repair the download")
        }
        guard mkdir(target, 0o777) == 0 else {
            throw DownloadError.system(errno, at: target, "the folder can't be created")
        }
        for name in try contents(of: path).keys where !names.contains(name) {
            try export(path.appending(name), to: target + "/" + name, leavingOut: names, links: links)
        }
    }

    private static func missing(_ path: DiskPath) -> DownloadError {
        DownloadError(.damaged, at: path.path, reason: "the file is missing", suggestion: "Repair the download")
    }

    private static func exportFile(_ path: DiskPath, to target: String, links: Bool) throws(DownloadError) {
        let source = try Handle(reading: path)
        // The created file has the user's default mode. A hard link that replaces it gets the same mode.
        let mode: mode_t = path.name.hasPrefix("key-") ? 0o600 : 0o666
        var made = try fresh(target, mode)
        if links {
            var info = stat()
            guard fstat(made.descriptor, &info) == 0 else {
                throw DownloadError.system(errno, at: target, "writing failed")
            }
            let isLinked = try path.inFolder { folder, name in
                unlink(target) == 0 && linkat(folder, name, AT_FDCWD, target, 0) == 0
            }
            if isLinked {
                var (opened, linked) = (stat(), stat())
                guard fstat(source.descriptor, &opened) == 0, lstat(target, &linked) == 0,
                    opened.st_ino == linked.st_ino, opened.st_dev == linked.st_dev
                else {
                    unlink(target)
                    throw DownloadError(
                        .damaged, at: path.path, reason: "the file was replaced while it was being exported",
                        suggestion: "Try again")
                }
                fchmod(source.descriptor, info.st_mode & 0o777)
                return
            }
            made = try fresh(target, mode)
        }
        try source.copy(to: made)
    }

    private static func fresh(_ target: String, _ mode: mode_t) throws(DownloadError) -> Handle {
        let file = open(target, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else { throw DownloadError.system(errno, at: target, "writing failed") }
        return Handle(target, descriptor: file)
    }
}

/// A lock on a package or library for one process. The system releases the lock when the process ends, even after a
/// crash.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Takes a lock.
    ///
    /// - Returns: The lock, or nil if another owner has it.
    static func take(_ path: DiskPath) throws(DownloadError) -> FolderLock? {
        let descriptor = try path.inFolder { folder, name throws(DownloadError) in
            let file = openat(folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard file >= 0 else { throw path.failure(errno, in: folder, "writing failed") }
            return file
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            if code == EWOULDBLOCK { return nil }
            throw DownloadError.system(code, at: path.path, "locking the file failed")
        }
        return FolderLock(descriptor)
    }

    /// Takes a lock, and waits up to 10 s until its owner releases it. Only for locks that are held briefly.
    ///
    /// - Throws: `.inUse` if the owner does not release the lock in that time.
    static func wait(_ path: DiskPath) throws(DownloadError) -> FolderLock {
        let limit = HostTime.now() + 10_000_000_000
        while true {
            if let lock = try take(path) { return lock }
            guard HostTime.now() < limit else {
                throw DownloadError(
                    .inUse, at: path.path, reason: "another process is using the file", suggestion: "Try again")
            }
            usleep(5_000)
        }
    }

    private init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
}
