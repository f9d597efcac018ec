import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Format changes within a stream", .serialized)
@MainActor
struct MidstreamTests {
    /// Returns the URL of a transport stream of two seconds, whose format changes after the first.
    static func changing(_ name: String, _ first: String, _ second: String) throws -> URL {
        let parts = try [first, second].enumerated().map { index, filter in
            try AssetTestMedia.make(
                "\(name)-\(index).ts",
                "-f lavfi -i testsrc2=s=320x180:r=25:d=1 -vf \(filter) -c:v libx264 -preset ultrafast -pix_fmt yuv420p -output_ts_offset \(index)"
            )
        }
        let whole = AssetTestMedia.folder.appendingPathComponent("\(name).ts")
        try (Data(contentsOf: parts[0]) + Data(contentsOf: parts[1])).write(to: whole)
        return whole
    }

    private func follow(_ url: URL, _ first: CGSize, _ second: CGSize) async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: url)
        rig.player.insert(item)
        try await rig.ready()
        #expect(item.presentationSize == first)
        #expect(rig.picture()?.presentationSize == first)
        rig.player.play()
        #expect(await rig.wait { rig.picture()?.presentationSize == second })
        #expect(await rig.wait { item.presentationSize == second })
        // A seek back restores the first size.
        rig.player.pause()
        #expect(await rig.seek(0.2))
        #expect(await rig.wait { item.presentationSize == first && rig.picture()?.presentationSize == first })
    }

    @Test("a new pixel aspect ratio changes the presentation size")
    func aspect() async throws {
        try await follow(
            Self.changing("sar-change", "setsar=1", "setsar=2"), CGSize(width: 320, height: 180),
            CGSize(width: 640, height: 180))
    }

    @Test("pixels become square again after a non-square part")
    func square() async throws {
        try await follow(
            Self.changing("sar-square", "setsar=2", "setsar=1"), CGSize(width: 640, height: 180),
            CGSize(width: 320, height: 180))
    }

    @Test("a new frame size changes the presentation size")
    func size() async throws {
        try await follow(
            Self.changing("size-change", "null", "scale=240:240,setsar=1"), CGSize(width: 320, height: 180),
            CGSize(width: 240, height: 240))
    }

    @Test("an aspect change in the bitstream overrides the container's aspect ratio")
    func container() async throws {
        let stream = try Self.changing("sar-change", "setsar=1", "setsar=2")
        let file = try AssetTestMedia.make("sar-change.mkv", "-i \(stream.path) -c copy -aspect 8:3")
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: file))
        #expect(try generator.copyImage(at: CMTime(value: 1, timescale: 2)).presentationSize.width == 480)
        #expect(try generator.copyImage(at: CMTime(value: 3, timescale: 2)).presentationSize.width == 640)
    }

    @Test("a display orientation in the bitstream rotates and mirrors the frame")
    func orientation() async throws {
        let url = try AssetTestMedia.make(
            "sei.ts",
            "-f lavfi -i testsrc2=s=320x180:r=25:d=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -bsf:v h264_metadata=display_orientation=insert:rotate=90:flip=horizontal"
        )
        let rig = Rig()
        let item = AVPlayerItem(url: url)
        rig.player.insert(item)
        try await rig.ready()
        let frame = try #require(rig.picture())
        #expect(frame.isMirrored && frame.rotation % 180 == 90)
        #expect(await rig.wait { item.presentationSize == CGSize(width: 180, height: 320) })
        let still = try AVAssetImageGenerator(asset: AVURLAsset(url: url)).copyImage(at: .zero)
        #expect(still.isMirrored && still.rotation == frame.rotation)
    }
}
