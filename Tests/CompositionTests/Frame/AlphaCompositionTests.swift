import CPixels
import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Export
@testable import Filters
@testable import Overlays

@Suite("Filters, painting and export keep alpha", .serialized)
@MainActor
struct AlphaCompositionTests {
    private func picture(_ name: String = "alpha-qtrle.mov", _ n: Int = 12) throws -> VideoFrame {
        try AVAssetImageGenerator(asset: AVURLAsset(url: TestMedia.url(name))).copyImage(
            at: CMTime(value: CMTimeValue(n * 40 + 10), timescale: 1000))
    }

    private func isNear(_ a: [Int], _ b: [Int], within tolerance: Int = 3) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= tolerance }
    }

    private func composed(_ names: [String], _ frame: VideoFrame, brightness: Float = 0) throws -> VideoFrame {
        var settings = PictureSettings()
        settings.brightness = brightness
        for name in names { settings.add(try #require(CIFilter(name: name))) }
        return try OfflineComposer(settings: settings).compose(frame, at: frame.presentationTime)
    }

    @Test(
        "every kind of color filter changes visible colors and keeps alpha",
        arguments: [
            (["CIColorInvert"], [25, 215, 215]), (["CILinearToSRGBToneCurve"], [243, 110, 110]),
            (["CIMaximumComponent"], [230, 230, 230]),
            (["CIColorInvert", "CIMaximumComponent"], [215, 215, 215]), (["CIPixellate"], [230, 40, 40]),
        ])
    func filters(names: [String], red: [Int]) throws {
        let result = try composed(names, try picture())
        #expect(result.hasAlpha && result.isPremultiplied)
        let columns = AlphaClip.columns(result)
        #expect(
            columns.map { $0[3] }.enumerated().allSatisfy { abs($1 - [0, 128, 116, 255][$0]) <= 2 },
            "\(names): \(columns)")
        // With eight bits and half alpha, only half of the color steps remain.
        #expect(isNear(Array(columns[1].prefix(3)), red, within: 4), "\(names): \(columns)")
    }

    @Test("brightness leaves transparent pixels transparent")
    func brightness() throws {
        let columns = AlphaClip.columns(try composed([], try picture(), brightness: 0.3))
        #expect(columns[0] == [0, 0, 0, 0] && isNear(columns[3], [117, 117, 255, 255], within: 4), "\(columns)")
    }

    @Test("a blur's edge fades to transparent red, not to black")
    func blur() throws {
        let result = try composed(["CIGaussianBlur"], try picture())
        // The edge fades from transparent to half red.
        let edge = AlphaClip.pixel(result, 0.25)
        #expect((30...100).contains(edge[3]) && edge[0] > 200 && edge[1] < 70, "\(edge)")
    }

    @Test("the CPU applies color filters that keep alpha; others are drawn")
    func ways() async throws {
        let frame = try picture()
        for (name, isLookedUp) in [
            ("CIColorInvert", true), ("CILinearToSRGBToneCurve", true), ("CIMaximumComponent", false),
            ("CIPixellate", false),
        ] {
            let composition = PictureComposition()
            let stage = FrameStage()
            let wakes = Wakes(composition)
            stage.show(frame)
            composition.settings.add(try #require(CIFilter(name: name)))
            var pulled: PulledFrame?
            for _ in 0..<20 {
                pulled = composition.pull(from: stage, at: .now())
                let isThere = isLookedUp ? composition.colors != nil : pulled.map { $0.frame !== frame } == true
                if isThere { break }
                await wakes.next()
            }
            #expect((composition.colors != nil) == isLookedUp, "\(name)")
            #expect(try #require(pulled).frame.hasAlpha && (pulled?.frame === frame) == isLookedUp, "\(name)")
            composition.close()
        }
    }

    @Test("a closure may return frames with or without alpha")
    func closures() throws {
        let frame = try FrameStage.plain(0x336699)
        for hasAlpha in [true, false] {
            var settings = PictureSettings()
            settings.add(
                VideoFrameFilter { picture in
                    try VideoFrame.bgra(
                        width: 16, height: 12, presentationTime: picture.presentationTime, hasAlpha: hasAlpha
                    ) { pixels, _ in
                        for pixel in pixels.bindMemory(to: UInt32.self).indices {
                            pixels.storeBytes(of: 0x40FF_8000, toByteOffset: pixel * 4, as: UInt32.self)
                        }
                    }
                })
            let result = try OfflineComposer(settings: settings).compose(frame, at: .zero)
            #expect(result.hasAlpha == hasAlpha)
            #expect(
                hasAlpha
                    ? isNear(AlphaClip.pixel(result, 0.5), [255, 128, 0, 64]) : FrameStage.color(result) == 0xFF8000)
        }
    }

    // MARK: painting with alpha

    @Test(
        "a painted frame is premultiplied, clear beside the video, with complete overlays",
        arguments: AlphaClip.all)
    func painted(name: String) throws {
        let frame = try picture(name)
        let painter = PicturePainter()
        // About twice the size, with four free rows above and below the video.
        let placement = VideoPlacement(
            picture: CGSize(width: 160, height: 96), width: 340, height: 212, gravity: .resizeAspect)
        let bitmap = try #require(
            OverlayBitmap(x: 5, y: 100, width: 20, height: 4, pixels: [UInt32](repeating: 0xFF00_FF00, count: 80)))
        var pixels = [UInt32](repeating: 0x1234_5678, count: 340 * 212 + PicturePainter.slack / 4)
        let done = pixels.withUnsafeMutableBytes { raw in
            raw.baseAddress.map {
                painter.paint(
                    frame, placement: placement, colors: nil, overlays: [OverlayContent(version: 1, bitmaps: [bitmap])],
                    area: PicturePainter.Area(x: 0, y: 0, width: 340, height: 212), into: $0, stride: 340 * 4)
            } ?? false
        }
        #expect(done)
        func at(_ x: Int, _ y: Int) -> [Int] {
            let p = pixels[y * 340 + x]
            return [p >> 16 & 255, p >> 8 & 255, p & 255, p >> 24].map(Int.init)
        }
        let x0 = placement.x
        let wide = placement.width
        #expect(placement.y == 4 && at(170, 1) == [0, 0, 0, 0])
        #expect(at(x0 + wide / 8, 60) == [0, 0, 0, 0])
        #expect(isNear(at(x0 + wide * 3 / 8, 60), [115, 20, 20, 128]), "\(at(x0 + wide * 3 / 8, 60))")
        #expect(isNear(at(x0 + wide * 7 / 8, 60), [40, 40, 230, 255], within: 4))
        #expect(at(10, 101) == [0, 255, 0, 255])
        for y in 0..<212 {
            for x in 0..<340 {
                let p = at(x, y)
                if max(p[0], p[1], p[2]) > p[3] {
                    Issue.record("\(p) at \(x), \(y)")
                    return
                }
            }
        }
    }

    @Test("transparent bars beside an opaque frame stay clear under an overlay")
    func transparentBars() throws {
        let frame = try #require(TestPicture.quadrants(width: 32, height: 16))
        let placement = VideoPlacement(picture: frame.presentationSize, width: 32, height: 32, gravity: .resizeAspect)
        let bitmap = try #require(
            OverlayBitmap(x: 4, y: 28, width: 4, height: 2, pixels: [UInt32](repeating: 0x8000_8000, count: 8)))
        let contents = [OverlayContent(version: 1, bitmaps: [bitmap])]
        #expect(PicturePainter.isBeside(placement, contents, width: 32, height: 32))
        var pixels = [UInt32](repeating: 0x1234_5678, count: 32 * 32 + PicturePainter.slack / 4)
        let isDone = pixels.withUnsafeMutableBytes { raw in
            raw.baseAddress.map {
                PicturePainter().paint(
                    frame, placement: placement, colors: nil, overlays: contents,
                    area: PicturePainter.Area(x: 0, y: 0, width: 32, height: 32), hasTransparentBars: true, into: $0,
                    stride: 32 * 4)
            } ?? false
        }
        #expect(isDone && pixels[2 * 32 + 2] == 0 && pixels[29 * 32 + 20] == 0)
        #expect(pixels[28 * 32 + 5] == 0x8000_8000)
        #expect(pixels[16 * 32 + 16] >> 24 == 255)
    }

    @Test("premultiplying is exact and survives a round trip for every alpha")
    func arithmetic() {
        for alpha in 0..<256 {
            var words = (0..<256).map { UInt32($0 * 0x010101) | UInt32(alpha) << 24 }
            zt_pixels_premultiply(&words, words, 256)
            #expect(
                (0..<256).allSatisfy { value in
                    let wanted = UInt32((Double(value * alpha) / 255).rounded())
                    return words[value] == wanted | wanted << 8 | wanted << 16 | UInt32(alpha) << 24
                })
            let before = words
            zt_pixels_unpremultiply(&words, 256)
            zt_pixels_premultiply(&words, words, 256)
            #expect(words == before)
        }
    }

    @Test("scaling keeps flat colors, premultiplied colors and the mean alpha")
    func scaling() {
        for (w, h, ow, oh) in [(1, 1, 7, 5), (40, 30, 13, 7), (13, 7, 40, 30), (5, 64, 64, 5), (1000, 3, 1, 1)] {
            var out = [UInt32](repeating: 0, count: ow * oh)
            let plain = [UInt32](repeating: 0x8040_2010, count: w * h)
            #expect(zt_pixels_scale(plain, w * 4, Int32(w), Int32(h), &out, ow * 4, Int32(ow), Int32(oh)) != 0)
            #expect(out.allSatisfy { $0 == 0x8040_2010 })
            var random = SeededNumbers(seed: UInt64(w))
            let noise = (0..<w * h).map { _ -> UInt32 in
                let a = UInt32.random(in: 0...255, using: &random)
                return a << 24 | UInt32.random(in: 0...a, using: &random) << 16
                    | UInt32.random(in: 0...a, using: &random)
            }
            #expect(zt_pixels_scale(noise, w * 4, Int32(w), Int32(h), &out, ow * 4, Int32(ow), Int32(oh)) != 0)
            #expect(out.allSatisfy { $0 >> 16 & 255 <= $0 >> 24 && $0 & 255 <= $0 >> 24 && $0 >> 8 & 255 == 0 })
            if ow == 1, oh == 1 {
                let mean = noise.reduce(0.0) { $0 + Double($1 >> 24) } / Double(noise.count)
                #expect(abs(Double(out[0] >> 24) - mean) <= 0.51)
            }
        }
        #expect(zt_pixels_scale([0], 4, 0, 1, nil, 4, 1, 1) == 0)
    }

    // MARK: exports with alpha

    /// Returns the columns of each frame of an exported file, of any size.
    private func columns(_ bench: ExportBench, _ file: URL) async throws -> [[[Int]]] {
        try await offPool { try AlphaClip.columns(byFFmpeg: file) }
    }

    @Test(
        "a WebM export keeps the alpha of every frame",
        arguments: ["alpha-prores.mov", "alpha-vp9.webm", "alpha-qtrle.mov"])
    func webm(name: String) async throws {
        let bench = try ExportBench()
        let session = try AVAssetExportSession(asset: AVURLAsset(url: TestMedia.url(name)))
        let file = bench.url("out.webm")
        try await session.export(to: file)
        #expect(!session.exportProgress.losesAlpha)
        expectEqual(
            try await bench.probe(file, "-select_streams", "v", "-show_entries", "stream_tags=alpha_mode"), ["1"])
        let found = try await columns(bench, file)
        try #require(found.count == 25)
        for (n, picture) in found.enumerated() {
            #expect(
                zip(picture, [0, 128, AlphaClip.alpha(n), 255]).allSatisfy { abs($0[3] - $1) <= 4 }, "\(n): \(picture)")
            #expect(
                isNear(Array(picture[1].prefix(3)), [230, 40, 40], within: 14)
                    && isNear(Array(picture[3].prefix(3)), [40, 40, 230], within: 14), "\(n): \(picture)")
        }
        // Also check with Zoetrope's own decoder.
        #expect(
            AlphaClip.number(
                try AVAssetImageGenerator(asset: AVURLAsset(url: file)).copyImage(
                    at: CMTime(value: 410, timescale: 1000))) == 10)
    }

    @Test("a filtered WebM export keeps alpha, and vectors are opaque")
    func composedWebM() async throws {
        struct Corner: ShapeLayerBuilderProtocol {
            let id = UUID()
            func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer {
                let layer = CAShapeLayer()
                layer.frame = geometry.bounds
                layer.path = CGPath(
                    rect: CGRect(x: 0, y: 0, width: geometry.bounds.width / 4, height: geometry.bounds.height),
                    transform: nil)
                layer.fillColor = CGColor(red: 1, green: 0, blue: 1, alpha: 1)
                return layer
            }
        }
        let bench = try ExportBench()
        var settings = PictureSettings()
        settings.add(try #require(CIFilter(name: "CIColorInvert")))
        settings.add(Corner())
        let session = try AVAssetExportSession(asset: AVURLAsset(url: TestMedia.url("alpha-qtrle.mov")))
        session.setPicture(settings, viewSize: CGSize(width: 160, height: 96))
        session.timeRange = CMTimeRange(start: .zero, end: CMTime(value: 1, timescale: 5))
        try await session.export(to: bench.url("out.webm"))
        let first = try #require(try await columns(bench, bench.url("out.webm")).first)
        #expect(
            isNear(first[0], [255, 0, 255, 255], within: 14) && isNear(first[1], [25, 215, 215, 128], within: 14)
                && first[2][3] < 30, "\(first)")
    }

    @Test("a format without alpha is composed over black and reports the loss", arguments: ["mp4", "mov", "gif"])
    func overBlack(type: String) async throws {
        let bench = try ExportBench()
        let session = try AVAssetExportSession(asset: AVURLAsset(url: TestMedia.url("alpha-qtrle.mov")))
        let file = bench.url("out.\(type)")
        try await session.export(to: file)
        #expect(session.exportProgress.losesAlpha)
        let first = try #require(try await columns(bench, file).first)
        #expect(
            isNear(first[0], [0, 0, 0, 255], within: 12) && isNear(first[1], [115, 20, 20, 255], within: 14)
                && isNear(first[3], [40, 40, 230, 255], within: 14), "\(first)")
    }

    @Test("an opaque video reports no loss of alpha")
    func opaque() async throws {
        let bench = try ExportBench()
        for type in ["webm", "mp4"] {
            let session = try AVAssetExportSession(asset: AVURLAsset(url: TestMedia.url("quad-709.mp4")))
            session.timeRange = CMTimeRange(start: .zero, end: CMTime(value: 1, timescale: 5))
            try await session.export(to: bench.url("out.\(type)"))
            #expect(!session.exportProgress.losesAlpha)
            #expect(
                try await bench.probe(
                    bench.url("out.\(type)"), "-select_streams", "v", "-show_entries", "stream_tags=alpha_mode"
                ).isEmpty)
        }
    }
}
