import Foundation
import MediaCore
import Synchronization

/// The identity of an unchanged file, by which two paths are compared.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let modifiedSeconds: Int64
    let modifiedNanoseconds: Int64

    /// Reads the identity of the file at `url`. Returns `nil` if it is not a regular file of this machine, or does not
    /// exist.
    init?(url: URL) {
        guard let path = FilePath(url) else { return nil }
        var info = stat()
        guard path.withCString({ stat($0, &info) }) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(info.st_dev)
        inode = UInt64(info.st_ino)
        size = Int64(info.st_size)
        modifiedSeconds = Int64(info.st_mtim.tv_sec)
        modifiedNanoseconds = Int64(info.st_mtim.tv_nsec)
    }
}

/// The packets of one whole pass of a short video, kept so that later passes need not read the file.
///
/// All players of the file share the tape. It exists while one of them plays the file.
final class PacketTape: Sendable {
    struct Key: Hashable, Sendable {
        let file: FileIdentity
        let video: Int
        let audio: Int
    }
    struct Entry: Sendable {
        let packet: MediaPacket
        let isVideo: Bool
    }

    /// The maximum size of the packets of a tape, in bytes. A longer item is read again in each pass.
    static let limit = 16 << 20

    let entries: [Entry]
    private init(entries: [Entry]) { self.entries = entries }

    /// Returns the index of the last video keyframe at or before `target`, or of the last audio packet if there is no
    /// video.
    func startIndex(for target: MediaTime) -> Int {
        let hasVideo = entries.contains { $0.isVideo }
        var best = 0
        for (index, entry) in entries.enumerated() where entry.isVideo == hasVideo {
            guard entry.packet.isKey, let pts = entry.packet.pts, pts.hasBegun(by: target) else { continue }
            best = index
        }
        return best
    }

    struct Recorder {
        let key: Key
        private(set) var entries: [Entry] = []
        private(set) var bytes = 0
        init(key: Key) { self.key = key }
        var isOverfull: Bool { bytes > PacketTape.limit }
        mutating func append(_ packet: MediaPacket, isVideo: Bool) {
            entries.append(Entry(packet: packet, isVideo: isVideo))
            bytes += packet.byteCount
        }
    }

    private struct Weak { weak var tape: PacketTape? }
    private static let shelf = Mutex<[Key: Weak]>([:])

    static func find(_ key: Key) -> PacketTape? { shelf.withLock { $0[key]?.tape } }

    /// Makes the tape of a finished pass available to other players. It remains available while an object holds it, so
    /// the caller must keep it.
    static func publish(_ recorder: Recorder) -> PacketTape? {
        guard !recorder.entries.isEmpty else { return nil }
        let tape = PacketTape(entries: recorder.entries)
        shelf.withLock { shelf in
            shelf = shelf.filter { $0.value.tape != nil }
            shelf[recorder.key] = Weak(tape: tape)
        }
        return tape
    }
}
