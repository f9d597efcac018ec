import Foundation
import MediaCore
import Testing

@testable import Streaming

/// Playlists with one fault that can be corrected without doubt.
@Suite("A playlist with one fault is read, with a warning")
struct PlaylistLeniencyTests {
    private func media(_ body: String) throws -> MediaPlaylist { try PlaylistSamples.media("#EXTM3U\n" + body) }

    @Test(
        "missing durations are replaced by the target duration",
        arguments: [
            ("#EXT-X-TARGETDURATION:4\n#EXTINF:-1,\na\n#EXTINF:2,\nb\n", [4.0, 2], 4.0, [3]),
            ("#EXT-X-TARGETDURATION:4\na\n#EXTINF:2,\nb\n", [4, 2], 4, [3]),
            ("#EXT-X-TARGETDURATION:4\n#EXTINF:,\na\n#EXTINF:nan,\nb\n", [4, 4], 4, [3, 5]),
            ("#EXT-X-TARGETDURATION:4\n#EXTINF:0,\na\n#EXTINF:0,\nb\n", [4, 4], 4, []),
            ("#EXT-X-TARGETDURATION:4\n#EXTINF:0,\na\n#EXTINF:3,\nb\n", [0, 3], 4, []),
            ("#EXT-X-VERSION:3\n#EXTINF:2.4,\na\n#EXTINF:1,\nb\n", [2.4, 1], 3, [6]),
            ("#EXT-X-TARGETDURATION:soon\n#EXTINF:2,\na\nb\n", [2, 2], 2, [2, 5, 5]),
            ("#EXT-X-VERSION:3\n#EXTINF:-1,\na\n", [10], 10, [3, 4]),
        ])
    func durations(body: String, durations: [Double], target: Double, lines: [Int]) throws {
        let playlist = try media(body)
        #expect(playlist.segments.map(\.duration) == durations && playlist.targetDuration == target)
        #expect(playlist.duration == durations.reduce(0, +))
        #expect(playlist.common.warnings.entries.map(\.line) == lines, "\(playlist.common.warnings.entries)")
    }

