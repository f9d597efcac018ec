import Foundation
import Glibc
import Synchronization
@_spi(Graph) import ViewGraph

/// Copies of files that the user has picked. An app may move or remove them as it likes.
enum PickedFile {
    /// Copies a file or a folder, under its name, into a new temporary folder. Blocks while it copies.
    ///
    /// The folder is in `$TMPDIR`, by default in `/var/tmp`, which is on a disk even if `/tmp` is in memory. Only the
    /// user can read it. It is removed when the program ends.
    /// - Parameter url: The URL of the original. A URL that is not a file URL is returned unchanged.
    /// - Throws: The error of copying, such as `CocoaError.fileWriteOutOfSpace`.
    static func copy(_ url: URL) throws -> URL {
        guard url.isFileURL else { return url }
        let copy = try newFolder().appendingPathComponent(url.lastPathComponent)
        do {
            try FileManager.default.copyItem(at: url.resolvingSymlinksInPath(), to: copy)
        } catch {
            remove(copy)
            throw error
        }
        return copy
    }
    /// Writes bytes to a file in a new temporary folder like those of `copy(_:)`.
    static func write(_ data: Data, name: String) throws -> URL {
        let file = try newFolder().appendingPathComponent(name)
        do {
            try data.write(to: file)
        } catch {
            remove(file)
            throw error
        }
        return file
    }
    /// Copies a file, or logs an error and returns nil.
    static func copyOrLog(_ url: URL) -> URL? {
        do {
            return try copy(url)
        } catch {
            ViewGraph.logger.error("\(url.path) can't be copied: \(error.localizedDescription)")
            return nil
        }
    }
    /// Removes a copy with its folder. Has no effect on other files.
    static func remove(_ copy: URL) {
        let folder = copy.deletingLastPathComponent().path
        let isOwn = folders.withLock { folders in
            let count = folders.count
            folders.removeAll { $0 == folder }
            return folders.count < count
        }
        if isOwn { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// Puts files at a place that the user has chosen, and returns their URLs there. Blocks while it copies.
    /// - Parameters:
    ///   - files: The files.
    ///   - place: The new URL of a single file, which replaces any file there. If `isFolder` is true, the folder for
    ///     the files. No file in it is replaced: a new file gets a number if its name is taken.
    ///   - isFolder: Whether `place` is a folder.
    ///   - asCopy: Whether the files are copied. Otherwise they are moved.
    /// - Throws: The error of the first file that can't be copied or moved. The files before it are then removed from
    ///   the folder, or moved back.
    static func export(_ files: [URL], to place: URL, isFolder: Bool, asCopy: Bool) throws -> [URL] {
        var targets: [URL] = []
        do {
            for file in files {
                let target = isFolder ? freeName(for: file, in: place) : place
                try put(file, at: target, asCopy: asCopy)
                targets.append(target)
            }
        } catch {
            // The app is notified that no file was exported, and would look for a moved file at its old URL.
            for (file, target) in zip(files, targets) {
                if asCopy {
                    try? FileManager.default.removeItem(at: target)
                } else {
                    try? FileManager.default.moveItem(at: target, to: file)
                }
            }
            throw error
        }
        return targets
    }
    private static func put(_ file: URL, at target: URL, asCopy: Bool) throws {
        guard target.standardizedFileURL != file.standardizedFileURL else { return }
        let manager = FileManager.default
        // The old file is replaced only after everything has been written.
        let part = target.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).part")
        do {
            if asCopy {
                try manager.copyItem(at: file, to: part)
            } else {
                try manager.moveItem(at: file, to: part)
            }
            guard rename(part.path, target.path) == 0 else {
                let code = errno
                if !asCopy { try? manager.moveItem(at: part, to: file) }
                throw CocoaError(
                    .fileWriteUnknown,
                    userInfo: [
                        NSFilePathErrorKey: target.path, NSLocalizedDescriptionKey: String(cString: strerror(code)),
                    ])
            }
        } catch {
            // A file that was moved before the error may be only here.
            if asCopy || manager.fileExists(atPath: file.path) { try? manager.removeItem(at: part) }
            throw error
        }
    }
    private static func freeName(for file: URL, in folder: URL) -> URL {
        let name = file.deletingPathExtension().lastPathComponent, ending = file.pathExtension
        var number = 1
        while true {
            let numbered = number == 1 ? name : "\(name) \(number)"
            let target = folder.appendingPathComponent(ending.isEmpty ? numbered : "\(numbered).\(ending)")
            if !FileManager.default.fileExists(atPath: target.path) { return target }
            number += 1
        }
    }

    private static func newFolder() throws -> URL {
        let manager = FileManager.default
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp"
        let parent = manager.isWritableFile(atPath: base) ? base : NSTemporaryDirectory()
        let folder = URL(fileURLWithPath: parent, isDirectory: true).appendingPathComponent(
            "zoetrope-picked-\(UUID().uuidString)", isDirectory: true)
        try manager.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        _ = removesAtExit
        folders.withLock { $0.append(folder.path) }
        return folder
    }
    /// Evaluated once, on first access.
    private static let removesAtExit: Bool = {
        atexit {
            PickedFile.folders.withLock { folders in
                for folder in folders { try? FileManager.default.removeItem(atPath: folder) }
                folders = []
            }
        } == 0
    }()
    private static let folders = Mutex([String]())
}
