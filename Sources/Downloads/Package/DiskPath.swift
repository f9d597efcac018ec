import Foundation
import Glibc
import MediaCore

/// A library's folder, held open for as long as somebody uses it.
///
/// The user may reach the folder through symbolic links (`~/.local/share` often is one). Everything below it is opened
/// relative to this descriptor and never through a link.
final class DiskRoot: Sendable {
    /// As the user gave it, for messages and for players.
    let path: String
    fileprivate let descriptor: Int32

    /// Opens the folder. One that does not exist is made, for its owner alone, unless `creates` is false.
    ///
    /// - Throws: `.disk`, `.diskFull`.
    init(_ path: String, creates: Bool = true) throws(DownloadError) {
        self.path = path
        if creates { try DiskRoot.make(path) }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOTDIR {
                throw DownloadError(
                    .disk, at: path, reason: "the path is not a folder", suggestion: "Choose another folder")
            }
            throw DownloadError.system(errno, at: path, "the folder can't be opened")
        }
    }

    deinit { close(descriptor) }

    private static func make(_ path: String) throws(DownloadError) {
        guard mkdir(path, 0o700) != 0 else { return sync((path as NSString).deletingLastPathComponent) }
        if errno == EEXIST { return }
        let above = (path as NSString).deletingLastPathComponent
        guard errno == ENOENT, above.count < path.count, !above.isEmpty else {
            throw DownloadError.system(errno, at: path, "the folder can't be created")
        }
        try make(above)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw DownloadError.system(errno, at: path, "the folder can't be created")
        }
        sync(above)
    }

    private static func sync(_ path: String) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// The folder itself.
    var place: DiskPath { DiskPath(root: self, names: []) }
    func appending(_ name: String) -> DiskPath { DiskPath(root: self, names: [name]) }
}

/// A file or folder below a library's folder: how every part of Downloads names what is on the disk. A value.
///
/// Each access walks from the library's descriptor, one `openat` with `O_NOFOLLOW` for each name. A symbolic link on the
/// way is refused by name, also one that is put in place in the middle of an access. Names of a record that was tampered
/// with (`..`, or with a slash) are refused, too.
struct DiskPath: Sendable {
    let root: DiskRoot
    /// Below the root; the last one is the file's or folder's own.
    private(set) var names: [String]

    fileprivate init(root: DiskRoot, names: [String]) {
        self.root = root
        self.names = names
    }

    /// For messages and for players.
    var path: String { ([root.path] + names).joined(separator: "/") }
    var name: String { names.last ?? "" }

    func appending(_ name: String) -> DiskPath { DiskPath(root: root, names: names + [name]) }
    /// The folder that it is in.
    var folder: DiskPath { DiskPath(root: root, names: Array(names.dropLast())) }
    /// Where its bytes are until they are whole and checked.
    var part: DiskPath { renamed(name + PackageNames.part) }
    /// The reverse of `part`.
    var whole: DiskPath {
        name.hasSuffix(PackageNames.part) ? renamed(String(name.dropLast(PackageNames.part.utf8.count))) : self
    }
    private func renamed(_ name: String) -> DiskPath { folder.appending(name) }

    // MARK: access

    /// Calls `body` with a descriptor of the folder that it is in, and its name there.
    func inFolder<T>(_ body: (_ folder: Int32, _ name: String) throws(DownloadError) -> T) throws(DownloadError) -> T {
        if let result = try inFolderIfThere(body) { return result }
        throw DownloadError.system(ENOENT, at: path, "the folder can't be opened")
    }

    /// As `inFolder`; nil where that folder, or one above it, does not exist.
    func inFolderIfThere<T>(_ body: (_ folder: Int32, _ name: String) throws(DownloadError) -> T)
        throws(DownloadError) -> T?
    {
        if let bad = names.first(where: { $0.isEmpty || $0 == "." || $0 == ".." || $0.utf8.contains(0x2F) }) {
            throw DownloadError(
                .damaged, at: root.path,
                reason: "the download database names the file “\(bad)”, which is not allowed in a library",
                suggestion: "Remove the download and add it again")
        }
        var current = root.descriptor
        defer { if current != root.descriptor { close(current) } }
        for (depth, name) in names.dropLast().enumerated() {
            let next = openat(current, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard next >= 0 else {
                if errno == ENOENT { return nil }
                throw DiskPath(root: root, names: Array(names.prefix(depth + 1)))
                    .failure(errno, in: current, "the folder can't be opened")
            }
            if current != root.descriptor { close(current) }
            current = next
        }
        return try body(current, name)
    }

    /// The error for a call that failed: a link is named, anything else is reported as by the system.
    func failure(_ code: Int32, in folder: Int32, _ what: String) -> DownloadError {
        // With O_DIRECTORY a link is ENOTDIR, with O_NOFOLLOW alone ELOOP.
        if code == ELOOP || code == ENOTDIR, DiskPath.kind(name, in: folder) == S_IFLNK {
            return DownloadError(
                .damaged, at: path, reason: "the path is a symbolic link, which is not followed inside a library",
                suggestion: "Remove the link; its target was not changed")
        }
        return DownloadError.system(code, at: path, what)
    }

    private static func kind(_ name: String, in folder: Int32) -> mode_t? {
        var info = stat()
        return fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 ? info.st_mode & S_IFMT : nil
    }

    /// What is there under that name, links not followed; nil: nothing is.
    ///
    /// - Throws: `.damaged` for a link on the way.
    func status() throws(DownloadError) -> stat? {
        let found = try inFolderIfThere { folder, name throws(DownloadError) -> stat? in
            var info = stat()
            if fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 { return info }
            guard errno == ENOENT else { throw failure(errno, in: folder, "reading failed") }
            return nil
        }
        return found ?? nil
    }
}
