import Foundation
import Streaming
import TestSupport
import Testing

/// Any input gives an error, or a playlist that can be used and written again. The parser never crashes.
@Suite("Mutated playlists")
struct PlaylistFuzzTests {
    private static let samples = [
        PlaylistSamples.multivariant, PlaylistSamples.vod, PlaylistSamples.lowLatency,
        PlaylistSamples.live(100..<130, kind: "EVENT"),
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:266\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2,RECENTLY-REMOVED-DATERANGES=\"a\tb\"\n#EXTINF:4,\nfileSequence268.mp4\n",
    ].map { Array($0.utf8) }

    private static let pieces = [
        "9223372036854775807", "-1", "1e308", "nan", "99999999999999999999999", "\0", "\n", "\r\n", "\"", ",", "=",
        "{$", "{$cdn}", "@", ":", "#EXT",
        "#EXT-X-ENDLIST\n", "#EXT-X-KEY:METHOD=NONE\n", "#EXT-X-DISCONTINUITY\n", "#EXTINF:1,\n",
        "#EXT-X-BYTERANGE:1\n", "4611686018427387904", "0", "",
        "#EXT-X-SKIP:SKIPPED-SEGMENTS=4611686018427387904\n", "\u{FFFD}", " ", "\t",
    ].map { Array($0.utf8) }

