import Export
import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Filters
@testable import Overlays

/// Tests of video compositions with instructions. The quarters of the video are red and green above blue and white.
@Suite("Instructions of video compositions", .timeLimit(.minutes(5)))
@MainActor
struct CompositionInstructionTests {
    private let size = CGSize(width: 320, height: 180)

    private func seconds(_ from: Double, _ to: Double) -> CMTimeRange {
        CMTimeRange(
            start: CMTime(seconds: from, preferredTimescale: 600), end: CMTime(seconds: to, preferredTimescale: 600))
    }

    private func video(_ name: String = "quad-709.mp4") async throws -> (AVURLAsset, AVAssetTrack) {
        let asset = AVURLAsset(url: try TestMedia.url(name))
        return (asset, try #require(try await asset.loadTracks(withMediaType: .video).first))
    }

    /// Returns a composition with one instruction over a gray background, whose alpha is ignored.
    private func composition(
        _ layers: [AVVideoCompositionLayerInstruction], of size: CGSize? = nil
    ) -> AVMutableVideoComposition {
        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = seconds(0, 10)
        instruction.backgroundColor = CGColor(gray: 0.4, alpha: 0.5)
        instruction.layerInstructions = layers
        let composition = AVMutableVideoComposition()
        composition.renderSize = size ?? self.size
        composition.frameDuration = CMTime(value: 1, timescale: 25)
        composition.instructions = [instruction]
        return composition
    }

    private func image(
        _ composition: AVVideoComposition, of asset: AVAsset, at seconds: Double = 0
    ) async throws -> VideoFrame {
        let generator = AVAssetImageGenerator(asset: asset)
        generator.videoComposition = composition
        return try await generator.image(at: CMTime(seconds: seconds, preferredTimescale: 600)).image
    }

    /// Returns red, green and blue of a pixel of a frame in any format.
    private func color(_ frame: VideoFrame, _ x: Int, _ y: Int) -> [Int] {
        let pixel = try? frame.withBGRA { pixels, row in (0..<3).map { Int(pixels[y * row + x * 4 + 2 - $0]) } }
        return pixel ?? []
    }
    private func isNear(_ a: [Int], _ b: [Int]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= 8 }
    }
    private let red = [255, 0, 0], green = [0, 255, 0], blue = [0, 0, 255]
    private let white = [255, 255, 255], gray = [102, 102, 102]

    @Test("a transform places the frame, with its origin at the upper left")
    func transform() async throws {
        let (asset, track) = try await video()
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        layer.setTransform(
            CGAffineTransform(scaleX: 0.5, y: 0.5).concatenating(CGAffineTransform(translationX: 40, y: 0)), at: .zero)
        let frame = try await image(composition([layer]), of: asset)
        #expect(frame.width == 320 && frame.height == 180)
        #expect(isNear(color(frame, 60, 20), red) && isNear(color(frame, 180, 20), green))
        #expect(isNear(color(frame, 60, 70), blue) && isNear(color(frame, 180, 70), white))
        #expect(isNear(color(frame, 20, 20), gray) && isNear(color(frame, 60, 120), gray))
    }

