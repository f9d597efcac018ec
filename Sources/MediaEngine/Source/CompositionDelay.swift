import CFFmpeg
import MediaCore

/// The time by which libavformat delays the tracks of a fragmented MP4 file that has negative composition offsets.
///
/// A sample's presentation time is its decode time plus its composition offset, which may be negative (ISO/IEC 14496-12
/// §8.8.8, `trun` version 1). So that no presentation time precedes its decode time, libavformat adds the largest
/// magnitude that it has read to all presentation times of a track (`dts_shift` in mov.c). It corrects the decode times
/// in the tables of a movie by the same amount, but not those of fragments. Without `remove(from:of:)`, such a track is
/// some frames late, while a track or a variant without reordered frames is not. Seen with libavformat 5.1 and 7.1.
struct CompositionDelay {
    /// The delays by track, in ticks. Each step applies from its offset in the data on. Later steps have longer delays.
    private var steps: [(position: Int64, delays: [Int32: Int64])] = []
    /// The number of steps that are kept. An encoder's delay is constant, so that one or two occur.
    private static let limit = 64

    /// Reads the composition offsets of a fragment.
    ///
    /// - Parameters:
    ///   - fragment: The `moof` box, with its header.
    ///   - end: The offset of the end of the box in the data that libavformat reads.
    mutating func read(_ fragment: [UInt8], endingAt end: Int64) {
        var delays = steps.last?.delays ?? [:]
        let known = delays
        let word = MP4Boxes.wordReader(fragment)
        var track: Int32?
        func walk(_ range: Range<Int64>, depth: Int) {
            MP4Boxes.boxes(word, range) { type, content in
                switch type {
                case "moof" where depth == 0, "traf" where depth == 1: walk(content, depth: depth + 1)
                case "tfhd": track = word(content.lowerBound + 4).map { Int32(bitPattern: $0) }
                case "trun":
                    if let track, let least = CompositionDelay.leastOffset(word, content), least < 0 {
                        delays[track] = max(delays[track] ?? 0, -Int64(least))
                    }
                default: break
                }
                return true
            }
        }
        walk(0..<Int64(fragment.count), depth: 0)
        guard delays != known else { return }
        steps = steps.suffix(CompositionDelay.limit - 1) + [(end, delays)]
    }

    /// Subtracts the delay from the times of a packet that libavformat has just returned.
    func remove(from packet: UnsafeMutablePointer<AVPacket>, of stream: UnsafeMutablePointer<AVStream>?) {
        guard !steps.isEmpty, let stream else { return }
        let position = packet.pointee.pos
        let step = position < 0 ? steps.last : steps.last { $0.position <= position }
        guard let delay = step?.delays[stream.pointee.id], delay > 0 else { return }
        let none = zt_nopts()
        if packet.pointee.pts != none { packet.pointee.pts = packet.pointee.pts.addingSaturating(-delay) }
        // Decode times stay before presentation times.
        if packet.pointee.dts != none { packet.pointee.dts = packet.pointee.dts.addingSaturating(-delay) }
    }

    /// Whether no track is delayed.
    var isZero: Bool { steps.isEmpty }

    /// Returns the start time of a stream without its delay, in the stream's ticks; `nil` if the start is unknown.
    func startTime(of stream: UnsafeMutablePointer<AVStream>) -> Int64? {
        guard stream.pointee.start_time != zt_nopts() else { return nil }
        return stream.pointee.start_time.addingSaturating(-(steps.first?.delays[stream.pointee.id] ?? 0))
    }

    /// Returns the smallest composition offset in a `trun` box, in ticks; nil if it has none (ISO/IEC 14496-12 §8.8.8).
    ///
    /// - Parameter word: See `MP4Boxes.box`.
    private static func leastOffset(_ word: (Int64) -> UInt32?, _ run: Range<Int64>) -> Int32? {
        var at = run.lowerBound
        guard let flags = word(at), flags & 0x800 != 0, let count = word(at + 4) else { return nil }
        let fieldsBefore: Int64 = [0x100, 0x200, 0x400].reduce(0) { $0 + (flags & $1 != 0 ? 1 : 0) }
        at += 8 + (flags & 0x1 != 0 ? 4 : 0) + (flags & 0x4 != 0 ? 4 : 0) + 4 * fieldsBefore
        var least: Int32?
        for _ in 0..<count {
            // libavformat takes the offsets as signed in both versions of the box.
            guard at < run.upperBound, let offset = word(at).map({ Int32(bitPattern: $0) }) else { break }
            least = min(least ?? offset, offset)
            at += 4 * (fieldsBefore + 1)
        }
        return least
    }
}
