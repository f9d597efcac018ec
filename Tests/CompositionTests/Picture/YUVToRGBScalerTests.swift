import CFFmpeg
import CPixels
import Foundation
import TestSupport
import Testing

@testable import Filters
@testable import MediaEngine

@Suite("Scaling YUV")
struct YUVToRGBScalerTests {
    /// A plane of samples, and its position relative to luma.
    private struct Plane {
        let width: Int, height: Int
        var samples: [UInt16]
        /// The number of luma samples for each sample, and the position of the first one relative to the first luma
        /// sample.
        let step: (x: Double, y: Double)
        let position: (x: Double, y: Double)

        /// The share of sample `n` in a pixel of the size `size` at `center`, both in samples.
        private static func share(_ n: Int, _ center: Double, _ size: Double) -> Double {
            if size <= 1 { return max(0, 1 - abs(Double(n) - center)) }
            let overlap = min(Double(n) + 0.5, center + size / 2) - max(Double(n) - 0.5, center - size / 2)
            return max(0, overlap) / size
        }

        /// The shares of all samples in one direction in a pixel. The border continues outside.
        private static func shares(_ count: Int, _ center: Double, _ size: Double) -> [(index: Int, share: Double)] {
            let reach = Int(size.rounded(.up)) + 2
            return (Int(center) - reach...Int(center) + reach).compactMap { n in
                let share = share(n, center, size)
                return share > 0 ? (min(max(0, n), count - 1), share) : nil
            }
        }

        /// The exact value of pixel (`x`, `y`), where a pixel covers `ratio` luma samples.
        func value(_ x: Int, _ y: Int, _ ratio: (x: Double, y: Double)) -> Double {
            let columns = Plane.shares(
                width, ((Double(x) + 0.5) * ratio.x - 0.5 - position.x) / step.x, ratio.x / step.x)
            let rows = Plane.shares(
                height, ((Double(y) + 0.5) * ratio.y - 0.5 - position.y) / step.y, ratio.y / step.y)
            return rows.reduce(0.0) { sum, row in
                columns.reduce(sum) {
                    $0 + Double(samples[row.index * width + $1.index]) * row.share * $1.share
                }
            }
        }
    }

    struct Form: CustomTestStringConvertible, Sendable {
        let format: AVPixelFormat
        let space: AVColorSpace
        let isFull: Bool
        let location: AVChromaLocation
        let name: String
        var testDescription: String { name }
    }

    static let forms = [
        Form(
            format: AV_PIX_FMT_YUV420P, space: AVCOL_SPC_BT709, isFull: false, location: AVCHROMA_LOC_LEFT,
            name: "4:2:0, BT.709"),
        Form(
            format: AV_PIX_FMT_YUV420P, space: AVCOL_SPC_BT2020_NCL, isFull: false, location: AVCHROMA_LOC_TOPLEFT,
            name: "4:2:0, BT.2020"),
        Form(
            format: AV_PIX_FMT_YUVJ420P, space: AVCOL_SPC_SMPTE170M, isFull: true, location: AVCHROMA_LOC_CENTER,
            name: "4:2:0, BT.601, full range"),
        Form(
            format: AV_PIX_FMT_YUV422P, space: AVCOL_SPC_SMPTE240M, isFull: false, location: AVCHROMA_LOC_LEFT,
            name: "4:2:2"),
        Form(
            format: AV_PIX_FMT_YUV444P, space: AVCOL_SPC_FCC, isFull: true, location: AVCHROMA_LOC_UNSPECIFIED,
            name: "4:4:4"),
        Form(
            format: AV_PIX_FMT_NV12, space: AVCOL_SPC_BT709, isFull: false, location: AVCHROMA_LOC_BOTTOMLEFT,
            name: "NV12"),
        Form(
            format: AV_PIX_FMT_YUV420P10LE, space: AVCOL_SPC_BT709, isFull: false, location: AVCHROMA_LOC_LEFT,
            name: "4:2:0, 10 bits"),
        Form(
            format: AV_PIX_FMT_YUV444P10LE, space: AVCOL_SPC_BT2020_NCL, isFull: true,
            location: AVCHROMA_LOC_UNSPECIFIED,
            name: "4:4:4, 10 bits, full range"),
        Form(
            format: AV_PIX_FMT_YUV422P12LE, space: AVCOL_SPC_BT709, isFull: true, location: AVCHROMA_LOC_LEFT,
            name: "4:2:2, 12 bits, full range"),
    ]