    @Test("a resource's first range starts at zero; empty ranges are ignored")
    func ranges() throws {
        let playlist = try media(
            "#EXT-X-TARGETDURATION:4\n#EXTINF:2,\n#EXT-X-BYTERANGE:10\na\n#EXTINF:2,\n#EXT-X-BYTERANGE:5\na\n#EXT-X-BYTERANGE:\n#EXTINF:2,\nb\n"
        )
        #expect(
            playlist.segments.map(\.byteRange) == [
                ByteRange(offset: 0, length: 10), ByteRange(offset: 10, length: 5), nil,
            ])
        #expect(playlist.common.warnings.entries.map(\.line) == [5, 9])
    }

    @Test("late and absurd sequence numbers are accepted")
    func numbers() throws {
        let late = try media("#EXT-X-TARGETDURATION:4\n#EXTINF:2,\na\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:2,\nb\n")
        #expect(late.mediaSequence == 7 && late.segments.map(\.mediaSequence) == [7, 8])
        #expect(late.incompleteSegment.mediaSequence == 9 && late.common.warnings.entries.map(\.line) == [5])
        let huge = try ["18446744073709551615", "18446744073709551616"].map {
            try media("#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\($0)\n#EXTINF:2,\na\n").mediaSequence
        }
        #expect(huge[0] == (1 << 62) - 1 && huge[1] == 0)
    }

    @Test("every kind of line ending is accepted", arguments: ["\r", "\r\n", "\n", "\r\r\n"])
    func ends(end: String) throws {
        let lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:4", "#EXTINF:2,", "a", "#EXTINF:2,", "b", ""]
        let playlist = try PlaylistSamples.media(lines.joined(separator: end))
        #expect(playlist.segments.map(\.uri) == ["a", "b"] && playlist.common.warnings.entries.isEmpty)
    }

    @Test(
        "variants decide that a playlist is multivariant",
        arguments: [
            ("#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXT-X-ENDLIST\n", [4]),
            ("#EXT-X-TARGETDURATION:15\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n", [4]),
            ("#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n", [3]),
        ])
    func variants(body: String, lines: [Int]) throws {
        let playlist = try PlaylistSamples.multivariant("#EXTM3U\n" + body)
        #expect(playlist.variants.map(\.uri) == ["a"] && playlist.common.warnings.entries.map(\.line) == lines)
    }

    @Test("a warning about the kind names the line of the first URI")
    func firstURI() throws {
        let playlist = try PlaylistSamples.multivariant("#EXTM3U\n\na\n#EXT-X-STREAM-INF:BANDWIDTH=1\nb\n")
        #expect(playlist.variants.map(\.uri) == ["b"])
        let warning = try #require(playlist.common.warnings.entries.first { $0.line == 4 })
        #expect(warning.reason.contains("line 3 makes this a media playlist"))
    }

    @Test("a media playlist with multivariant tags keeps its key")
    func segments() throws {
        let playlist = try media(
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\"\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:2,\na\n#EXT-X-SESSION-DATA:DATA-ID=\"d\"\n"
        )
        #expect(playlist.targetDuration == 4 && playlist.segments.first?.keys.first?.uri == "k")
        #expect(playlist.common.warnings.entries.count == 4)
        let mixed = try PlaylistSamples.failure("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXTINF:1,\nb\n")
        #expect(mixed.line == 4)
    }

    @Test("a variant without bandwidth is lowest; incomplete renditions are dropped")
    func attributes() throws {
        let playlist = try PlaylistSamples.multivariant(
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,NAME=\"x\",URI=\"s\"\n#EXT-X-STREAM-INF:BANDWIDTH=100\na\n#EXT-X-STREAM-INF:RESOLUTION=10x10\nb\n#EXT-X-STREAM-INF:BANDWIDTH=200,CODECS=\"avc1.42c01e,mp4a.40.2\nc\n#EXT-X-STREAM-INF:BANDWIDTH=9\n#EXT-X-STREAM-INF:BANDWIDTH=300\nd\nstray\n"
        )
        #expect(playlist.variants.map(\.uri) == ["a", "b", "c", "d"] && playlist.renditions.isEmpty)
        #expect(playlist.variants[2].codecs == ["avc1.42c01e", "mp4a.40.2"])
        #expect(
            playlist.common.warnings.entries.map(\.line) == [2, 5, 7, 10, 12], "\(playlist.common.warnings.entries)")
        let presentation = try HLSPresentation(playlist, canDecode: { _ in true })
        #expect(presentation.variants.first?.playlists.first?.lastPathComponent == "b")
    }

    @Test("reloading a faulty playlist equals parsing it alone")
    func reloads() throws {
        func text(_ range: Range<Int>) -> String {
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-MEDIA-SEQUENCE:\(range.lowerBound)\n"
                + range.map { "#EXTINF:\($0 % 3 == 0 ? -1 : Double($0 % 5 + 1)),\ns\($0)\n" }.joined()
        }
        var playlist = try PlaylistSamples.media(text(0..<6))
        #expect(try playlist.reload(with: Array(text(2..<9).utf8)).verdict == .advanced)
        #expect(try playlist == PlaylistSamples.media(text(2..<9)))
    }

    @Test("a live playlist without sequence numbers is followed by segment names")
    func unnumbered() throws {
        func text(_ range: Range<Int>) -> String {
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + range.map { "#EXTINF:2,\ns\($0)\n" }.joined()
        }
        var playlist = try PlaylistSamples.media(text(0..<4))
        for range in [1..<5, 1..<6, 4..<8, 20..<24] {
            let verdict = try playlist.reload(with: Array(text(range).utf8)).verdict
            #expect(verdict == .advanced)
            #expect(playlist.segments.map(\.uri) == range.map { "s\($0)" })
        }
        #expect(playlist.mediaSequence == 8)
    }

    @Test("the number of warnings is limited")
    func many() throws {
        let body = (0..<1000).map { "#EXTINF:x,\n\($0)\n" }.joined()
        #expect(try media("#EXT-X-TARGETDURATION:4\n" + body).common.warnings.entries.count == PlaylistWarnings.most)
    }

    @Test("a live playlist's target duration comes from its segments", arguments: [0.0, 1, 10, 60])
    func target(stated: Double) throws {
        let url = try PlaylistSamples.url()
        let segments = (0..<5).map { MediaSegment(uri: "\($0)", duration: 2, mediaSequence: $0) }
        let timed = TimedPlaylist(MediaPlaylist(url: url, targetDuration: stated, segments: segments), epoch: 0)
        #expect(timed.targetDuration == 2_000_000_000)
        #expect(timed.seekable(usesParts: false) == 0..<4_000_000_000)
        var ended = timed.playlist
        ended.isEnded = true
        #expect(TimedPlaylist(ended, epoch: 0).targetDuration == Int64(max(stated, 0.1) * 1e9))
    }

    @Test("a start offset beyond the end is ignored", arguments: [(900.0, 0.0), (8, 0), (6, 6), (-900, 0), (-2, 6)])
    func start(offset: Double, expected: Double) throws {
        let text = "#EXT-X-TARGETDURATION:2\n#EXT-X-START:TIME-OFFSET=\(offset)\n"
        let playlist = try media(text + (0..<4).map { "#EXTINF:2,\n\($0)\n" }.joined() + "#EXT-X-ENDLIST\n")
        #expect(TimedPlaylist(playlist, epoch: 0).defaultStart(nil, usesParts: false) == Int64(expected * 1e9))
    }
}
