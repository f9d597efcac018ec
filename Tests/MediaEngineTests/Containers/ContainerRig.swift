import EngineTestSupport
import CFFmpeg
import Foundation
import MediaCore
import TestSupport

@testable import MediaEngine

/// Transport streams with timestamp errors, made from `counter.ts`, and the results of reading them.
enum ContainerRig {
    /// Returns a part of `counter.ts` of about `seconds` seconds, as a transport stream whose timestamps begin at
    /// `start` seconds.
    static func part(_ seconds: Double, at start: Double) throws -> Data {
        let name = "part-\(seconds)-\(start).ts"
        let url = try AssetTestMedia.make(
            name,
            "-t \(seconds) -i \(TestMedia.url("counter.ts").path) -c copy -muxdelay 0 -muxpreload 0 -output_ts_offset \(start) -f mpegts"
        )
        return try Data(contentsOf: url)
    }

    static let packet = 188

    /// Returns the offset of the payload of the `number`th packet of `track` that has timestamps, or nil.
    static func header(_ number: Int, of track: Int, in stream: Data) -> Int? {
        var met = 0
        for at in stride(from: 0, to: stream.count - packet + 1, by: packet) {
            let first = stream.startIndex + at
            guard stream[first] == 0x47, stream[first + 1] & 0x40 != 0,
                Int(stream[first + 1] & 0x1F) << 8 | Int(stream[first + 2]) == track
            else { continue }
            let payload = first + 4 + (stream[first + 3] & 0x20 != 0 ? 1 + Int(stream[first + 4]) : 0)
            guard stream[payload + 2] == 1, stream[payload + 7] & 0x80 != 0 else { continue }
            if met == number { return payload }
            met += 1
        }
        return nil
    }

    /// Inverts bit `bit` (0…32) of a packet's presentation timestamp, or of its decode timestamp if `decoding` is true.
    /// - Returns: False if the packet does not exist or has no decode timestamp.
    static func flip(_ bit: Int, ofPacket number: Int, track: Int, decoding: Bool = false, in stream: inout Data)
        -> Bool
    {
        guard let payload = header(number, of: track, in: stream) else { return false }
        if decoding, stream[payload + 7] & 0x40 == 0 { return false }
        let field = payload + (decoding ? 14 : 9)
        switch bit {
        case 30...32: stream[field] ^= 1 << UInt8(bit - 30 + 1)
        case 22...29: stream[field + 1] ^= 1 << UInt8(bit - 22)
        case 15...21: stream[field + 2] ^= 1 << UInt8(bit - 15 + 1)
        case 7...14: stream[field + 3] ^= 1 << UInt8(bit - 7)
        default: stream[field + 4] ^= 1 << UInt8(bit + 1)
        }
        return true
    }

    struct Reading {
        var numbers: [Int] = []
        /// The media time of each frame, in seconds.
        var times: [Double] = []
        /// The end of the audio, in seconds, if its samples are joined and gaps of more than 60 ms in the timestamps
        /// are filled.
        var soundEnd = 0.0
        /// The end of the audio, in seconds, by the last timestamp alone. Players do not fill gaps of up to 60 ms,
        /// which may be rounding by the container.
        var stampedEnd = 0.0
        /// The sum of the filled gaps and the longest one, in seconds.
        var holes = 0.0
        var longestHole = 0.0
        var duration: Double?
        /// The shortest and the longest time between two successive frames, in seconds.
        var steps: ClosedRange<Double> {
            let all = zip(times, times.dropFirst()).map { $1 - $0 }
            return (all.min() ?? 0)...(all.max() ?? 0)
        }
    }

    /// Decodes everything from `start` on.
    static func read(_ url: URL, from start: Double = 0, allowsTruncated: Bool = true) throws -> Reading {
        let reader = try OfflineReader(url: url, interrupt: InterruptToken())
        reader.allowsTruncated = allowsTruncated
        let rate = 48_000.0
        try reader.decodeSound(as: AudioFormat(sampleRate: Int(rate), channelMask: AudioFormat.stereo))
        if start > 0 { try reader.seek(to: MediaTime(seconds: start)) }
        var result = Reading()
        var isFirst = true
        result.duration = reader.duration?.seconds
        while true {
            switch try reader.read() {
            case .picture(let frame):
                result.numbers.append(Rig.number(frame))
                result.times.append(frame.presentationTime.seconds)
            case .sound(let samples, let at):
                if let at {
                    let hole = at.seconds - result.soundEnd
                    if isFirst {
                        result.soundEnd = at.seconds
                    } else if hole > 0.06 {
                        result.holes += hole
                        result.longestHole = max(result.longestHole, hole)
                        result.soundEnd = at.seconds
                    }
                    isFirst = false
                }
                result.soundEnd += Double(samples.count / 2) / rate
                result.stampedEnd = (at?.seconds ?? result.stampedEnd) + Double(samples.count / 2) / rate
            case .soundPacket: break
            case .end: return result
            }
        }
    }
}
