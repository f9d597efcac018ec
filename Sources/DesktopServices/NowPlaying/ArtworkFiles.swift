import Foundation
import Synchronization

/// The image files for `mpris:artUrl`, which other programs read. They are deleted when the process ends.
package actor ArtworkFiles {
    package static let shared = ArtworkFiles()
    /// The maximum size of an image, in bytes.
    private static let maximumBytes = 16 << 20
    private static let maximumCount = 32
    private var files: [(data: Int, url: URL)] = []
    private lazy var folder: URL? = {
        let base =
            ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory
        let folder = base.appendingPathComponent("zoetrope-artwork-\(ProcessInfo.processInfo.processIdentifier)")
        guard
            (try? FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])) != nil
        else { return nil }
        ArtworkFiles.removeAtExit(folder)
        return folder
    }()

    /// Returns a file with the image. Nil if the data is not JPEG, PNG, WebP or GIF, or is too large, or cannot be
    /// written.
    package func file(for data: Data) -> URL? {
        guard let ending = ArtworkFiles.ending(data), data.count <= ArtworkFiles.maximumBytes, let folder else {
            return nil
        }
        let key = data.hashValue
        if let known = files.first(where: { $0.data == key && (try? Data(contentsOf: $0.url)) == data }) {
            return known.url
        }
        let url = folder.appendingPathComponent("\(UUID().uuidString).\(ending)")
        guard (try? data.write(to: url)) != nil else { return nil }
        files.append((key, url))
        // Delete the oldest file; listeners have read it by now.
        if files.count > ArtworkFiles.maximumCount { try? FileManager.default.removeItem(at: files.removeFirst().url) }
        return url
    }

    private static func ending(_ data: Data) -> String? {
        let head = Array(data.prefix(12))
        if head.starts(with: [0xff, 0xd8, 0xff]) { return "jpg" }
        if head.starts(with: [0x89, 0x50, 0x4e, 0x47]) { return "png" }
        if head.starts(with: Array("GIF8".utf8)) { return "gif" }
        if head.count == 12, head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).elementsEqual(Array("WEBP".utf8))
        {
            return "webp"
        }
        return nil
    }

    private static func removeAtExit(_ folder: URL) {
        ArtworkFiles.folderToRemove.withLock { $0 = folder.path }
        atexit {
            ArtworkFiles.folderToRemove.withLock { path in
                if !path.isEmpty { try? FileManager.default.removeItem(atPath: path) }
            }
        }
    }
    private static let folderToRemove = Mutex("")
}