    @Test("ramps change transforms and opacities evenly")
    func ramps() async throws {
        let (asset, track) = try await video()
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        layer.setTransformRamp(
            fromStart: .identity, toEnd: CGAffineTransform(translationX: 320, y: 0), timeRange: seconds(0, 2))
        layer.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0, timeRange: seconds(0, 2))
        let composed = composition([layer])
        let first = try await image(composed, of: asset)
        #expect(isNear(color(first, 40, 40), red))
        // After half of the time, half of the red quarter is visible over gray, moved by 160 pixels.
        let middle = try await image(composed, of: asset, at: 1)
        #expect(isNear(color(middle, 40, 40), gray))
        #expect(isNear(color(middle, 200, 40), [178, 51, 51]), "\(color(middle, 200, 40))")
        let last = try await image(composed, of: asset, at: 2.5)
        #expect(isNear(color(last, 200, 40), gray))
    }

    @Test("a crop rectangle is in pixels before the transform")
    func crop() async throws {
        let (asset, track) = try await video()
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        layer.setTransform(CGAffineTransform(translationX: -160, y: 0), at: .zero)
        layer.setCropRectangle(CGRect(x: 160, y: 0, width: 80, height: 90), at: .zero)
        let frame = try await image(composition([layer]), of: asset)
        #expect(isNear(color(frame, 40, 40), green) && isNear(color(frame, 120, 40), gray))
        #expect(isNear(color(frame, 40, 140), gray))
    }

    @Test("a rotated track is stored sideways without its preferred transform")
    func rotated() async throws {
        let (asset, track) = try await video("quad-rot90.mp4")
        // Upright, the frame is 180 × 320.
        let plain = AVMutableVideoCompositionLayerInstruction()
        plain.trackID = track.trackID
        let stored = try await image(composition([plain]), of: asset)
        #expect(isNear(color(stored, 40, 40), red) && isNear(color(stored, 280, 140), white))
        let upright = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        upright.setTransform(track.preferredTransform, at: .zero)
        let shown = try await image(composition([upright], of: CGSize(width: 180, height: 320)), of: asset)
        let expected = try await AVAssetImageGenerator(asset: asset).image(at: .zero).image
        #expect(expected.presentationSize == CGSize(width: 180, height: 320))
        for (x, y) in [(40, 40), (140, 40), (40, 280), (140, 280)] {
            #expect(isNear(color(shown, x, y), color(expected, x, y)), "\(color(shown, x, y)) at \(x), \(y)")
        }
    }

    @Test("a layer for the track of a file applies to a composition")
    func sourceTrack() async throws {
        // The track of the composition has no preferred transform, so its frames have their stored orientation.
        let (asset, track) = try await video("quad-rot90.mp4")
        let edit = AVMutableComposition()
        let copy = try #require(
            edit.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
        try copy.insertTimeRange(seconds(0, 0.2), of: track, at: .zero)
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        layer.setTransform(track.preferredTransform, at: .zero)
        let shown = try await image(composition([layer], of: CGSize(width: 180, height: 320)), of: edit)
        let expected = try await AVAssetImageGenerator(asset: asset).image(at: .zero).image
        for (x, y) in [(40, 40), (140, 40), (40, 280), (140, 280)] {
            #expect(isNear(color(shown, x, y), color(expected, x, y)), "\(color(shown, x, y)) at \(x), \(y)")
        }
    }

    @Test("the background is visible through transparent parts of frames")
    func transparent() async throws {
        let (asset, track) = try await video("alpha-qtrle.mov")
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        let frame = try await image(composition([layer], of: CGSize(width: 160, height: 96)), of: asset)
        // The first column is transparent, the fourth has this blue.
        #expect(isNear(color(frame, 20, 48), gray) && isNear(color(frame, 140, 48), [40, 40, 230]))
    }

    @Test("a value applies to a frame whose time is rounded down")
    func roundedTimes() {
        var ramps = ValueRamps<Float>()
        ramps.set(1, at: CMTime(value: 1, timescale: 30))
        ramps.set(from: 0, to: 1, in: seconds(1, 2))
        func value(_ time: MediaTime) -> Float { ramps.value(at: time, initial: 5) { $0 + ($1 - $0) * Float($2) } }
        // Matroska counts in milliseconds.
        #expect(value(32_000_000) == 5 && value(33_000_000) == 1 && value(34_000_000) == 1)
        #expect(value(999_999_999) == 0 && value(1_000_000_000) == 0)
        #expect(value(1_500_000_000) == 0.5 && value(2_000_000_000) == 1 && value(.max) == 1)
    }

    @Test("the properties of an asset show its video upright")
    func properties() async throws {
        let (asset, track) = try await video("quad-rot90.mp4")
        let composed = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: asset)
        #expect(composed.renderSize == CGSize(width: 180, height: 320))
        #expect(composed.frameDuration == CMTime(value: 3600, timescale: 90_000))
        let instruction = try #require(composed.instructions.first as? AVMutableVideoCompositionInstruction)
        #expect(instruction.layerInstructions.map(\.trackID) == [track.trackID])
        #expect(instruction.timeRange.start == .zero && instruction.timeRange.duration == asset.duration)
        #expect(AVVideoComposition(propertiesOf: asset).renderSize == composed.renderSize)
    }

    @Test("the properties of a composition contain the size that is set")
    func compositionProperties() async throws {
        let (edit, _) = try await twoTracks()
        #expect(AVVideoComposition(propertiesOf: edit).renderSize == size)
        edit.naturalSize = CGSize(width: 720, height: 1280)
        #expect(AVVideoComposition(propertiesOf: edit).renderSize == CGSize(width: 720, height: 1280))
        #expect(AVVideoComposition(propertiesOf: AVMutableComposition()).instructions.isEmpty)
    }

    /// Returns a composition whose two tracks show one second each of a video.
    private func twoTracks() async throws -> (AVMutableComposition, [AVMutableCompositionTrack]) {
        let composition = AVMutableComposition()
        let (_, source) = try await video()
        let tracks = try [0.0, 1].map { start -> AVMutableCompositionTrack in
            let track = try #require(
                composition.addMutableTrack(
                    withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
            try track.insertTimeRange(seconds(0, 1), of: source, at: CMTime(seconds: start, preferredTimescale: 600))
            return track
        }
        return (composition, tracks)
    }

    @Test("each track of a composition has the instruction for its layer")
    func tracks() async throws {
        let (asset, tracks) = try await twoTracks()
        let layers = tracks.map { AVMutableVideoCompositionLayerInstruction(assetTrack: $0) }
        layers[0].setTransform(CGAffineTransform(translationX: 160, y: 0), at: .zero)
        layers[1].setTransform(CGAffineTransform(translationX: 0, y: 90), at: .zero)
        let composed = composition(layers)
        let first = try await image(composed, of: asset, at: 0.5)
        #expect(isNear(color(first, 200, 40), red) && isNear(color(first, 40, 40), gray))
        let second = try await image(composed, of: asset, at: 1.5)
        #expect(isNear(color(second, 40, 130), red) && isNear(color(second, 40, 40), gray))
        // A track without a layer is not visible.
        let alone = try await image(composition([layers[0]]), of: asset, at: 1.5)
        #expect(isNear(color(alone, 40, 130), gray))
    }

    @Test("instructions apply to a player's frames and to exports")
    func playedAndExported() async throws {
        let (asset, tracks) = try await twoTracks()
        let layers = tracks.map { AVMutableVideoCompositionLayerInstruction(assetTrack: $0) }
        layers[0].setTransform(CGAffineTransform(translationX: 160, y: 0), at: .zero)
        let composed = composition(layers)
        let player = AVPlayer(title: "test", audioServer: "unix:/nonexistent/zoetrope")
        let screen = PictureComposition()
        defer {
            screen.close()
            player.close()
        }
        let item = AVPlayerItem(asset: asset)
        item.videoComposition = composed
        player.replaceCurrentItem(with: item)
        var shown: VideoFrame?
        await eventually("the composed frame") {
            shown = screen.pull(from: player.videoFrameSource, at: .now())?.frame
            return shown.map { isNear(color($0, 200, 40), red) } ?? false
        }
        #expect(shown.map { isNear(color($0, 40, 40), gray) } == true)

        let bench = try ExportBench()
        let session = try #require(
            AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
        session.videoComposition = composed
        try await session.export(to: bench.url("out.mp4"))
        let pixels = try await bench.pixels(bench.url("out.mp4"), "rgb24")
        try #require(pixels.count > 41 * 320 * 180 * 3)
        func exported(_ frame: Int, _ x: Int, _ y: Int) -> [Int] {
            let start = frame * 320 * 180 * 3 + (y * 320 + x) * 3
            return Array(pixels[start..<(start + 3)]).map { Int($0) }
        }
        #expect(isNear(exported(10, 200, 40), red) && isNear(exported(10, 40, 40), gray))
        #expect(isNear(exported(40, 40, 40), red) && isNear(exported(40, 200, 40), green))
    }
}
