import Foundation
import Streaming
import Testing

@Suite("Written playlists")
struct PlaylistWriteTests {
    @Test(
        "a written playlist reads back as the same value",
        arguments: [
            PlaylistSamples.multivariant, PlaylistSamples.vod, PlaylistSamples.lowLatency,
            PlaylistSamples.live(5..<40, kind: "EVENT", head: ["#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"", "#EXT-X-GAP"]),
        ])
    func roundTrip(text: String) throws {
        let playlist = try PlaylistSamples.parse(text)
        let again = try PlaylistSamples.parse(playlist.text)
        #expect(again == playlist)
        #expect(again.text == playlist.text)
    }

    @Test("a written playlist keeps unknown tags")
    func unknownTags() throws {
        let vod = try PlaylistSamples.parse(PlaylistSamples.vod).text
        #expect(vod.contains("\n#EXT-X-VENDOR:1\n") && vod.contains("\n#EXT-X-CUE-OUT:30\n"))
        let multivariant = try PlaylistSamples.parse(PlaylistSamples.multivariant).text
        #expect(
            multivariant.contains("\n#EXT-X-SOMETHING-NEW:A=1\n") && multivariant.contains("PROGRAM-ID=1")
                && multivariant.contains("X-EXTRA=\"1,2\""))
    }

    @Test("numbers are written without an exponent")
    func numbers() throws {
        let playlist = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:0.0000001,\na\n#EXTINF:999999999.5,\nb\n")
        let text = playlist.text
        #expect(text.contains("#EXTINF:0.0000001,\n") && text.contains("#EXTINF:999999999.5,\n"))
    }

    @Test("a playlist built in code reads back as the same value")
    func byHand() throws {
        var first = MediaSegment(uri: "1.m4s", duration: 2, mediaSequence: 0)
        var second = MediaSegment(uri: "2.m4s", duration: 2.5, mediaSequence: 0)
        let vector = [UInt8](repeating: 1, count: 16)
        first.map = InitializationSection(uri: "init.mp4", keys: [EncryptionKey(method: .aes128, uri: "k", iv: vector)])
        second.map = first.map
        second.keys = [
            EncryptionKey(method: .aes128, uri: "k2"),
            EncryptionKey(method: .sampleAES, uri: "skd://x", keyFormat: "apple"),
        ]
        let playlist = MediaPlaylist(
            url: try PlaylistSamples.url(), targetDuration: 3, mediaSequence: 7, segments: [first, second])
        #expect(playlist.duration == 4.5 && playlist.index(ofMediaSequence: 8) == 1)
        let again = try PlaylistSamples.media(playlist.text)
        #expect(again.segments == playlist.segments)
        #expect(again.incompleteSegment == playlist.incompleteSegment)
        #expect(again == playlist, "\(playlist.text)")
    }
}
