import Foundation
import Streaming
import Testing

@Suite("Media playlists")
struct PlaylistMediaTests {
    @Test("segments keep their numbers, keys, maps, ranges and dates")
    func vod() throws {
        let playlist = try PlaylistSamples.media(PlaylistSamples.vod)
        #expect(
            playlist.common.version == 7 && playlist.targetDuration == 6 && playlist.kind == .vod && playlist.isEnded
                && !playlist.isLive)
        #expect(playlist.segments.map(\.mediaSequence) == [10, 11, 12, 13, 14])
        #expect(playlist.segments.map(\.discontinuitySequence) == [3, 3, 4, 4, 4])
        #expect(playlist.segments.map(\.isDiscontinuity) == [false, false, true, false, false])
        #expect(playlist.segments.map(\.duration) == [6.006, 6.006, 4, 2.5, 6])
        #expect(playlist.segments[0].title == "First, with a comma" && playlist.segments[1].title.isEmpty)
        #expect(playlist.segments[0].byteRange == ByteRange(offset: 720, length: 1000))
        #expect(playlist.segments[1].byteRange == ByteRange(offset: 1720, length: 500))
        #expect(playlist.segments[0].keys.map(\.uri) == ["key1", "other"])
        #expect(playlist.segments[0].keys[0].iv?.suffix(3) == [0, 0xAB, 0xCD])
        #expect(playlist.segments[2].keys.isEmpty && playlist.segments[3].isGap && !playlist.segments[4].isGap)
        #expect(playlist.segments[4].keys.first?.method == .sampleAESCTR)
        #expect(
            playlist.segments[2].otherTags == ["#EXT-X-CUE-OUT:30"] && playlist.common.otherTags == ["#EXT-X-VENDOR:1"])
        #expect(playlist.segments[2].statedBitrate == 800_000)
        let urls = playlist.segments.map { $0.url(relativeTo: playlist.url)?.absoluteString }
        #expect(urls[3] == "https://media.example/absolute/2.m4s" && urls[2] == "https://ads.example/1.m4s")
    }

    @Test("a map keeps its preceding keys and is shared")
    func maps() throws {
        let playlist = try PlaylistSamples.media(PlaylistSamples.vod)
        let map = try #require(playlist.segments[0].map)
        #expect(map.uri == "init.mp4" && map.byteRange == ByteRange(offset: 0, length: 720) && map.keys.isEmpty)
        #expect(playlist.segments[1].map === map)
        let restated = try PlaylistSamples.media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:1
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
            #EXT-X-MAP:URI="i"
            #EXTINF:1,
            a
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x01
            #EXT-X-MAP:URI="i"
            #EXTINF:1,
            b
            """)
        #expect(restated.segments[0].map?.keys.map(\.uri) == ["k"])
        #expect(restated.segments[0].map === restated.segments[1].map)
    }

    @Test("an AES-128 key without an IV does not encrypt a map")
    func mapWithoutVector() throws {
        let playlist = try PlaylistSamples.media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:1
            #EXT-X-KEY:METHOD=AES-128,URI="k"
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="s",KEYFORMAT="other"
            #EXT-X-MAP:URI="i"
            #EXTINF:1,
            a
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
            #EXT-X-MAP:URI="j"
            #EXTINF:1,
            b
            """)
        for playlist in [playlist, try PlaylistSamples.media(playlist.text)] {
            #expect(playlist.segments.map { $0.map?.keys.map(\.uri) } == [["s"], ["k", "s"]])
            #expect(playlist.segments.map { $0.keys.map(\.uri) } == [["k", "s"], ["k", "s"]])
        }
    }

    @Test("a key replaces only its own format; NONE removes all keys")
    func keys() throws {
        let playlist = try PlaylistSamples.media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:1
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="a1"
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://1",KEYFORMAT="com.apple.streamingkeydelivery"
            #EXTINF:1,
            1.ts
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="a2"
            #EXTINF:1,
            2.ts
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:1,
            3.ts
            """)
        #expect(playlist.segments.map { $0.keys.map(\.uri) } == [["a1", "skd://1"], ["a2", "skd://1"], []])
    }

    @Test("without an IV, the media sequence number is used")
    func initializationVector() {
        let key = EncryptionKey(method: .aes128, uri: "k")
        #expect(key.initializationVector(forMediaSequence: 0x0102_03) == [UInt8](repeating: 0, count: 13) + [1, 2, 3])
        #expect(
            EncryptionKey(method: .aes128, uri: "k", iv: [UInt8](repeating: 7, count: 16)).initializationVector(
                forMediaSequence: 1) == [UInt8](repeating: 7, count: 16))
    }

    @Test("segments are found by number, time and date")
    func lookup() throws {
        let playlist = try PlaylistSamples.media(PlaylistSamples.vod)
        #expect(abs(playlist.duration - 24.512) < 1e-9)
        #expect(
            playlist.index(ofMediaSequence: 12) == 2 && playlist.index(ofMediaSequence: 9) == nil
                && playlist.index(ofMediaSequence: 15) == nil)
        #expect(
            playlist.index(atTime: 0) == 0 && playlist.index(atTime: 6.006) == 1 && playlist.index(atTime: 24.5) == 4)
        #expect(
            playlist.index(atTime: -0.1) == nil && playlist.index(atTime: playlist.duration) == nil
                && playlist.index(atTime: .nan) == nil)
        #expect(playlist.startTime(ofSegmentAt: 2) == 12.012 && playlist.startTime(ofSegmentAt: 5) == playlist.duration)
        let begin = try #require(playlist.segments[0].programDateTime)
        #expect(begin == Date(timeIntervalSince1970: 1_709_247_598.25))
        #expect(playlist.segments[2].programDateTime == nil)
        #expect(playlist.date(ofSegmentAt: 2) == begin.addingTimeInterval(12.012))
    }

    @Test("a later date also applies to earlier segments")
    func datesBackward() throws {
        let playlist = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na\n#EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:10\n#EXTINF:4,\nb\n"
        )
        #expect(playlist.date(ofSegmentAt: 0) == Date(timeIntervalSince1970: 1_704_067_206))
    }

    @Test(
        "dates of every common format are parsed",
        arguments: [
            ("2024-01-01T00:00:00Z", 1_704_067_200.0), ("2024-01-01T00:00:00", 1_704_067_200),
            ("2024-01-01 00:00:00.5Z", 1_704_067_200.5),
            ("2024-01-01T01:30:00+0130", 1_704_067_200), ("2023-12-31T19:00:00-05", 1_704_067_200),
            ("2024-01-01T00:00:00.123456789012Z", 1_704_067_200.123456789),
            ("2024-01-01", 1_704_067_200), ("1969-12-31T23:59:59Z", -1), ("2000-02-29T12:00:00Z", 951_825_600),
            ("1600-03-01T00:00:00Z", -11_670_912_000),
        ])
    func dates(text: String, seconds: Double) throws {
        let playlist = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PROGRAM-DATE-TIME:\(text)\n#EXTINF:4,\na\n")
        let date = try #require(playlist.segments[0].programDateTime)
        #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
        guard case .media(let again) = try PlaylistSamples.parse(playlist.text) else { return }
        #expect(again == playlist)
    }

    @Test("low-latency parts, hints and reports are read")
    func lowLatency() throws {
        let playlist = try PlaylistSamples.media(PlaylistSamples.lowLatency)
        let control = try #require(playlist.lowLatency.serverControl)
        #expect(
            control.canBlockReload && control.canSkipDateRanges && control.canSkipUntil == 24
                && control.holdBack == 12.5 && control.partHoldBack == 1)
        #expect(playlist.lowLatency.partTargetDuration == 0.33334 && playlist.isLive)
        let parts = playlist.segments[2].parts
        #expect(
            parts.map(\.byteRange) == [
                ByteRange(offset: 0, length: 20_000), ByteRange(offset: 20_000, length: 21_000), nil,
            ])
        #expect(parts.map(\.isIndependent) == [true, false, false] && parts.map(\.isGap) == [false, false, true])
        #expect(playlist.trailingParts.map(\.uri) == ["filePart269.a.mp4", "filePart269.b.mp4"])
        #expect(playlist.incompleteSegment.mediaSequence == 269 && playlist.incompleteSegment.map?.uri == "init.mp4")
        #expect(
            playlist.lowLatency.preloadHints.map(\.kind) == [.part, .map]
                && playlist.lowLatency.preloadHints[0].byteRangeStart == 100
                && playlist.lowLatency.preloadHints[0].byteRangeLength == 2000)
        #expect(
            playlist.lowLatency.renditionReports.map(\.lastMediaSequence) == [269, 268]
                && playlist.lowLatency.renditionReports.map(\.lastPart) == [1, nil])
    }

    @Test("date ranges keep unknown attributes")
    func dateRanges() throws {
        let range = try #require(try PlaylistSamples.media(PlaylistSamples.vod).dateRanges.first)
        #expect(range.id == "ad" && range.className == "ads" && range.duration == 30 && range.plannedDuration == 31.5)
        #expect(range.startDate == Date(timeIntervalSince1970: 1_709_251_200) && range.cue == ["PRE", "ONCE"])
        #expect(range["X-ASSET-URI"] == "ad.m3u8" && range["SCTE35-OUT"] == "0xFC00" && range["X-NO"] == nil)
    }

    @Test("a delta update alone reports what it skips")
    func deltaAlone() throws {
        let playlist = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:100\n#EXT-X-SKIP:SKIPPED-SEGMENTS=5,RECENTLY-REMOVED-DATERANGES=\"a\tb\"\n#EXTINF:4,\nx\n"
        )
        #expect(playlist.skippedSegments == 5 && playlist.skipped?.recentlyRemovedDateRanges == ["a", "b"])
        #expect(playlist.segments.first?.mediaSequence == 105 && playlist.mediaSequence == 100)
    }

    @Test("I-frame playlists are read with their byte ranges")
    func iFrames() throws {
        let playlist = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:5\n#EXT-X-I-FRAMES-ONLY\n#EXTINF:2,\n#EXT-X-BYTERANGE:100@376\na.ts\n#EXTINF:3,\n#EXT-X-BYTERANGE:50@9000\na.ts\n#EXT-X-ENDLIST\n"
        )
        #expect(playlist.isIFramesOnly && playlist.segments.map(\.byteRange?.offset) == [376, 9000])
    }

    @Test(
        "harmless deviations are accepted",
        arguments: [
            "\u{FEFF}#EXTM3U\r\n#EXT-X-TARGETDURATION: 6 \r\n#EXTINF:6\r\na.ts  \r\n",
            "\n \n#EXTM3U\n#EXT-X-TARGETDURATION:6.5\n#EXTINF:6 tvg-id=\"1\",Title\na.ts",
            "#EXTM3U x=1\n#EXT-X-VERSION:many\n#EXT-X-TARGETDURATION:1\n#EXTINF:6,\na.ts",
            "#EXTM3U\n#EXTINF:6,\n# comment\n\n#EXT-X-FUTURE\na.ts\n#EXT-X-TARGETDURATION:6",
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:yesterday\n#EXTINF:+6.0,\na.ts\n#EXTINF:5,",
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:SERIAL\n#EXT-X-DATERANGE:CLASS=\"x\"\n#EXTINF:6.000000000000000000000,\na.ts\n#EXTM3U",
        ])
    func tolerance(text: String) throws {
        let playlist = try PlaylistSamples.media(text)
        #expect(playlist.segments.map(\.uri) == ["a.ts"] && playlist.segments.map(\.duration) == [6])
    }

    @Test("a live playlist may be empty at first")
    func empty() throws {
        let playlist = try PlaylistSamples.media("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:4\n")
        #expect(playlist.segments.isEmpty && playlist.duration == 0 && playlist.incompleteSegment.mediaSequence == 4)
        #expect(
            playlist.index(atTime: 0) == nil && playlist.date(ofSegmentAt: 0) == nil
                && playlist.startTime(ofSegmentAt: 3) == 0)
    }

    @Test("variables are replaced in URIs, quoted strings and hexadecimal numbers")
    func variables() throws {
        let playlist = try PlaylistSamples.media(
            """
            #EXTM3U
            #EXT-X-DEFINE:IMPORT="host"
            #EXT-X-DEFINE:NAME="iv",VALUE="0x0A"
            #EXT-X-DEFINE:NAME="path",VALUE="{$host}/v"
            #EXT-X-TARGETDURATION:6
            #EXT-X-KEY:METHOD=AES-128,URI="{$path}/k",IV={$iv}
            #EXTINF:6,{$title} stays
            {$path}/{$}{a}.ts
            """, importing: ["host": "//h.example"])
        #expect(playlist.segments[0].uri == "//h.example/v/{$}{a}.ts" && playlist.segments[0].title == "{$title} stays")
        #expect(playlist.segments[0].keys[0].uri == "//h.example/v/k" && playlist.segments[0].keys[0].iv?.last == 10)
    }
}