    private func mutated(_ sample: [UInt8], times: ClosedRange<Int> = 1...6, _ random: inout SeededNumbers) -> [UInt8] {
        var bytes = sample
        for _ in 0..<Int.random(in: times, using: &random) where !bytes.isEmpty {
            let position = Int.random(in: 0..<bytes.count, using: &random)
            let length = min(Int.random(in: 0...40, using: &random), bytes.count - position)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(position..<(position + length))
            case 2: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: position)
            case 3:
                bytes.replaceSubrange(
                    position..<(position + min(length, 6)), with: Self.pieces.randomElement(using: &random) ?? [])
            case 4:
                bytes.insert(
                    contentsOf: bytes[position..<(position + length)],
                    at: Int.random(in: 0...bytes.count, using: &random))
            case 5:
                // Inserts a line, of this or another playlist, at another position.
                let other = Bool.random(using: &random) ? bytes : Self.samples.randomElement(using: &random) ?? []
                let lines = other.split(separator: 0x0A)
                let begins = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
                if let line = lines.randomElement(using: &random), let begin = begins.randomElement(using: &random) {
                    bytes.insert(contentsOf: line + [0x0A], at: begin)
                }
            default: bytes.removeSubrange(position...)
            }
        }
        return bytes
    }

    @Test("a mutated playlist is refused, or survives writing and reading", arguments: 0..<8)
    func parse(seed: Int) throws {
        let url = try PlaylistSamples.url()
        var random = SeededNumbers(seed: UInt64(seed))
        var read = 0
        for _ in 0..<1500 {
            let bytes = mutated(Self.samples[Int.random(in: 0..<Self.samples.count, using: &random)], &random)
            guard let playlist = try? Playlist.parse(bytes, url: url) else { continue }
            read += 1
            guard let again = try? Playlist.parse(Array(playlist.text.utf8), url: url), again == playlist else {
                Issue.record(
                    "seed \(seed): not the same when written:\n\(String(decoding: bytes, as: UTF8.self))\n---\n\(playlist.text)"
                )
                return
            }
            if case .media(let media) = playlist { use(media) }
        }
        #expect(read > 200, "most mutations should leave something to read: \(read)")
    }

    private func use(_ media: MediaPlaylist) {
        #expect(media.duration.isFinite && media.duration >= 0)
        for index in media.segments.indices {
            let segment = media.segments[index]
            #expect(media.index(ofMediaSequence: segment.mediaSequence) == index)
            #expect(segment.duration >= 0 && (segment.byteRange.map { $0.end >= $0.offset } ?? true))
        }
        _ = media.index(atTime: media.duration / 2)
        _ = media.date(ofSegmentAt: 0)
    }

    /// Returns a stream with all tags that can apply to several segments.
    private func live(_ range: Range<Int>) -> [UInt8] {
        Array(
            PlaylistSamples.live(
                range,
                head: [
                    "#EXT-X-DISCONTINUITY-SEQUENCE:\((range.lowerBound + 6) / 7)",
                    "#EXT-X-DEFINE:NAME=\"cdn\",VALUE=\"c\"",
                ]
            ) { number in
                let isFirst = number == range.lowerBound
                var text = number % 7 == 0 ? "#EXT-X-DISCONTINUITY\n" : ""
                if isFirst || number % 5 == 0 { text += "#EXT-X-KEY:METHOD=AES-128,URI=\"k\(number / 5)\"\n" }
                if isFirst {
                    text += "#EXT-X-MAP:URI=\"init\"\n#EXT-X-BITRATE:7\n#EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z\n"
                }
                if number % 4 == 0 {
                    text +=
                        "#EXT-X-DATERANGE:ID=\"r\(number)\",START-DATE=\"2024-01-01T00:00:00Z\"\n#EXT-X-CUE:\(number)\n"
                }
                if number % 3 == 0 {
                    text +=
                        "#EXT-X-PART:URI=\"p\",DURATION=1,BYTERANGE=\"10@\(number)\"\n#EXT-X-PART:URI=\"p\",DURATION=1,BYTERANGE=\"10\"\n"
                }
                return text + "#EXTINF:6,\n"
                    + (isFirst || number % 6 == 0 ? "#EXT-X-BYTERANGE:9@\(number % 6 * 9)\n" : "#EXT-X-BYTERANGE:9\n")
                    + "{$cdn}-\(number / 6).mp4"
            }.utf8)
    }

    @Test("reloading a mutated playlist equals parsing it alone", arguments: 0..<8)
    func reload(seed: Int) throws {
        let url = try PlaylistSamples.url()
        var random = SeededNumbers(seed: UInt64(seed) + 1000)
        var taken = 0
        for round in 0..<600 {
            let begin = Int.random(in: 30...60, using: &random)
            let next = begin + Int.random(in: 0...3, using: &random)
            let before = mutated(live(begin..<(begin + 20)), times: 0...2, &random)
            let after =
                round % 10 == 0 ? mutated(before, &random) : mutated(live(next..<(begin + 23)), times: 0...2, &random)
            guard case .media(var playlist)? = try? Playlist.parse(before, url: url) else { continue }
            let original = playlist
            let alone = try? MediaPlaylist.parse(after, url: url)
            guard let reload = try? playlist.reload(with: after) else {
                #expect(playlist == original)
                #expect(alone == nil || alone?.skipped != nil)
                continue
            }
            var result = playlist
            switch reload.verdict {
            case .deltaUnusable: continue
            case .isOlder(let other), .changed(_, let other):
                #expect(playlist == original)
                result = other
            case .unchanged, .advanced, .missed: break
            }
            guard let alone else {
                // Only a byte range that continues from a segment omitted by a delta update can be read in a reload,
                // but not alone.
                #expect(String(decoding: after, as: UTF8.self).contains("#EXT-X-SKIP"))
                continue
            }
            // Without a known playlist, such text has another meaning.
            guard String(decoding: after, as: UTF8.self).contains("#EXT-X-MEDIA-SEQUENCE:") else { continue }
            guard alone.skipped == nil, alone.discontinuitySequence == result.discontinuitySequence else { continue }
            if reload.segmentsParsed < result.segments.count { taken += 1 }
            if result != alone || abs(result.duration - alone.duration) > 1e-6 {
                Issue.record(
                    "seed \(seed):\n\(String(decoding: before, as: UTF8.self))\n---\n\(String(decoding: after, as: UTF8.self))"
                )
                return
            }
        }
        #expect(taken > 60, "reloads that took segments over: \(taken)")
    }

    @Test("random bytes after the header never crash the parser")
    func noise() throws {
        let url = try PlaylistSamples.url()
        var random = SeededNumbers(seed: 7)
        for _ in 0..<2000 {
            let noise = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = try? Playlist.parse(Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT".utf8) + noise, url: url)
        }
    }
}
