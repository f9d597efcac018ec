import Foundation
import MediaCore

/// Where writing to a name ends up. A link is written through, as `cp` and `ffmpeg` do: it stays, its target is what
/// becomes new.
struct WriteTarget: Sendable {
    enum Kind: Sendable, Equatable {
        /// Nothing is there yet.
        case new
        /// A regular file, with its permissions and owners.
        case file(mode: mode_t, user: uid_t, group: gid_t)
        /// A pipe or a character device: bytes go straight into it.
        case stream
    }

    /// What errors name.
    let named: String
    /// Of a file: behind all links.
    let path: FilePath
    let kind: Kind

    /// Links followed at most, as the kernel's own limit.
    private static let mostLinks = 40

    /// - Throws: `.invalidArgument` for what is no file's name, `.writeFailed` for a directory, a socket, a disk, links
    ///   in a circle.
    init(_ url: URL) throws(AVError) {
        guard url.isFileURL, var path = FilePath(url), path.bytes != [0x2F] else {
            throw AVError(
                .invalidArgument, at: url.absoluteString, reason: "the URL is not a valid file URL to write to")
        }
        named = path.description
        var info = stat()
        if path.withCString({ stat($0, &info) }) == 0 {
            switch info.st_mode & S_IFMT {
            case S_IFREG: kind = .file(mode: info.st_mode & 0o7777, user: info.st_uid, group: info.st_gid)
            case S_IFIFO, S_IFCHR:
                // Opened by the name that was given: /dev/stdout leads to what has no other.
                kind = .stream
                self.path = path
                return
            case S_IFDIR:
                throw AVError(
                    .writeFailed, at: named, reason: "the path is a folder", suggestion: "Choose another name")
            default:
                throw AVError(
                    .writeFailed, at: named, reason: "the path is not a regular file",
                    suggestion: "Choose a regular file")
            }
        } else {
            guard errno == ENOENT || errno == ENOTDIR else { throw PartialFile.error(errno, at: named) }
            kind = .new
        }
        for _ in 0..<WriteTarget.mostLinks {
            guard let next = WriteTarget.link(path) else {
                self.path = path
                return
            }
            path = next
        }
        throw PartialFile.error(ELOOP, at: named)
    }

    /// Where a link leads; nil for what is none.
    private static func link(_ path: FilePath) -> FilePath? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = path.withCString { readlink($0, &buffer, buffer.count) }
        guard count > 0, count < buffer.count else { return nil }
        let target = buffer[..<count].map { UInt8(bitPattern: $0) }
        return target.first == 0x2F ? FilePath(bytes: target) : path.folder.appending(target)
    }
}
