import Foundation
import MediaCore

/// A file in the making: hidden, beside what it will be, which it becomes in one step or not at all.
///
/// Confined to one thread at a time.
struct PartialFile: Sendable {
    let target: String
    /// Where it is written meanwhile.
    let path: String
    private let replaces: Bool

    /// Makes it, empty.
    /// - Throws: `.fileAlreadyExists` unless it `replaces`, `.writeFailed`, `.diskFull`.
    init(beside target: URL, replaces: Bool) throws(AVError) {
        self.target = target.path
        self.replaces = replaces
        guard target.isFileURL, !target.lastPathComponent.isEmpty, target.lastPathComponent != "/" else {
            throw AVError(.invalidArgument, at: target.absoluteString, reason: "is not the name of a file to write")
        }
        let folder = target.deletingLastPathComponent().path
        var info = stat()
        if stat(target.path, &info) == 0 {
            if info.st_mode & S_IFMT != S_IFREG {
                throw AVError(.writeFailed, at: target.path, reason: info.st_mode & S_IFMT == S_IFDIR ? "is a directory" : "is not a regular file",
                    suggestion: "Name a file")
            }
            if !replaces { throw PartialFile.exists(target.path) }
        }
        // Names are at most 255 bytes long.
        var name = target.lastPathComponent
        while name.utf8.count > 220 { name.removeLast() }
        var made: String?
        for _ in 0..<16 where made == nil {
            let suffix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
            let candidate = (folder as NSString).appendingPathComponent(".\(name).\(suffix).part")
            let descriptor = open(candidate, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 {
                close(descriptor)
                made = candidate
            } else if errno != EEXIST {
                throw PartialFile.error(errno, at: errno == ENOENT || errno == ENOTDIR ? folder : target.path)
            }
        }
        guard let made else { throw AVError(.writeFailed, at: target.path, reason: "no name is free beside it") }
        path = made
    }

    /// Gives it its name, over what has that name if it replaces.
    func commit() throws(AVError) {
        if !replaces {
            // A link, other than a rename, does not go over what somebody else has put there meanwhile.
            if link(path, target) == 0 {
                unlink(path)
                return
            }
            let code = errno
            if code == EEXIST { throw PartialFile.exists(target) }
            // Some file systems have no links.
            guard [EPERM, ENOTSUP, EMLINK, ENOSYS].contains(code) else { throw PartialFile.error(code, at: target) }
            if access(target, F_OK) == 0 { throw PartialFile.exists(target) }
        }
        guard rename(path, target) == 0 else { throw PartialFile.error(errno, at: target) }
    }

    func discard() { unlink(path) }

    private static func exists(_ path: String) -> AVError {
        AVError(.fileAlreadyExists, at: path, reason: "exists already", suggestion: "Choose another name, or allow it to be replaced", underlying: EEXIST)
    }

    /// The system's word on why `path` cannot be written.
    static func error(_ code: Int32, at path: String) -> AVError {
        switch code {
        case ENOSPC, EDQUOT:
            AVError(.diskFull, at: path, reason: "no space is left on its disk", suggestion: "Make room, or write it elsewhere", underlying: code)
        case ENOENT, ENOTDIR:
            AVError(.writeFailed, at: path, reason: "no such folder", suggestion: "Make it first, or check the spelling", underlying: code)
        case EACCES, EPERM, EROFS:
            AVError(.writeFailed, at: path, reason: "may not be written by this user", suggestion: "Check the folder's permissions, or write it elsewhere", underlying: code)
        case EFBIG:
            AVError(.writeFailed, at: path, reason: "grew larger than files may be there", suggestion: "Write it to another disk", underlying: code)
        default:
            AVError(.writeFailed, at: path, reason: String(cString: strerror(code)), underlying: code)
        }
    }
}
