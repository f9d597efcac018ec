import CFFmpeg
import Filters
import Foundation
import MediaEngine
import TestSupport
import Testing

@Suite("Colors of samples")
struct PictureColorTests {
    private static let colors: [SIMD3<Double>] = [
        SIMD3(0, 0, 0), SIMD3(1, 1, 1), SIMD3(0.5, 0.5, 0.5), SIMD3(0.8, 0.2, 0.3), SIMD3(0.1, 0.7, 0.3),
        SIMD3(0.2, 0.25, 0.9), SIMD3(0.9, 0.8, 0.1),
    ]
    private func codes(_ color: SIMD3<Double>) -> [Int] {
        [color.x, color.y, color.z].map { Int(($0 * 255).rounded()) }
    }

    @Test(
        "every matrix, range, depth and layout shows its colors", arguments: TestPicture.Matrix.allCases,
        [false, true])
    func layouts(matrix: TestPicture.Matrix, isFullRange: Bool) throws {
        let scaler = FrameScaler()
        for format in [
            "yuv420p", "yuv422p", "yuv444p", "nv12", "yuv420p10le", "yuv422p10le", "yuv444p10le", "p010le",
            "yuv420p12le", "yuv422p12le", "yuv444p12le",
        ] {
            for color in Self.colors {
                var picture = CodePicture()
                (picture.format, picture.matrix, picture.isFullRange) = (format, matrix, isFullRange)
                let frame = try #require(picture.make { _, _ in color })
                for size in [16, 11, 30] {
                    let drawing = try Drawing(frame, width: size, height: size, scaler: scaler)
                    #expect(distance(drawing[size / 2, size / 2], codes(color)) <= 3, "\(format) \(size)")
                }
            }
        }
    }

    @Test(
        "RGB and gray formats show their colors at any size",
        arguments: ["gbrp", "gbrp10le", "gbrp12le", "rgb24", "bgr0", "gray", "gray10le"])
    func plain(format: String) throws {
        for color in Self.colors where !format.hasPrefix("gray") || color.x == color.z {
            for isFullRange in format.hasPrefix("gray") ? [false, true] : [true] {
                var picture = CodePicture()
                (picture.format, picture.isFullRange, picture.matrix) = (format, isFullRange, .bt709)
                let frame = try #require(picture.make { _, _ in color })
                #expect(
                    distance(try Drawing(frame, width: 24, height: 24)[12, 12], codes(color)) <= 2,
                    "\(format) \(isFullRange)")
                // HD width, for which YUV without a label would use another matrix.
                (picture.width, picture.height) = (1280, 8)
                let wide = try #require(picture.make { _, _ in color })
                #expect(
                    distance(try Drawing(wide, width: 640, height: 4)[320, 2], codes(color)) <= 2,
                    "\(format) \(isFullRange), wide")
            }
        }
    }

    @Test("unlabeled video is BT.601 in SD and BT.709 in HD")
    func unlabelled() throws {
        for (width, height, matrix) in [(64, 48, TestPicture.Matrix.bt601), (1280, 16, .bt709), (32, 600, .bt709)] {
            var picture = CodePicture()
            (picture.width, picture.height, picture.format, picture.matrix) = (width, height, "yuv420p", matrix)
            let frame = try #require(picture.make { _, _ in SIMD3(0.2, 0.7, 0.3) })
            frame.withAVFrame { UnsafeMutablePointer(mutating: $0).pointee.colorspace = AVCOL_SPC_UNSPECIFIED }
            #expect(
                distance(try Drawing(frame, width: width / 2, height: height / 2)[4, 4], codes(SIMD3(0.2, 0.7, 0.3)))
                    <= 3, "\(width)×\(height)")
        }
    }

    @Test(
        "chroma is sampled at its labeled position",
        arguments: [
            AVCHROMA_LOC_UNSPECIFIED, AVCHROMA_LOC_LEFT, AVCHROMA_LOC_CENTER, AVCHROMA_LOC_TOPLEFT, AVCHROMA_LOC_TOP,
            AVCHROMA_LOC_BOTTOMLEFT, AVCHROMA_LOC_BOTTOM,
        ])
    func siting(location: AVChromaLocation) throws {
        for format in ["yuv420p", "yuv420p10le", "yuv422p"] {
            var picture = CodePicture()
            (picture.width, picture.height, picture.format, picture.matrix, picture.location) = (
                16, 16, format, .bt709, location
            )
            // A linear gradient, so that colors between two samples are known. Half a pixel changes a color by 6 codes.
            func color(_ x: Double, _ y: Double) -> SIMD3<Double> {
                SIMD3(0.5 + 0.05 * (x - 8), 0.5, 0.5 + 0.05 * (y - 8))
            }
            let drawing = try Drawing(try #require(picture.make(color)), width: 32, height: 32)
            for y in stride(from: 8, to: 24, by: 3) {
                for x in stride(from: 8, to: 24, by: 4) {
                    // libswscale uses one chroma sample for two adjacent pixels, so their mean is compared.
                    let seen = zip(drawing[x, y], drawing[x + 1, y]).map { ($0 + $1) / 2 }
                    let wanted = codes(color(Double(x + 1) / 2, (Double(y) + 0.5) / 2))
                    #expect(distance(seen, wanted) <= 3, "\(format) at \(x), \(y): \(seen), wanted \(wanted)")
                }
            }
        }
    }
}
