import Foundation
import MediaCore
import Testing

@testable import Streaming

@Suite("References in a resource")
struct ResourceReferenceTests {
    private func resolve(_ text: String, _ base: String) throws -> String {
        try ResourceReference.resolve(text, in: PlaylistSamples.url(base)).absoluteString
    }

    @Test(
        "a name with a colon is relative unless its scheme is known",
        arguments: [
            ("seg:1.ts", "http://h/a/seg:1.ts"), ("12:30:00.ts", "http://h/a/12:30:00.ts"),
            ("./12:30.ts", "http://h/a/12:30.ts"), ("/b:c", "http://h/b:c"), ("b/c:d", "http://h/a/b/c:d"),
            ("?t=1:2", "http://h/a/i.m3u8?t=1:2"), ("HTTP://o/x", "HTTP://o/x"), ("//o/x", "http://o/x"),
            ("rtmp://o/x", "rtmp://o/x"), ("data:text/plain,a", "data:text/plain,a"), ("skd:key", "skd:key"),
            ("concat:/etc/passwd", "http://h/a/concat:/etc/passwd"), ("/etc/passwd", "http://h/etc/passwd"),
            ("é: a.ts", "http://h/a/%C3%A9:%20a.ts"),
        ])
    func colons(text: String, url: String) throws {
        #expect(try resolve(text, "http://h/a/i.m3u8") == url)
    }

    @Test(
        "only a local playlist may refer to local files",
        arguments: [
            "file:///etc/passwd", "FILE:///etc/passwd", "file:/etc/passwd", "file:etc/passwd", "File://localhost/etc/x",
        ])
    func files(text: String) throws {
        for base in ["http://h/a", "https://h/a", "data:application/vnd.apple.mpegurl,x"] {
            #expect(throws: ResourceReference.Problem.localFile) { try resolve(text, base) }
        }
        #expect(try resolve("file:///b/c.ts", "file:///a/i.m3u8") == "file:///b/c.ts")
        #expect(try resolve("c:d.ts", "file:///a/i.m3u8") == "file:///a/c:d.ts")
        #expect(try resolve("http://h/c", "file:///a/i.m3u8") == "http://h/c")
    }

    @Test("relative references in a data URL are invalid")
    func data() throws {
        #expect(throws: ResourceReference.Problem.notAURL) { try resolve("a.ts", "data:text/plain,x") }
        #expect(try resolve("http://h/a", "data:text/plain,x") == "http://h/a")
    }

    static let naming = [
        "#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nFILE",
        "#EXT-X-TARGETDURATION:2\n#EXT-X-DEFINE:NAME=\"x\",VALUE=\"FILE\"\n#EXTINF:2,\n{$x}",
        "#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128,URI=\"FILE\"\n#EXTINF:2,\na",
        "#EXT-X-TARGETDURATION:2\n#EXT-X-MAP:URI=\"FILE\"\n#EXTINF:2,\na",
        "#EXT-X-TARGETDURATION:2\n#EXT-X-PART:URI=\"FILE\",DURATION=1",
        "#EXT-X-TARGETDURATION:2\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"FILE\"",
        "#EXT-X-TARGETDURATION:2\n#EXT-X-RENDITION-REPORT:URI=\"FILE\"",
        "#EXT-X-STREAM-INF:BANDWIDTH=1\nFILE", "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"FILE\"",
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"n\",URI=\"FILE\"",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"s\",NAME=\"n\",URI=\"FILE\"",
        "#EXT-X-SESSION-DATA:DATA-ID=\"d\",URI=\"FILE\"", "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"FILE\"",
        "#EXT-X-CONTENT-STEERING:SERVER-URI=\"FILE\"", "#EXTINF:2,\nFILE\n#EXT-X-ENDLIST",
    ]

    @Test("a remote playlist that names a local file is refused", arguments: naming)
    func refused(body: String) throws {
        let text = "#EXTM3U\n" + body.replacingOccurrences(of: "FILE", with: "file:///etc/passwd") + "\n"
        let error = try PlaylistSamples.failure(text)
        #expect(error.reason.contains("file:///etc/passwd") && error.line > 1, "\(error)")
        #expect(throws: Never.self) {
            try Playlist.parse(Array(text.utf8), url: URL(fileURLWithPath: "/streams/index.m3u8"))
        }
    }

    @Test("image playlists and reloads cannot name local files")
    func others() throws {
        let images = try PlaylistSamples.multivariant(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI=\"file:///etc/passwd\"\n"
        )
        #expect(images.imageRenditions.isEmpty)
        var live = try PlaylistSamples.media("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na\n")
        let next = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na\n#EXTINF:2,\nfile:///etc/passwd\n"
        #expect(throws: PlaylistError.self) { try live.reload(with: Array(next.utf8)) }
        #expect(live.segments.count == 1)
    }
}
