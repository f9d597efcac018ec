import Export
import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays
import TestSupport
import Testing

@Suite("Filters, shaders and vectors in exports")
@MainActor
struct ExportCompositionTests {
    /// A magenta rectangle in the upper left quarter.
    private struct Corner: ShapeLayerBuilderProtocol {
        let id = UUID()
        func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer {
            let layer = CAShapeLayer()
            layer.frame = geometry.bounds
            layer.path = CGPath(
                rect: CGRect(x: 0, y: 0, width: geometry.bounds.width / 4, height: geometry.bounds.height / 4),
                transform: nil)
            layer.fillColor = CGColor(red: 1, green: 0, blue: 1, alpha: 1)
            return layer
        }
    }

    /// Vectors are scaled from the view for which they were built. Later changes of a shader do not affect the export.
    @Test("an export contains filters, shaders, closures and vectors as in a window")
    func everything() async throws {
        let bench = try ExportBench()
        var settings = PictureSettings()
        settings.add(try #require(CIFilter(name: "CIColorInvert")))
        let shader = try VideoShader(
            source: "uniform float keep;\nvec4 shade(vec2 uv) { return vec4(video(uv).bgr * keep, 1.0); }")
        shader.setValue(1, forKey: "keep")
        settings.add(shader)
        settings.add(VideoFrameFilter { $0 })
        settings.add(Corner())
        let session = try #require(
            AVAssetExportSession(
                asset: AVURLAsset(url: TestMedia.url("quad-709.mp4")), presetName: AVAssetExportPresetHighestQuality))
        session.timeRange = CMTimeRange(start: .zero, end: CMTime(value: 1, timescale: 5))
        session.setPicture(settings, viewSize: CGSize(width: 1600, height: 900))
        // A change after `setPicture` does not affect the export.
        shader.setValue(0, forKey: "keep")
        try await session.export(to: bench.url("out.mp4"))
        let pixels = try await bench.pixels(bench.url("out.mp4"), "rgb24")
        func color(_ x: Int, _ y: Int) -> [Int] { (0..<3).map { Int(pixels[(y * 320 + x) * 3 + $0]) } }
        func isNear(_ a: [Int], _ b: [Int]) -> Bool { zip(a, b).allSatisfy { abs($0 - $1) <= 8 } }
        #expect(isNear(color(40, 20), [255, 0, 255]), "\(color(40, 20))")
        // Red is inverted to cyan, and swapping the channels turns it into yellow. White becomes black.
        #expect(
            isNear(color(120, 20), [255, 255, 0]) && isNear(color(40, 70), [255, 255, 0]),
            "\(color(120, 20)), \(color(40, 70))")
        #expect(isNear(color(250, 140), [0, 0, 0]))
    }

    @Test(
        "a view size without a finite area counts as none",
        arguments: [CGSize.zero, CGSize(width: 0, height: 90), CGSize(width: 160, height: Double.infinity)])
    func emptyView(size: CGSize) async throws {
        let bench = try ExportBench()
        let subtitles = try SubtitleStage.document("WEBVTT\n\n00:00.000 --> 00:09.000\nword")
        var style = SubtitleStyle()
        style.size = .points(30)
        for (name, viewSize) in [("none.mp4", nil), ("empty.mp4", size)] as [(String, CGSize?)] {
            let session = try AVAssetExportSession(asset: AVURLAsset(url: TestMedia.url("quad-709.mp4")))
            session.timeRange = seconds(0, 0.1)
            session.setPicture(PictureSettings(), subtitles: subtitles, style: style, viewSize: viewSize)
            try await session.export(to: bench.url(name))
        }
        #expect(
            try await bench.pixels(bench.url("none.mp4"), "gray") == bench.pixels(bench.url("empty.mp4"), "gray"))
    }

    @Test("subtitles that change during a long frame are exported", arguments: ["mp4", "mkv", "gif"])
    func longFrames(type: String) async throws {
        let bench = try ExportBench()
        // Two gray frames of five seconds, as in a recording of slides.
        let source = try await bench.make(
            "slides.mp4", ["-f", "lavfi", "-i", "color=gray:s=320x180:r=1/5:d=10", "-pix_fmt", "yuv420p"])
        let subtitles = try SubtitleStage.document(
            "WEBVTT\n\n00:01.000 --> 00:02.000\nHHHH\n\n00:06.000 --> 00:07.000\nHHHH")
        var style = SubtitleStyle()
        style.size = .points(40)
        let session = AVAssetExportSession(asset: AVURLAsset(url: source))
        session.setPicture(PictureSettings(), subtitles: subtitles, style: style)
        let file = bench.url("out.\(type)")
        try await session.export(to: file)
        let times = try await bench.times(file)
        let pixels = try await bench.pixels(file, "gray", filter: "scale=320:180")
        let size = 320 * 180
        try #require(pixels.count == times.count * size)
        for (time, isShown) in [(0.5, false), (1.5, true), (2.5, false), (5.5, false), (6.5, true), (7.5, false)] {
            let index = try #require(times.lastIndex { $0 <= time })
            #expect(pixels[index * size..<(index + 1) * size].contains { $0 > 200 } == isShown, "\(time) s")
        }
        // Cues begin at their times, rounded to 30 frames per second, or to the 10 of a GIF.
        for time in [1.0, 2, 6, 7] {
            #expect(times.contains { abs($0 - time) < (type == "gif" ? 0.11 : 0.04) }, "\(times)")
        }
    }

    @Test("an export with a failing closure names the closure, leaves no file")
    func failing() async throws {
        struct Broken: Error, CustomStringConvertible { var description: String { "no model" } }
        let bench = try ExportBench()
        var settings = PictureSettings()
        settings.add(VideoFrameFilter(name: "faces") { _ in throw Broken() })
        let session = try AVAssetExportSession(asset: AVURLAsset(url: TestMedia.url("quad-709.mp4")))
        session.setPicture(settings)
        await #expect(throws: AVError.self) { try await session.export(to: bench.url("out.mp4")) }
        #expect(
            (session.error as? AVError)?.location == "faces" && bench.contents.isEmpty,
            "\(String(describing: session.error)), \(bench.contents)")
    }

    /// Nothing precedes frame 0, so it is left out.
    @Test("an export repeats the frame before a dropped frame")
    func dropped() async throws {
        let bench = try ExportBench()
        let session = try AVAssetExportSession(asset: AVURLAsset(url: TestMedia.url("counter-video.mp4")))
        session.timeRange = seconds(0, 0.2)
        var settings = PictureSettings()
        settings.add(
            VideoFrameFilter { frame in
                [0, 3].contains(Int((frame.presentationTime.seconds * 30).rounded())) ? nil : frame
            })
        session.setPicture(settings)
        try await session.export(to: bench.url("out.mp4"))
        #expect(try await bench.numbers(bench.url("out.mp4")) == [1, 2, 2, 4, 5])
    }

    @Test("an export whose filter drops all frames fails")
    func allDropped() async throws {
        let bench = try ExportBench()
        let session = try AVAssetExportSession(asset: AVURLAsset(url: TestMedia.url("quad-709.mp4")))
        var settings = PictureSettings()
        settings.add(VideoFrameFilter { _ in nil })
        session.setPicture(settings)
        await #expect(throws: AVError.self) { try await session.export(to: bench.url("out.mp4")) }
        #expect((session.error as? AVError)?.reason == "a filter dropped all frames" && bench.contents.isEmpty)
    }

    /// The brightness of each frame is its time in the source.
    @Test("an export applies its video composition at the source's times")
    func videoComposition() async throws {
        let bench = try ExportBench()
        let asset = AVURLAsset(url: try TestMedia.url("counter.mp4"))
        let session = AVAssetExportSession(asset: asset)
        session.timeRange = seconds(2, 2.2)
        session.videoComposition = AVVideoComposition(asset: asset) { request in
            let gray = request.compositionTime.seconds / 4
            request.finish(with: CIImage(color: CIColor(red: gray, green: gray, blue: gray)), context: nil)
        }
        try await session.export(to: bench.url("out.mp4"))
        let pixels = try await bench.pixels(bench.url("out.mp4"), "rgb24", filter: "scale=16:16")
        let levels = stride(from: 0, to: pixels.count, by: 16 * 16 * 3).map { Double(pixels[$0]) / 255 * 4 }
        #expect(levels.count == 6, "\(levels)")
        for (index, level) in levels.enumerated() {
            #expect(abs(level - 2 - Double(index) / 30) < 0.06, "\(levels)")
        }
    }

    @Test("a render size is the size of the exported frames")
    func renderSize() async throws {
        let bench = try ExportBench()
        let asset = AVURLAsset(url: try TestMedia.url("quad-709.mp4"))
        let session = AVAssetExportSession(asset: asset)
        session.timeRange = seconds(0, 0.2)
        let square = AVMutableVideoComposition(asset: asset) { request in
            request.finish(with: request.sourceImage.applyingFilter("CIColorInvert"), context: nil)
        }
        square.renderSize = CGSize(width: 160, height: 160)
        session.videoComposition = square
        var settings = PictureSettings()
        settings.add(try #require(CIFilter(name: "CIColorInvert")))
        session.setPicture(settings)
        try await session.export(to: bench.url("out.mp4"))
        #expect(
            try await bench.probe(
                bench.url("out.mp4"), "-select_streams", "v:0", "-show_entries", "stream=width,height")
                == ["160", "160"])
        // The filters of `setPicture` are applied after the composition, so the two inversions cancel out.
        let pixels = try await bench.pixels(bench.url("out.mp4"), "rgb24")
        let color = (0..<3).map { Int(pixels[(20 * 160 + 40) * 3 + $0]) }
        #expect(zip(color, [255, 0, 0]).allSatisfy { abs($0 - $1) <= 10 }, "\(color)")
    }

    @Test("an error of the composition's handler makes the export fail")
    func failingComposition() async throws {
        struct Broken: Error, CustomStringConvertible { var description: String { "no model" } }
        let bench = try ExportBench()
        let asset = AVURLAsset(url: try TestMedia.url("quad-709.mp4"))
        let session = AVAssetExportSession(asset: asset)
        session.videoComposition = AVVideoComposition(asset: asset) { $0.finish(with: Broken()) }
        await #expect(throws: AVError.self) { try await session.export(to: bench.url("out.mp4")) }
        #expect((session.error as? AVError)?.reason == "no model" && bench.contents.isEmpty)
    }

    @Test("canceling an export ends the wait for an unfinished request")
    func cancelled() async throws {
        let bench = try ExportBench()
        let asset = AVURLAsset(url: try TestMedia.url("quad-709.mp4"))
        let session = AVAssetExportSession(asset: asset)
        session.videoComposition = AVVideoComposition(asset: asset) { [weak session] _ in session?.cancelExport() }
        await #expect(throws: AVError.self) { try await session.export(to: bench.url("out.mp4")) }
        #expect(session.status == .cancelled && bench.contents.isEmpty)
    }
}
