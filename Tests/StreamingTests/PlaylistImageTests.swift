import Foundation
import Testing

@testable import Streaming

@Suite("Image playlists")
struct PlaylistImageTests {
    private let base = URL(string: "https://host/path/master.m3u8") ?? URL(fileURLWithPath: "/")

    @Test("image streams are found with their URLs and sizes")
    func renditions() throws {
        let text = """
            #EXTM3U
            #EXT-X-DEFINE:NAME="where",VALUE="pictures"
            #EXT-X-STREAM-INF:BANDWIDTH=100000
            video.m3u8
            #EXT-X-IMAGE-STREAM-INF:BANDWIDTH=15811,RESOLUTION=320x180,CODECS="jpeg",URI="{$where}/small.m3u8"
            #EXT-X-IMAGE-STREAM-INF:BANDWIDTH=bad,RESOLUTION=0x9,URI="odd.m3u8"
            #EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1
            #EXT-X-IMAGE-STREAM-INF:URI="not closed
            """
        guard case .multivariant(let playlist) = try Playlist.parse(Array(text.utf8), url: base) else {
            Issue.record("no multivariant playlist")
            return
        }
        #expect(
            playlist.imageRenditions.map(\.url.absoluteString) == [
                "https://host/path/pictures/small.m3u8", "https://host/path/odd.m3u8",
            ])
        #expect(
            playlist.imageRenditions.first
                == ImageRendition(
                    url: playlist.imageRenditions[0].url, resolution: .init(width: 320, height: 180), bandwidth: 15811))
        #expect(playlist.imageRenditions.last?.resolution == nil)
    }

    private func tiles(_ body: String, isEnded: Bool = true) throws -> [ImageTile] {
        try MediaPlaylist.parse(
            Array(("#EXTM3U\n#EXT-X-TARGETDURATION:60\n" + body + (isEnded ? "\n#EXT-X-ENDLIST" : "")).utf8), url: base
        ).imageTiles
    }

    @Test("tiles run across, then down, and last as stated")
    func layout() throws {
        let all = try tiles(
            "#EXT-X-IMAGES-ONLY\n#EXTINF:5,\n#EXT-X-TILES:RESOLUTION=100x60,LAYOUT=3x2,DURATION=1\na.jpg\n#EXTINF:9,\nb.jpg\n#EXTINF:4,\n#EXT-X-TILES:RESOLUTION=10x10,LAYOUT=2x1\nc.jpg"
        )
        #expect(all.count == 8)
        #expect(all.map(\.start) == [0, 1, 2, 3, 4, 5, 14, 16])
        #expect(all.last?.end == 18)
        #expect(
            all[4]
                == ImageTile(
                    start: 4, end: 5, sheet: URL(string: "https://host/path/a.jpg") ?? base, x: 100, y: 60, width: 100,
                    height: 60))
        // A sheet without a layout is a single image.
        #expect(all[5].width == nil && all[5].end == 14)
        // The layout may be stated once for all sheets.
        #expect(
            try tiles(
                "#EXT-X-IMAGES-ONLY\n#EXT-X-TILES:RESOLUTION=10x10,LAYOUT=2x2\n#EXTINF:4,\na.jpg\n#EXTINF:4,\nb.jpg"
            ).count == 8)
    }

    @Test(
        "unsupported image playlists have no tiles; invalid layouts are ignored",
        arguments: [
            ("#EXTINF:5,\na.ts", true, 0), ("#EXT-X-IMAGES-ONLY\n#EXTINF:5,\na.jpg", false, 0),
            ("#EXT-X-IMAGES-ONLY\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:5,\na.jpg", true, 0),
            ("#EXT-X-IMAGES-ONLY\n#EXTINF:5,\n#EXT-X-BYTERANGE:5@0\na.jpg", true, 0),
            ("#EXT-X-IMAGES-ONLY\n#EXTINF:5,\n#EXT-X-TILES:RESOLUTION=9999999999x1,LAYOUT=5x5\na.jpg", true, 1),
            ("#EXT-X-IMAGES-ONLY\n#EXTINF:5,\n#EXT-X-TILES:RESOLUTION=10x10,LAYOUT=101x5\na.jpg", true, 1),
            ("#EXT-X-IMAGES-ONLY\n#EXTINF:5,\n#EXT-X-TILES:RESOLUTION=10x10,LAYOUT=0x5\na.jpg", true, 1),
            ("#EXT-X-IMAGES-ONLY\n#EXTINF:5,\n#EXT-X-TILES:RESOLUTION=10000x10,LAYOUT=50x5\na.jpg", true, 1),
            ("#EXT-X-IMAGES-ONLY\n#EXTINF:4,\n#EXT-X-TILES:RESOLUTION=10x10,LAYOUT=2x2,DURATION=0\na.jpg", true, 4),
            ("#EXT-X-IMAGES-ONLY\n#EXTINF:4,\n#EXT-X-TILES:RESOLUTION=10x10,LAYOUT=2x2,DURATION=nan\na.jpg", true, 4),
            ("#EXT-X-IMAGES-ONLY\n#EXTINF:0,\na.jpg", true, 1),
            (
                "#EXT-X-IMAGES-ONLY\n"
                    + String(repeating: "#EXTINF:100,\n#EXT-X-TILES:RESOLUTION=10x10,LAYOUT=100x100\na.jpg\n", count: 5),
                true, 20_000
            ),
        ])
    func odd(_ body: String, _ isEnded: Bool, _ count: Int) throws {
        let all = try tiles(body, isEnded: isEnded)
        #expect(all.count == count)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.start <= $1.start && $0.end > $0.start })
    }
}
