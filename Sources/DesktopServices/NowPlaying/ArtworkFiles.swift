import Foundation
import Synchronization

/// Pictures as files, for desktops: `mpris:artUrl` is to be one that others can read. Kept while the process lives.
package actor ArtworkFiles {
    package static let shared = ArtworkFiles()
    /// What is no picture, or larger than this, is not shown, bytes.
    private static let largest = 16 << 20
    private static let most = 32
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

    /// nil: it is no JPEG, PNG, WebP or GIF, or there is no place for it.
    package func file(for data: Data) -> URL? {
        guard let ending = ArtworkFiles.ending(data), data.count <= ArtworkFiles.largest, let folder else { return nil }
        let key = data.hashValue
        if let known = files.first(where: { $0.data == key && (try? Data(contentsOf: $0.url)) == data }) {
            return known.url
        }
        let url = folder.appendingPathComponent("\(UUID().uuidString).\(ending)")
        guard (try? data.write(to: url)) != nil else { return nil }
        files.append((key, url))
        // Whoever was told of the oldest has read it long ago.
        if files.count > ArtworkFiles.most { try? FileManager.default.removeItem(at: files.removeFirst().url) }
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
        ArtworkFiles.left.withLock { $0 = folder.path }
        atexit {
            ArtworkFiles.left.withLock { path in if !path.isEmpty { try? FileManager.default.removeItem(atPath: path) }
            }
        }
    }
    private static let left = Mutex("")
}
