import Foundation
import MediaCore

/// The file that is written for a path. Symbolic links are followed, as in `cp` and `ffmpeg`: a link stays, and the
/// file that it points to is replaced.
package struct WriteTarget: Sendable {
    enum Kind: Sendable, Equatable {
        /// No file exists at the path.
        case new
        /// A regular file with its permissions and owners.
        case file(mode: mode_t, user: uid_t, group: gid_t)
        /// A pipe or a character device, which receives bytes directly.
        case stream
    }

    /// The name of the file in errors.
    let displayName: String
    /// The path after all links have been followed. For a stream, the path as given.
    let path: FilePath
    let kind: Kind

    /// The maximum number of links to follow, the same as the kernel's.
    package static let maximumLinkCount = 40

    /// Finds the target of `url`.
    /// - Throws: `.invalidArgument` if `url` is not a valid file URL. `.writeFailed` for a folder, a socket, a block
    ///   device or a loop of links.
    init(_ url: URL) throws(AVError) {
        guard url.isFileURL, var path = FilePath(url), path.bytes != [0x2F] else {
            throw AVError(
                .invalidArgument, at: url.absoluteString, reason: "the URL is not a valid file URL to write to")
        }
        displayName = path.description
        var info = stat()
        if path.withCString({ stat($0, &info) }) == 0 {
            switch info.st_mode & S_IFMT {
            case S_IFREG: kind = .file(mode: info.st_mode & 0o7777, user: info.st_uid, group: info.st_gid)
            case S_IFIFO, S_IFCHR:
                // Open the path as given: /dev/stdout can link to a pipe that has no other path.
                kind = .stream
                self.path = path
                return
            case S_IFDIR:
                throw AVError(
                    .writeFailed, at: displayName, reason: "the path is a folder", suggestion: "Choose another name")
            default:
                throw AVError(
                    .writeFailed, at: displayName, reason: "the path is not a regular file",
                    suggestion: "Choose a regular file")
            }
        } else {
            guard errno == ENOENT || errno == ENOTDIR else { throw PartialFile.error(errno, at: displayName) }
            kind = .new
        }
        for _ in 0..<WriteTarget.maximumLinkCount {
            guard let next = WriteTarget.link(path) else {
                self.path = path
                return
            }
            path = next
        }
        throw PartialFile.error(ELOOP, at: displayName)
    }

    /// Returns the target of a link, or nil if `path` is not a link.
    package static func link(_ path: FilePath) -> FilePath? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = path.withCString { readlink($0, &buffer, buffer.count) }
        guard count > 0, count < buffer.count else { return nil }
        let target = buffer[..<count].map { UInt8(bitPattern: $0) }
        return target.first == 0x2F ? FilePath(bytes: target) : path.folder.appending(target)
    }
}
