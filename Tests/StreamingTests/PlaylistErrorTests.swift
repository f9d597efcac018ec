import Foundation
import MediaCore
import Streaming
import Testing

@Suite("Playlist errors")
struct PlaylistErrorTests {
    @Test(
        "an error names the line and the cause",
        arguments: [
            ("", 1, "#EXTM3U"),
            ("<html>", 1, "#EXTM3U"),
            ("\n\n#EXTINF:1,\na", 3, "#EXTM3U"),
            ("#EXTM3U8\n", 1, "#EXTM3U"),
            ("#EXTM3U\n", 1, "neither"),
            ("#EXTM3U\na.ts\n", 0, "list of media"),
            ("#EXTM3U\n#EXTINF:1,\na.ts\n", 0, "list of media"),
            ("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:x\n", 3, "EXT-X-MEDIA-SEQUENCE"),
            ("#EXTM3U\n#EXT-X-TARGETDURATION:six\n", 2, "missing"),
            (
                "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:1,\n#EXT-X-BYTERANGE:5@0\na\n#EXTINF:1,\nb\n#EXTINF:1,\n#EXT-X-BYTERANGE:5\na\n",
                10, "no offset"
            ),
            ("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:900000000,\na\n#EXTINF:900000000,\na\n", 6, "longer"),
            ("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:5@4611686018427387904\na\n", 3, "EXT-X-BYTERANGE"),
            (
                "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:4611686018427387904@0\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:1\na\n",
                7, "beyond"
            ),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128\n", 2, "URI"),
            ("#EXTM3U\n#EXT-X-KEY:URI=\"k\"\n", 2, "METHOD"),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x00000000000000000000000000000000FF\n", 2, "IV"),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0xZZ\n", 2, "IV"),
            ("#EXTM3U\n#EXT-X-MAP:BYTERANGE=\"1@0\"\n", 2, "URI"),
            ("#EXTM3U\n#EXT-X-SKIP:SKIPPED-SEGMENTS=-3\n", 2, "SKIPPED-SEGMENTS"),
            ("#EXTM3U\n#EXTINF:1,\n{$who}.ts\n", 3, "who is not defined"),
            ("#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n", 3, "twice"),
            ("#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\"\n", 2, "VALUE"),
            ("#EXTM3U\n#EXT-X-DEFINE:NAME=\"a b\",VALUE=\"1\"\n", 2, "characters"),
            ("#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"a\"\n", 2, "multivariant playlist does not define"),
            ("#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"nothing\"\n", 2, "no such parameter"),
            ("#EXTM3U\n#EXT-X-DEFINE:VALUE=\"1\"\n", 2, "QUERYPARAM"),
            ("#EXTM3U\n#EXT-X-DEFINE:NAME=\"e\",VALUE=\"\"\n#EXTINF:1,\n{$e}\n", 4, "empty"),
        ])
    func lines(text: String, line: Int, word: String) throws {
        let error = try PlaylistSamples.failure(text)
        #expect(error.line == line && error.reason.contains(word), "\(error)")
    }

    @Test("an app's error contains the URL, the line and a suggestion")
    func appError() throws {
        let error = try PlaylistSamples.failure("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-KEY:METHOD=AES-128\n").avError
        #expect(error.code == .playlistInvalid && error.location.hasPrefix("https://media.example/"))
        #expect(
            error.reason == "line 3: EXT-X-KEY has no URI for the key"
                && !error.suggestion.isEmpty)
    }

    @Test("nested variables cannot exhaust memory")
    func expansion() throws {
        var text = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789abcdef\"\n"
        for level in 1...60 { text += "#EXT-X-DEFINE:NAME=\"v\(level)\",VALUE=\"{$v\(level - 1)}{$v\(level - 1)}\"\n" }
        let error = try PlaylistSamples.failure(text)
        #expect(error.reason.contains("MiB") && error.line < 40)
    }

    @Test("an oversized playlist is refused")
    func sizes() throws {
        let url = try PlaylistSamples.url()
        let many = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + String(repeating: "#EXTINF:1,\na\n", count: 1_000_001)
        #expect(throws: PlaylistError.self) { try Playlist.parse(Array(many.utf8), url: url) }
        let line =
            Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,".utf8) + [UInt8](repeating: 0x61, count: 65 << 20)
        #expect(throws: PlaylistError.self) { try Playlist.parse(line, url: url) }
        let long =
            Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,".utf8) + [UInt8](repeating: 0x61, count: 8 << 20)
            + Array("\na\n".utf8)
        #expect(try MediaPlaylist.parse(long, url: url).segments[0].title.utf8.count == 8 << 20)
    }

    @Test("invalid text bytes do not break parsing")
    func garbage() throws {
        let url = try PlaylistSamples.url()
        let bytes =
            Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,".utf8) + [0, 0xFF, 0xFE, 0x0A] + [
                0xC3, 0x00, 0x28, 0x0A,
            ]
        let playlist = try MediaPlaylist.parse(bytes, url: url)
        #expect(playlist.segments.count == 1)
        #expect(try MediaPlaylist.parse(Array(playlist.text.utf8), url: url) == playlist)
    }
}
