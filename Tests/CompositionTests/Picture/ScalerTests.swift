import CFFmpeg
import Foundation
import MediaEngine
import TestSupport
import Testing

@testable import Filters

@Suite("Converting and scaling")
struct ScalerTests {
    /// Draws into a buffer of the requested size, followed by guard bytes.
    private func draw(
        _ layout: TestPicture.Layout, source: (Int, Int), width: Int, height: Int,
        gravity: AVLayerVideoGravity = .resize, rotation: Int = 0,
        scaler: FrameScaler
    ) throws -> (pixels: [UInt8], fenceHolds: Bool) {
        let frame = try #require(
            TestPicture.quadrants(width: source.0, height: source.1, layout: layout, rotation: rotation))
        let placement = VideoPlacement(picture: frame.presentationSize, width: width, height: height, gravity: gravity)
        let stride = placement.width * 4
        let count = stride * placement.height
        let end = count + FrameScaler.slack
        var memory = [UInt8](repeating: 0xA5, count: end + 512)
        let done = memory.withUnsafeMutableBytes { raw in
            raw.baseAddress.map { scaler.draw(frame, placement: placement, into: $0, stride: stride) } ?? false
        }
        #expect(done)
        return (Array(memory[..<count]), memory[end...].allSatisfy { $0 == 0xA5 })
    }

    @Test("the scaler never writes beyond its memory at any width", arguments: TestPicture.Layout.allCases)
    func bounds(layout: TestPicture.Layout) throws {
        let scaler = FrameScaler()
        for width in 1...67 {
            for (source, rotation) in [((64, 36), 0), ((16, 10), 0), ((max(2, width), 10), 0), ((64, 36), 90)] {
                let drawn = try draw(
                    layout, source: source, width: width, height: 10, rotation: rotation, scaler: scaler)
                let fenceHolds = drawn.fenceHolds
                #expect(fenceHolds, "\(layout) \(source) to \(width)×10, turned \(rotation)")
            }
        }
    }

    @Test("frames without alpha are opaque", arguments: TestPicture.Layout.allCases)
    func opacity(layout: TestPicture.Layout) throws {
        for (width, height) in [(64, 36), (40, 20), (151, 77)] {
            let drawn = try draw(layout, source: (64, 36), width: width, height: height, scaler: FrameScaler())
            let isOpaque = stride(from: 3, to: drawn.pixels.count, by: 4).allSatisfy { drawn.pixels[$0] == 255 }
            #expect(isOpaque, "\(layout) to \(width)×\(height)")
        }
    }

    @Test(
        "HDR and RGB frames without alpha are opaque",
        arguments: ["yuv420p10le", "bgr0", "rgb0", "0bgr", "0rgb", "rgb24", "gbrp", "gray"])
    func opacity(format: String) throws {
        var picture = CodePicture()
        picture.format = format
        if format.hasPrefix("yuv") { (picture.transfer, picture.primaries) = (AVCOL_TRC_SMPTE2084, AVCOL_PRI_BT2020) }
        let frame = try #require(picture.make { _, _ in SIMD3(0.6, 0.5, 0.4) })
        for (width, height) in [(16, 16), (31, 10)] {
            var memory = [UInt8](repeating: 0, count: width * height * 4 + FrameScaler.slack)
            let placement = VideoPlacement(
                picture: frame.presentationSize, width: width, height: height, gravity: .resize)
            let isDone = memory.withUnsafeMutableBytes { raw in
                raw.baseAddress.map { FrameScaler().draw(frame, placement: placement, into: $0, stride: width * 4) }
            }
            #expect(isDone == true)
            let isOpaque = stride(from: 3, to: width * height * 4, by: 4).allSatisfy { memory[$0] == 255 }
            #expect(isOpaque, "to \(width)×\(height)")
        }
    }

    @Test("equal conversions share one scaler until the last user releases it")
    func sharing() throws {
        func setup(_ width: Int32) throws -> ScaleContext.Setup {
            let frame = try #require(TestPicture.quadrants(width: 64, height: 36, layout: .yuv420p))
            return frame.withAVFrame {
                .init(
                    sourceWidth: 64, sourceHeight: 36, sourceFormat: AV_PIX_FMT_YUV420P, width: width, height: 24,
                    format: AV_PIX_FMT_BGR0,
                    color: PictureColor($0), flags: Int32(SWS_AREA))
            }
        }
        var scaler = SharedScaler.of(try setup(40))
        weak let known = scaler
        let same = try setup(40)
        let other = try setup(41)
        #expect(known != nil)
        #expect(SharedScaler.of(same) === known)
        #expect(SharedScaler.of(other) !== known)
        // Successive uses need one scaler. Simultaneous uses need two, which are kept.
        #expect(known?.use { _ in known?.idleCount } == 0 && known?.idleCount == 1)
        #expect(known?.use { first in known?.use { $0 !== first } } == true && known?.idleCount == 2)
        scaler = nil
        #expect(known == nil && scaler == nil)
        // libswscale cannot convert to this format.
        var odd = try setup(40)
        odd.format = AV_PIX_FMT_VAAPI
        #expect(SharedScaler.of(odd) == nil)
    }

    @Test("the four colors stay in place at every rotation", arguments: [0, 90, 180, 270])
    func turns(rotation: Int) throws {
        let order = [0: [0, 1, 2, 3], 90: [2, 0, 3, 1], 180: [3, 2, 1, 0], 270: [1, 3, 0, 2]][rotation] ?? []
        let drawn = try draw(
            .yuv420p, source: (64, 36), width: 80, height: 60, rotation: rotation, scaler: FrameScaler())
        for (index, at) in [(20, 15), (60, 15), (20, 45), (60, 45)].enumerated() {
            let pixel = drawn.pixels[(at.1 * 80 + at.0) * 4..<(at.1 * 80 + at.0) * 4 + 3].map(Int.init)
            let wanted = TestPicture.colors[order[index]].reversed()
            #expect(
                zip(pixel, wanted).allSatisfy { abs($0 - $1) <= 6 },
                "quadrant \(index): \(pixel), wanted \(Array(wanted))")
        }
    }

    @Test("colors applied by band match colors applied at once", arguments: TestPicture.Layout.allCases)
    func bands(layout: TestPicture.Layout) throws {
        let sepia = try #require(
            ColorFold.withoutDrawing(CIImage.source(CGSize(width: 64, height: 300)).applyingFilter("CISepiaTone")))
        #expect(sepia.kind == .matrix)
        for (source, target, rotation) in [
            ((64, 300), (64, 300), 0), ((64, 300), (31, 211), 0), ((50, 130), (75, 401), 0), ((64, 300), (129, 40), 90),
        ] {
            let frame = try #require(
                TestPicture.quadrants(width: source.0, height: source.1, layout: layout, rotation: rotation))
            let placement = VideoPlacement(
                picture: frame.presentationSize, width: target.0, height: target.1, gravity: .resize)
            let stride = target.0 * 4
            func drawn(_ colors: FoldedColors?) -> [UInt8] {
                var memory = [UInt8](repeating: 0, count: stride * target.1 + FrameScaler.slack)
                memory.withUnsafeMutableBytes { raw in
                    guard let base = raw.baseAddress else { return }
                    #expect(FrameScaler().draw(frame, placement: placement, colors: colors, into: base, stride: stride))
                    if colors == nil { sepia.apply(to: base, width: target.0, height: target.1, stride: stride) }
                }
                return Array(memory[..<(stride * target.1)])
            }
            let isSame = drawn(sepia) == drawn(nil)
            #expect(isSame, "\(layout) \(source) to \(target), turned \(rotation)")
        }
    }
}
