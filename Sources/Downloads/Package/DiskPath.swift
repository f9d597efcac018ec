import Foundation
import Glibc

/// A library's folder, with a file descriptor that stays open while the library is in use.
///
/// The path to the folder may contain symbolic links (`~/.local/share` often is one). Everything below the folder is
/// opened relative to the descriptor and never through a link.
final class DiskRoot: Sendable {
    /// The path that the user gave, for messages and players.
    let path: String
    fileprivate let descriptor: Int32

    /// Opens a folder. If the folder does not exist and `creates` is true, creates it with access for its owner only.
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
        let parent = (path as NSString).deletingLastPathComponent
        guard errno == ENOENT, parent.count < path.count, !parent.isEmpty else {
            throw DownloadError.system(errno, at: path, "the folder can't be created")
        }
        try make(parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw DownloadError.system(errno, at: path, "the folder can't be created")
        }
        sync(parent)
    }

    private static func sync(_ path: String) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// The path of the folder itself.
    var diskPath: DiskPath { DiskPath(root: self, names: []) }
    func appending(_ name: String) -> DiskPath { DiskPath(root: self, names: [name]) }
}

/// The path of a file or folder below a library's folder. All parts of Downloads use it for files on the disk.
///
/// Each access starts at the library's descriptor and calls `openat` with `O_NOFOLLOW` for each name. A symbolic link
/// in the path is therefore refused, even if it is created during the access. Names from a manipulated database (`..`,
/// or with a slash) are refused too.
struct DiskPath: Sendable {
    let root: DiskRoot
    /// The names below the root. The last one is the name of the file or folder itself.
    private(set) var names: [String]

    fileprivate init(root: DiskRoot, names: [String]) {
        self.root = root
        self.names = names
    }

    /// The full path, for messages and players.
    var path: String { ([root.path] + names).joined(separator: "/") }
    var name: String { names.last ?? "" }

    func appending(_ name: String) -> DiskPath { DiskPath(root: root, names: names + [name]) }
    /// The path of the parent folder.
    var folder: DiskPath { DiskPath(root: root, names: Array(names.dropLast())) }
    /// The temporary path of a file that is not complete and checked yet.
    var part: DiskPath { folder.appending(name + PackageNames.part) }

    // MARK: access to files

    /// Calls `body` with a descriptor of the parent folder, and the name of the entry in it.
    ///
    /// - Throws: `.disk` if the parent folder does not exist.
    func inFolder<T>(_ body: (_ folder: Int32, _ name: String) throws(DownloadError) -> T) throws(DownloadError) -> T {
        if let result = try inFolderIfThere(body) { return result }
        throw DownloadError.system(ENOENT, at: path, "the folder can't be opened")
    }

    /// Calls `body` as `inFolder` does. Returns nil if the parent folder or one above it does not exist.
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

    /// Returns the error for a failed call: a specific error for a symbolic link, otherwise the system's message.
    func failure(_ code: Int32, in folder: Int32, _ operation: String) -> DownloadError {
        // For a symbolic link the code is ENOTDIR with O_DIRECTORY, and ELOOP with O_NOFOLLOW alone.
        if code == ELOOP || code == ENOTDIR, DiskPath.kind(name, in: folder) == S_IFLNK {
            return DownloadError(
                .damaged, at: path, reason: "the path is a symbolic link, which is not followed inside a library",
                suggestion: "Remove the link; its target was not changed")
        }
        return DownloadError.system(code, at: path, operation)
    }

    private static func kind(_ name: String, in folder: Int32) -> mode_t? {
        var info = stat()
        return fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 ? info.st_mode & S_IFMT : nil
    }

    /// Returns the status of the entry, without following a symbolic link, or nil if there is none.
    ///
    /// - Throws: `.damaged` if the path passes a symbolic link.
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
