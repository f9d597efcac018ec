import Foundation
import MediaCore
import Synchronization

/// A hidden file beside its target that replaces the target in one step, or never.
package struct PartialFile: Sendable {
    /// The name of the target in errors.
    let target: String
    /// The path of the hidden file.
    let path: FilePath
    private let location: WriteTarget
    private let replaces: Bool

    /// All partial files of the process. When the process receives a termination signal, it deletes them.
    private struct Registry {
        /// The descriptor of each file. It holds a lock, which shows other processes that the file is being written.
        var descriptors: [FilePath: Int32] = [:]
        var isOver = false

        /// Removes a file that was renamed or deleted, and releases its lock.
        mutating func remove(_ path: FilePath) { if let file = descriptors.removeValue(forKey: path) { close(file) } }
    }
    private static let partialFiles = Mutex(Registry())

    /// Creates an empty hidden file with the permissions of the file that it replaces.
    /// - Throws: `.fileAlreadyExists` if the target exists and `replaces` is false. `.writeFailed`, `.diskFull`.
    init(beside url: URL, replaces: Bool) throws(AVError) {
        try self.init(beside: WriteTarget(url), replaces: replaces)
    }

    init(beside location: WriteTarget, replaces: Bool) throws(AVError) {
        self.location = location
        self.replaces = replaces
        target = location.displayName
        switch location.kind {
        case .new: break
        case .stream:
            throw AVError(
                .writeFailed, at: target, reason: "the path is not a regular file", suggestion: "Choose a regular file")
        case .file:
            if !replaces { throw PartialFile.exists(target) }
            // A file that can't be written is not replaced.
            guard location.path.withCString({ access($0, W_OK) }) == 0 else {
                throw PartialFile.error(errno, at: target)
            }
        }
        let folder = location.path.folder
        let beginning = PartialFile.beginning(location.path)
        var made: FilePath?
        for _ in 0..<16 where made == nil {
            let candidate = folder.appending(
                beginning + Array((String(UInt64.random(in: 0...UInt64.max), radix: 36) + ".part").utf8))
            let code = PartialFile.make(candidate, like: location.kind)
            if code == 0 {
                made = candidate
            } else if code != EEXIST {
                throw PartialFile.error(code, in: folder, at: target)
            }
        }
        guard let made else {
            throw AVError(.writeFailed, at: target, reason: "no free name for a temporary file was found in its folder")
        }
        path = made
    }

    /// Returns the beginning of the names of the target's partial files. A random number and “.part” follow.
    ///
    /// File names have at most 255 bytes, so a long name is shortened. Its digest replaces the rest.
    private static func beginning(_ target: FilePath) -> [UInt8] {
        var name = target.name.bytes
        if name.count > 200 {
            let digest = ContentDigest.Maker()
            name.withUnsafeBytes { digest.add($0) }
            name = name.prefix(160) + Array("-\(digest.finish().text)".utf8)
        }
        return [0x2E] + name + [0x2E]
    }

    /// - Returns: 0, or the system's error code.
    private static func make(_ path: FilePath, like kind: WriteTarget.Kind) -> Int32 {
        partialFiles.withLock { partialFiles in
            guard !partialFiles.isOver else { return ECANCELED }
            let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
            guard descriptor >= 0 else { return errno }
            // Another process may have found the file and deleted it before it was locked.
            var info = stat()
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
                || fstat(descriptor, &info) == 0 && info.st_nlink == 0
            {
                close(descriptor)
                return EEXIST
            }
            if case .file(let mode, let user, let group) = kind {
                // Keep the owner of a file that belongs to another user, if the system permits it.
                _ = fchown(descriptor, user, group)
                _ = fchmod(descriptor, mode)
            }
            partialFiles.descriptors[path] = descriptor
            return 0
        }
    }

    /// Writes the file to disk and renames it to the target. An existing target is replaced if `replaces` is true.
    /// After this call, the file survives a crash of the machine.
    func commit() throws(AVError) {
        var code = DurableFile.sync(path)
        if code == 0 { code = location.path.withCString { target in path.withCString { renameToTarget($0, target) } } }
        if code == 0 { code = DurableFile.syncFolder(location.path.folder) }
        switch code {
        case 0: PartialFile.partialFiles.withLock { $0.remove(path) }
        case EEXIST: throw PartialFile.exists(target)
        default: throw PartialFile.error(code, at: target)
        }
    }

    private func renameToTarget(_ path: UnsafePointer<CChar>, _ target: UnsafePointer<CChar>) -> Int32 {
        if !replaces {
            // Unlike rename, link fails if another process has created the target in the meantime.
            if link(path, target) == 0 {
                unlink(path)
                return 0
            }
            // Some file systems have no hard links.
            guard [EPERM, ENOTSUP, EMLINK, ENOSYS].contains(errno) else { return errno }
            if access(target, F_OK) == 0 { return EEXIST }
        }
        return rename(path, target) == 0 ? 0 : errno
    }

    func discard() {
        path.withCString { _ = unlink($0) }
        PartialFile.partialFiles.withLock { $0.remove(path) }
    }

    /// Deletes all partial files and prevents new ones. For a process that is about to end. Callable on any thread.
    package static func abandonAll() {
        partialFiles.withLock { partialFiles in
            partialFiles.isOver = true
            for path in partialFiles.descriptors.keys { path.withCString { _ = unlink($0) } }
            partialFiles.descriptors = [:]
        }
    }

    /// Deletes the partial files of the target `path` that a killed process has left. Files that a process is writing
    /// stay, and so do all files on a file system without locks.
    package static func removeAbandoned(_ path: FilePath) {
        let path = (try? WriteTarget(path.url))?.path ?? path
        let folder = path.folder
        guard let handle = folder.withCString({ opendir($0) }) else { return }
        defer { closedir(handle) }
        let begin = beginning(path)
        let end = Array(".part".utf8)
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name.starts(with: begin), name.suffix(end.count) == end[...] else { continue }
            // “.a.mp4.gif.1.part” is the partial file of “a.mp4.gif”, not of “a.mp4”.
            let number = name.dropFirst(begin.count).dropLast(end.count)
            guard !number.isEmpty, !number.contains(0x2E) else { continue }
            folder.appending(name).withCString(removeUnlocked)
        }
    }

    private static func removeUnlocked(_ path: UnsafePointer<CChar>) {
        // On a network file system, an exclusive lock needs a file that is open for writing.
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
        close(descriptor)
    }

    private static func exists(_ path: String) -> AVError {
        AVError(
            .fileAlreadyExists, at: path, reason: "the file already exists",
            suggestion: "Choose another name, or allow the file to be replaced", underlying: EEXIST)
    }

    /// Returns the error for a file that can't be created in `folder`.
    private static func error(_ code: Int32, in folder: FilePath, at target: String) -> AVError {
        guard code == ENOENT || code == ENOTDIR else { return error(code, at: target) }
        let (reason, suggestion): (String, String) =
            code == ENOTDIR
            ? ("“\(folder)” is not a folder", "Choose another folder")
            : folder.withCString { access($0, F_OK) } == 0
                ? ("the folder “\(folder)” does not allow new files", "Choose another folder")
                : ("the folder “\(folder)” does not exist", "Create the folder first, or check the spelling")
        return AVError(.writeFailed, at: target, reason: reason, suggestion: suggestion, underlying: code)
    }

    /// Returns the error for an error code that the system has returned for writing `path`.
    package static func error(_ code: Int32, at path: String) -> AVError {
        switch code {
        case ENOSPC, EDQUOT:
            AVError(
                .diskFull, at: path, reason: "the disk is full",
                suggestion: "Free some space, or write to another disk", underlying: code)
        case ENOENT, ENOTDIR:
            AVError(
                .writeFailed, at: path, reason: "the folder does not exist",
                suggestion: "Create the folder first, or check the spelling",
                underlying: code)
        case EACCES, EPERM, EROFS:
            AVError(
                .writeFailed, at: path, reason: "the current user has no permission to write the file",
                suggestion: "Check the permissions of the file and its folder, or write to another folder",
                underlying: code)
        case EFBIG:
            AVError(
                .writeFailed, at: path, reason: "the file exceeds the maximum file size",
                suggestion: "Write to another disk, or raise the limit (ulimit -f)", underlying: code)
        case ELOOP:
            AVError(
                .writeFailed, at: path, reason: "the path contains a loop of symbolic links",
                suggestion: "Choose a regular file",
                underlying: code)
        case ENAMETOOLONG:
            AVError(
                .writeFailed, at: path, reason: "the file name is too long",
                suggestion: "Choose a shorter name", underlying: code)
        case ECANCELED:
            AVError(.cancelled, at: path, reason: "the file was not written because the process is ending")
        default:
            AVError(
                .writeFailed, at: path, reason: String(cString: strerror(code)), suggestion: "Write to another folder",
                underlying: code)
        }
    }
}
