import Foundation
import Streaming
import Testing

@Suite("Multivariant playlists")
struct PlaylistMultivariantTests {
    @Test("all attributes of a variant are read")
    func variants() throws {
        let playlist = try PlaylistSamples.multivariant(PlaylistSamples.multivariant)
        #expect(playlist.common.version == 12 && playlist.common.isIndependentSegments)
        #expect(playlist.common.start == StartOffset(timeOffset: -12.5, isPrecise: true))
        #expect(playlist.variants.count == 2 && playlist.iFrameVariants.count == 1)
        let low = playlist.variants[0]
        let high = playlist.variants[1]
        #expect(low.bandwidth == 1_280_000 && low.averageBandwidth == 1_000_000)
        #expect(low.codecs == ["avc1.4d401f", "mp4a.40.2"])
        #expect(low.video.resolution == Variant.Resolution(width: 1280, height: 720) && low.video.frameRate == 29.97)
        #expect(
            low.groups.audio == "aac" && low.groups.subtitles == "subs" && low.groups.closedCaptions == .group("cc"))
        #expect(low.video.range == .sdr && low.pathwayID == "." && low.hdcpLevel == nil)
        #expect(low.otherAttributes == [PlaylistAttribute(name: "PROGRAM-ID", value: "1", isQuoted: false)])
        #expect(low.url?.absoluteString == "https://media.example/show/low/index.m3u8")
        #expect(high.score == 2.5 && high.supplementalCodecs == ["dvh1.08.07/db4h"] && high.video.range == .pq)
        #expect(high.groups.closedCaptions == Variant.ClosedCaptions.none && high.hdcpLevel == "TYPE-1")
        #expect(high.stableVariantID == "4k" && high.pathwayID == "cdn-a" && high.name == "4K")
        #expect(high.allowedCPC == "com.example:hw" && high.video.requiredLayout == "CH-STEREO")
        #expect(playlist.iFrameVariants[0].uri == "iframes.m3u8" && playlist.iFrameVariants[0].bandwidth == 150_000)
        #expect(playlist.common.otherTags == ["#EXT-X-SOMETHING-NEW:A=1"])
    }

    @Test("all attributes of a rendition are read")
    func renditions() throws {
        let playlist = try PlaylistSamples.multivariant(PlaylistSamples.multivariant)
        let audio = playlist.renditions(.audio, inGroup: "aac")
        #expect(audio.map(\.name) == ["English", "Described"])
        #expect(audio[0].isDefault && audio[0].isAutoselect && !audio[0].isForced)
        #expect(audio[0].audio.bitDepth == 16 && audio[0].audio.sampleRate == 48_000 && audio[0].channelCount == 2)
        #expect(audio[0].url?.absoluteString == "https://cdn.example/en.m3u8")
        #expect(audio[1].channelCount == 16 && audio[1].assocLanguage == "en-GB")
        #expect(audio[1].characteristics == ["public.accessibility.describes-video", "public.easy-to-read"])
        #expect(audio[1].otherAttributes == [PlaylistAttribute(name: "X-EXTRA", value: "1,2", isQuoted: true)])
        let subtitles = playlist.renditions(.subtitles, inGroup: "subs")
        #expect(subtitles.first?.name == "Deutsch, erzwungen" && subtitles.first?.isForced == true)
        let captions = playlist.renditions(.closedCaptions, inGroup: "cc")
        #expect(captions.first?.instreamID == "SERVICE3" && captions.first?.uri == nil)
    }

    @Test("session data, keys and content steering are read")
    func session() throws {
        let playlist = try PlaylistSamples.multivariant(PlaylistSamples.multivariant)
        #expect(playlist.sessionData.map(\.dataID) == ["com.example.title", "com.example.more"])
        #expect(playlist.sessionData[0].value == "A film" && playlist.sessionData[0].language == "en")
        #expect(playlist.sessionData[1].format == .raw && playlist.sessionData[1].uri == "more.json")
        #expect(
            playlist.sessionKeys == [
                EncryptionKey(
                    method: .sampleAES, uri: "skd://key", keyFormat: "com.apple.streamingkeydelivery",
                    keyFormatVersions: "1/2")
            ])
        #expect(playlist.contentSteering == ContentSteering(serverURI: "/steer?v=1", pathwayID: "cdn-a"))
    }

    @Test("variables come from the playlist and its URL")
    func variables() throws {
        let playlist = try PlaylistSamples.multivariant(PlaylistSamples.multivariant)
        #expect(playlist.variables == ["cdn": "https://cdn.example", "token": "abc d"])
        #expect(playlist.variants[1].uri == "https://cdn.example/4k.m3u8?t=abc d")
        #expect(playlist.variants[1].url?.absoluteString == "https://cdn.example/4k.m3u8?t=abc%20d")
    }

    @Test("missing names, invalid numbers and unknown types are accepted")
    func tolerance() throws {
        let playlist = try PlaylistSamples.multivariant(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=a,URI=""
            #EXT-X-MEDIA:TYPE=SMELL,GROUP-ID="b",NAME="rose"
            #EXT-X-SESSION-DATA:VALUE="no identifier"
            #EXT-X-STREAM-INF: BANDWIDTH = 128000.0 , RESOLUTION=big,FRAME-RATE=nan,CODECS=mp4a.40.2,VIDEO-RANGE=XYZ,,JUST-A-NAME
            # a comment

            a.m3u8
            """)
        #expect(
            playlist.renditions.count == 1 && playlist.renditions[0].groupID == "a" && playlist.renditions[0].uri == nil
        )
        #expect(playlist.common.otherTags.count == 2)
        let variant = try #require(playlist.variants.first)
        #expect(variant.bandwidth == 128_000 && variant.video.resolution == nil && variant.video.frameRate == nil)
        #expect(variant.codecs == ["mp4a.40.2"] && variant.video.range == .unknown)
    }

    @Test(
        "a missing required attribute is an error with its line",
        arguments: [
            ("#EXT-X-STREAM-INF:BANDWIDTH=1\n", 2, "no URI"),
            ("#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1", 2, "URI"),
            ("#EXT-X-MEDIA:GROUP-ID=\"a\",NAME=\"n\"", 2, "TYPE"),
            ("#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"n\"", 2, "GROUP-ID"),
            ("#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n#EXTINF:1,\na.ts", 4, "line 2 makes this a multivariant"),
            ("#EXT-X-DEFINE:IMPORT=\"x\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8", 2, "import"),
            ("#EXT-X-SESSION-KEY:METHOD=AES-128", 2, "URI"),
        ])
    func strictness(body: String, line: Int, word: String) throws {
        let error = try PlaylistSamples.failure("#EXTM3U\n" + body, importing: ["x": "1"])
        #expect(error.line == line && error.reason.contains(word), "\(error)")
    }
}