    /// The highest sample of a setup's frames.
    private static func highest(_ setup: ScaleContext.Setup) throws -> Double {
        Double((1 << Int(try #require(av_pix_fmt_desc_get(setup.sourceFormat)).pointee.comp.0.depth)) - 1)
    }

    /// A frame with random samples, its setup and its planes.
    private static func make(
        _ form: Form, _ source: (width: Int, height: Int), _ size: (width: Int, height: Int)
    ) throws -> (setup: ScaleContext.Setup, planes: [Plane]) {
        var frame = AVFrame()
        frame.format = form.format.rawValue
        (frame.width, frame.height) = (Int32(source.width), Int32(source.height))
        frame.colorspace = form.space
        frame.color_range = form.isFull ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        frame.chroma_location = form.location
        let color = PictureColor(&frame)
        let setup = ScaleContext.Setup(
            sourceWidth: Int32(source.width), sourceHeight: Int32(source.height), sourceFormat: form.format,
            width: Int32(size.width), height: Int32(size.height), format: AV_PIX_FMT_BGR0, color: color,
            flags: Int32(size.width < source.width || size.height < source.height ? SWS_AREA : SWS_BILINEAR))
        let descriptor = try #require(av_pix_fmt_desc_get(form.format)).pointee
        let (dx, dy) = (1 << Int(descriptor.log2_chroma_w), 1 << Int(descriptor.log2_chroma_h))
        var random = SeededNumbers(seed: 7)
        let highest = UInt16(try highest(setup))
        func plane(_ dx: Int, _ dy: Int, _ x: Int, _ y: Int) -> Plane {
            let (width, height) = ((source.width + dx - 1) / dx, (source.height + dy - 1) / dy)
            return Plane(
                width: width, height: height,
                samples: (0..<width * height).map { _ in .random(in: 0...highest, using: &random) },
                step: (Double(dx), Double(dy)), position: (Double(x) / 256, Double(y) / 256))
        }
        return (
            setup,
            [
                plane(1, 1, 0, 0), plane(dx, dy, color.chromaX, color.chromaY),
                plane(dx, dy, color.chromaX, color.chromaY),
            ]
        )
    }

    /// Scales with the memory of the planes, without a byte more.
    private static func scale(
        _ setup: ScaleContext.Setup, _ planes: [Plane], with context: ScaleContext? = nil, inBands: Bool = false
    ) throws -> [UInt8] {
        let context = try #require(context ?? ScaleContext(setup))
        var samples = planes.map(\.samples)
        if setup.sourceFormat == AV_PIX_FMT_NV12 {
            samples = [samples[0], zip(samples[1], samples[2]).flatMap { [$0, $1] }]
        }
        let isWide = try highest(setup) > 255
        let bytes = samples.map { $0.flatMap { isWide ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0)] } }
        let strides = bytes.indices.map { Int32(bytes[$0].count / planes[$0].height) }
        let memory = bytes.map { plane in
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: plane.count)
            _ = copy.initialize(from: plane)
            return copy
        }
        defer { for plane in memory { plane.deallocate() } }
        let pointers = (0..<4).map { $0 < memory.count ? UnsafePointer(memory[$0].baseAddress) : nil }
        var pixels = [UInt8](repeating: 0, count: Int(setup.width * setup.height) * 4)
        var ready = 0
        let isDone = pixels.withUnsafeMutableBufferPointer { pixels in
            let target = [pixels.baseAddress, nil, nil, nil]
            let allStrides = (0..<4).map { $0 < strides.count ? strides[$0] : 0 }
            guard inBands else { return context.run(pointers, allStrides, to: target, [setup.width * 4, 0, 0, 0]) }
            return context.run(pointers, allStrides, to: target, [setup.width * 4, 0, 0, 0]) { rows in
                #expect(rows.lowerBound == ready)
                ready = rows.upperBound
            }
        }
        #expect(isDone)
        if inBands { #expect(ready == Int(setup.height)) }
        return pixels
    }

    /// The exact color of a pixel: blue, green, red.
    private static func exact(
        _ setup: ScaleContext.Setup, _ planes: [Plane], _ x: Int, _ y: Int
    ) throws -> [Double] {
        let ratio = (
            x: Double(setup.sourceWidth) / Double(setup.width), y: Double(setup.sourceHeight) / Double(setup.height)
        )
        let isFull = setup.color.isFullRange
        let (kr, kb) = setup.color.weights
        // The sample of 1 in 8 bits.
        let unit = (try highest(setup) + 1) / 256
        let luma =
            (planes[0].value(x, y, ratio) - (isFull ? 0 : 16 * unit)) * 255 / (isFull ? try highest(setup) : 219 * unit)
        let (u, v) = (planes[1].value(x, y, ratio) - 128 * unit, planes[2].value(x, y, ratio) - 128 * unit)
        let scale = 255 / (isFull ? try highest(setup) : 224 * unit)
        let (blue, red) = (luma + 2 * (1 - kb) * u * scale, luma + 2 * (1 - kr) * v * scale)
        return [blue, (luma - kr * red - kb * blue) / (1 - kr - kb), red].map { min(255, max(0, $0)) }
    }

    // Without vector instructions, libswscale scales.
    @Test(
        "each channel differs by at most 1 from the exact result", .enabled(if: zt_can_scale() != 0), arguments: forms)
    func exactness(form: Form) throws {
        for (source, size) in [
            ((96, 54), (64, 36)), ((97, 53), (61, 33)), ((64, 36), (128, 72)), ((33, 17), (70, 41)),
            ((120, 68), (40, 23)),
            ((64, 1), (32, 1)), ((51, 37), (51, 37)), ((40, 30), (17, 60)), ((200, 9), (64, 2)), ((36, 40), (640, 3)),
            ((200, 120), (30, 17)),
            ((640, 120), (50, 10)),
        ] {
            let (setup, planes) = try YUVToRGBScalerTests.make(form, source, size)
            try #require(YUVToRGBScaler(setup) != nil)
            let pixels = try YUVToRGBScalerTests.scale(setup, planes)
            var worst = 0.0
            for y in 0..<size.1 {
                for x in 0..<size.0 {
                    let at = (y * size.0 + x) * 4
                    for (channel, exact) in try YUVToRGBScalerTests.exact(setup, planes, x, y).enumerated() {
                        worst = max(worst, abs(Double(pixels[at + channel]) - exact))
                    }
                }
            }
            #expect(worst < 1, "\(source) to \(size): \(worst)")
            let isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
            #expect(isOpaque)
        }
    }

    @Test("a scaler keeps no rows of the previous frame")
    func bands() throws {
        // With two rows, all rows of the previous frame would still be kept.
        for (source, size) in [((128, 200), (90, 131)), ((64, 2), (100, 70))] {
            let (setup, planes) = try YUVToRGBScalerTests.make(YUVToRGBScalerTests.forms[0], source, size)
            let alone = try YUVToRGBScalerTests.scale(setup, planes)
            let context = try #require(ScaleContext(setup))
            let other = planes.map { plane in
                var other = plane
                other.samples.reverse()
                return other
            }
            let former = try YUVToRGBScalerTests.scale(setup, other, with: context)
            let second = try YUVToRGBScalerTests.scale(setup, planes, with: context, inBands: true)
            #expect(former != alone && second == alone)
        }
    }

    @Test("libswscale scales what the vector code cannot")
    func others() throws {
        // Narrow rows, a large reduction, and the frame's own size.
        for (source, size) in [((8, 8), (20, 20)), ((20, 20), (30, 30)), ((1600, 600), (50, 40)), ((48, 32), (48, 32))]
        {
            let (setup, planes) = try YUVToRGBScalerTests.make(YUVToRGBScalerTests.forms[0], source, size)
            #expect(YUVToRGBScaler(setup) == nil)
            let gray = planes.map { plane in
                var gray = plane
                gray.samples = plane.samples.map { _ in 128 }
                return gray
            }
            var padded = setup
            padded.width = (setup.width + 15) & ~15
            let pixels = try YUVToRGBScalerTests.scale(padded, gray)
            #expect(pixels.prefix(3).allSatisfy { abs(Int($0) - 130) <= 1 }, "\(Array(pixels.prefix(4)))")
        }
    }
}
