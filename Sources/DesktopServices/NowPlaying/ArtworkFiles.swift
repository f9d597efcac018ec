import Foundation
import Synchronization

/// The image files for `mpris:artUrl`, which other programs read. They are deleted when the process ends.
package actor ArtworkFiles {
    package static let shared = ArtworkFiles()
    /// The maximum size of an image, in bytes.
    private static let maximumBytes = 16 << 20
    private static let maximumCount = 32
    private var files: [(data: Int, url: URL)] = []
    private let parents: [URL]
    private lazy var folder: URL? = {
        for parent in parents {
            // Other users can write to `/tmp`, so a folder with a known name might be theirs. `mkdtemp` never uses a
            // folder that exists, and only the owner can open the new one.
            var template = Array((parent.path + "/zoetrope-artwork-XXXXXX").utf8CString)
            let path = template.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
            }
            guard let path else { continue }
            ArtworkFiles.removeAtExit(path)
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        return nil
    }()

    /// Creates a store of files in a new folder.
    /// - Parameter parents: The folders in which to create it, in order of preference; nil for the user's runtime
    ///   folder and the folder for temporary files.
    init(in parents: [URL]? = nil) {
        let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].map { URL(fileURLWithPath: $0) }
        self.parents = parents ?? [runtime, FileManager.default.temporaryDirectory].compactMap { $0 }
    }

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

    private static func removeAtExit(_ folder: String) {
        ArtworkFiles.foldersToRemove.withLock { $0.append(folder) }
        atexit {
            ArtworkFiles.foldersToRemove.withLock { folders in
                for folder in folders { try? FileManager.default.removeItem(atPath: folder) }
            }
        }
    }
    private static let foldersToRemove = Mutex([String]())
}
