import CFFmpeg
import Foundation
import MediaCore

/// A fast search for timestamp jumps in a local transport stream, which reads only packet headers (several hundred MB
/// per second).
///
/// The search only finds out whether there are jumps. `TimestampCorrector` determines them.
enum TransportScan {
    /// The maximum size of a file that is searched, in bytes. The jumps of larger files are found during playback.
    static let limit = 64 << 20

    /// Returns whether the timestamps of the tracks jump.
    ///
    /// - Parameter tracks: The packet identifiers of the audio and video tracks.
    static func hasJumps(in path: FilePath, tracks: Set<Int>) -> Bool {
        guard !tracks.isEmpty, let file = path.withCString({ fopen($0, "rb") }) else { return false }
        defer { fclose(file) }
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        var kept = 0
        var size = 0
        var total = 0
        var newest: [Int: Int64] = [:]
        while total < limit {
            let got = chunk.withUnsafeMutableBytes { p in
                p.baseAddress.map { fread($0 + kept, 1, p.count - kept, file) } ?? 0
            }
            guard got > 0 else { return false }
            total += got
            let end = kept + got
            let (found, rest): (Bool, Int) = chunk.withUnsafeBytes { bytes in
                var at = 0
                if size == 0 {
                    guard let found = packetSize(bytes, end) else { return (false, -1) }
                    (size, at) = found
                }
                while at + size <= end {
                    guard bytes[at] == 0x47 else {
                        at += 1
                        continue
                    }
                    if isDiscontinuous(UnsafeRawBufferPointer(rebasing: bytes[at..<at + 188]), tracks, &newest) {
                        return (true, at)
                    }
                    at += size
                }
                return (false, at)
            }
            if found { return true }
            guard rest >= 0 else { return false }
            kept = end - rest
            chunk.withUnsafeMutableBytes { p in
                if let base = p.baseAddress, kept > 0 { memmove(base, base + rest, kept) }
            }
        }
        return false
    }

    /// Returns the packet size and the start of the first packet. The size is 188 bytes, 192 with a preceding time code
    /// or 204 with a trailing checksum.
    private static func packetSize(_ bytes: UnsafeRawBufferPointer, _ count: Int) -> (Int, Int)? {
        for at in 0..<min(count, 4096) {
            for size in [188, 192, 204] where at + 5 * size < count {
                if (0...4).allSatisfy({ bytes[at + $0 * size] == 0x47 }) { return (size, at) }
            }
        }
        return nil
    }

    /// Returns whether the packet has a timestamp that does not continue its track (ISO/IEC 13818-1 §2.4.3).
    private static func isDiscontinuous(_ p: UnsafeRawBufferPointer, _ tracks: Set<Int>, _ newest: inout [Int: Int64])
        -> Bool
    {
        guard p[1] & 0x40 != 0, p[3] & 0x10 != 0 else { return false }
        let track = Int(p[1] & 0x1F) << 8 | Int(p[2])
        guard tracks.contains(track) else { return false }
        var at = 4
        if p[3] & 0x20 != 0 { at += 1 + Int(p[4]) }
        guard at + 19 <= 188, p[at] == 0, p[at + 1] == 0, p[at + 2] == 1, p[at + 7] & 0x80 != 0 else { return false }
        func timestamp(_ at: Int) -> Int64 {
            Int64(p[at] >> 1 & 7) << 30 | Int64(p[at + 1]) << 22 | Int64(p[at + 2] >> 1) << 15 | Int64(p[at + 3]) << 7
                | Int64(p[at + 4] >> 1)
        }
        let pts = timestamp(at + 9)
        let dts = p[at + 7] & 0x40 != 0 ? timestamp(at + 14) : pts
        let half: Int64 = 1 << 32
        let whole: Int64 = 1 << 33
        defer { newest[track] = dts }
        if ((pts - dts + half + whole) % whole - half).magnitude > 10 * 90_000 { return true }
        guard let last = newest[track] else { return false }
        let step = (dts - last + half + whole) % whole - half
        return step < -90_000 || step > 5 * 90_000
    }
}
