import Foundation
import Streaming

/// A measurement of the time to parse and reload playlists, for the sizes that README promises. It prints medians.
///
///     swift run -c release Benches Playlist [runs]
struct PlaylistBench {
    static let segmentCount = 10_000
    static let variantCount = 100

    static func main() throws {
        let runs = max(5, Benches.arguments.dropFirst().first.flatMap { Int($0) } ?? 21)
        guard let url = URL(string: "https://media.example/show/index.m3u8") else { return }
        let multivariant = Array(multivariantText().utf8)
        let texts: [(String, (Int) -> String)] = [
            ("plain", { number in "#EXTINF:6.006,\nsegment-\(number).ts" }),
            (
                "dates, ranges, keys",
                { number in
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"https://keys.example/\(number / 100)\",IV=0x\(String(format: "%032x", number))\n"
                        + "#EXT-X-PROGRAM-DATE-TIME:2024-01-01T\(String(format: "%02d:%02d:%02d", number / 600 % 24, number / 10 % 60, number % 10 * 6)).006Z\n"
                        + "#EXTINF:6.006,\n#EXT-X-BYTERANGE:\(100_000 + number)@\(number * 200_000)\nhttps://cdn.example/show/video/1080p/all-\(number / 100).mp4"
                }
            ),
        ]
        print("medians of \(runs) runs, milliseconds")
        print(row("", "KB", "read", "+ \(variantCount) variants", "reload +1", "window +1"))
        for (name, segment) in texts {
            let event = Array(mediaText(0..<segmentCount, segment).utf8)
            let longer = Array(mediaText(0..<(segmentCount + 1), segment).utf8)
            let slid = Array(mediaText(1..<(segmentCount + 1), segment).utf8)
            let read = try median(runs) { _ = try Playlist.parse(event, url: url) }
            let both = try median(runs) {
                _ = try Playlist.parse(multivariant, url: url)
                _ = try Playlist.parse(event, url: url)
            }
            let append = try reload(runs, event, longer, url)
            let slide = try reload(runs, event, slid, url)
            print(row(name, "\(event.count / 1000)", format(read), format(both), format(append), format(slide)))
        }
    }

    /// Returns the median time of a reload, in milliseconds. Each run has a new playlist with only one reference, like
    /// the playlist of a session.
    static func reload(_ runs: Int, _ before: [UInt8], _ after: [UInt8], _ url: URL) throws -> Double {
        var times: [Double] = []
        for _ in 0..<runs {
            var playlist = try MediaPlaylist.parse(before, url: url)
            let begin = ContinuousClock.now
            let reload = try playlist.reload(with: after)
            times.append(milliseconds(since: begin))
            guard reload.segmentsParsed == 2, reload.segmentsAdded == 1 else {
                throw BenchError(text: "read \(reload.segmentsParsed) segments again")
            }
        }
        return times.sorted()[runs / 2]
    }

    static func median(_ runs: Int, _ work: () throws -> Void) rethrows -> Double {
        var times: [Double] = []
        for _ in 0..<runs {
            let begin = ContinuousClock.now
            try work()
            times.append(milliseconds(since: begin))
        }
        return times.sorted()[runs / 2]
    }

    static func milliseconds(since begin: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - begin) / .milliseconds(1)
    }

    static func format(_ value: Double) -> String { String(format: "%.2f", value) }

    static func row(_ cells: String...) -> String {
        cells.enumerated().map { index, cell in
            index == 0
                ? cell.padding(toLength: 20, withPad: " ", startingAt: 0)
                : String(repeating: " ", count: max(1, 15 - cell.count)) + cell
        }.joined()
    }

    static func mediaText(_ range: Range<Int>, _ segment: (Int) -> String) -> String {
        "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:7\n#EXT-X-MEDIA-SEQUENCE:\(range.lowerBound)\n"
            + range.map(segment).joined(separator: "\n") + "\n"
    }

    static func multivariantText() -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        for index in 0..<10 {
            text +=
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",NAME=\"Language \(index)\",LANGUAGE=\"l\(index)\",AUTOSELECT=YES,CHANNELS=\"2\",URI=\"audio/\(index)/index.m3u8\"\n"
        }
        for index in 0..<variantCount {
            text +=
                "#EXT-X-STREAM-INF:BANDWIDTH=\(500_000 + index * 100_000),AVERAGE-BANDWIDTH=\(400_000 + index * 100_000),"
                + "CODECS=\"avc1.640028,mp4a.40.2\",RESOLUTION=1920x1080,FRAME-RATE=29.970,AUDIO=\"audio\",CLOSED-CAPTIONS=NONE\nvideo/\(index)/index.m3u8\n"
        }
        return text
    }
}

extension PlaylistBench {
    struct BenchError: Error {
        var text: String
    }
}
