import Testing

@testable import Filters
@testable import Overlays

@Suite("Overlays over a frame")
struct OverlayBlendTests {
    private func blend(_ over: UInt32, _ under: UInt32) throws -> UInt32 {
        let bitmap = try #require(OverlayBitmap(x: 0, y: 0, width: 1, height: 1, pixels: [over]))
        var pixels = [under]
        pixels.withUnsafeMutableBytes { raw in
            if let base = raw.baseAddress {
                OverlayBlend.draw(bitmap, over: base, x: 0, y: 0, width: 1, height: 1, stride: 4)
            }
        }
        return pixels[0]
    }

    @Test("an overlay blends as premultiplied colors, exact to half a step")
    func formula() throws {
        for alpha in 0...255 {
            for (color, under) in [(0.0, 200), (0.3, 17), (0.8, 0), (1.0, 255)] as [(Double, UInt32)] {
                let value = UInt32((color * Double(alpha)).rounded())
                let over = UInt32(alpha) << 24 | value << 16 | value << 8 | value
                let result = try blend(over, under << 16 | under << 8 | under)
                let expected = Double(value) + Double(under) * Double(255 - alpha) / 255
                for shift in [0, 8, 16] as [UInt32] {
                    #expect(
                        abs(Double(result >> shift & 0xFF) - expected) <= 0.5001,
                        "alpha \(alpha), \(value) over \(under)")
                }
            }
        }
    }

    /// Pixels are blended in groups of four, and the remaining ones individually.
    @Test("an overlay blends the same for every width")
    func groups() throws {
        for width in 1...11 {
            let over = (0..<width).map { i -> UInt32 in
                let alpha = UInt32(i * 53 % 256)
                return alpha << 24 | (alpha / 2) << 16 | (alpha / 3) << 8 | alpha
            }
            let under = (0..<width).map { UInt32(truncatingIfNeeded: $0 &* 2_654_435_761) & 0xFF_FFFF }
            let bitmap = try #require(OverlayBitmap(x: 0, y: 0, width: width, height: 1, pixels: over))
            var row = under
            row.withUnsafeMutableBytes { raw in
                if let base = raw.baseAddress {
                    OverlayBlend.draw(bitmap, over: base, x: 0, y: 0, width: width, height: 1, stride: width * 4)
                }
            }
            for index in 0..<width {
                #expect(
                    try row[index] & 0xFF_FFFF == blend(over[index], under[index]) & 0xFF_FFFF, "\(index) of \(width)")
            }
        }
    }

    @Test("an overlay's share scales its colors and alpha for every width")
    func shares() throws {
        for share in 0...255 {
            let width = share % 11 + 1
            let over = (0..<width).map { i -> UInt32 in
                let alpha = UInt32((i * 53 + share) % 256)
                return alpha << 24 | (alpha / 2) << 16 | (alpha / 3) << 8 | alpha
            }
            let under = (0..<width).map { UInt32(truncatingIfNeeded: ($0 + 1) &* 2_654_435_761) & 0xFF_FFFF }
            let bitmap = try #require(OverlayBitmap(x: 0, y: 0, width: width, height: 1, pixels: over))
            var row = under
            row.withUnsafeMutableBytes { raw in
                if let base = raw.baseAddress {
                    OverlayBlend.draw(
                        bitmap, over: base, x: 0, y: 0, width: width, height: 1, stride: width * 4, share: UInt8(share))
                }
            }
            for index in 0..<width {
                for shift in [0, 8, 16] as [UInt32] {
                    let (value, alpha) = (
                        Double(over[index] >> shift & 0xFF) * Double(share) / 255,
                        Double(over[index] >> 24) * Double(share) / 255
                    )
                    let expected = value + Double(under[index] >> shift & 0xFF) * (1 - alpha / 255)
                    // Alpha, color and the rest of the frame are each rounded.
                    #expect(
                        abs(Double(row[index] >> shift & 0xFF) - expected) <= 1.5,
                        "share \(share), \(index) of \(width)")
                }
            }
        }
    }

    @Test("an overlay is cropped at the frame's edges", arguments: [(-2, -1), (3, 2), (-10, 0), (0, 10), (1, 1)])
    func clipping(x: Int, y: Int) throws {
        let bitmap = try #require(
            OverlayBitmap(x: x, y: y, width: 4, height: 3, pixels: [UInt32](repeating: 0xFFFF_FFFF, count: 12)))
        // A frame of 4 × 3 pixels at (1, 1) of the view, with a margin that must stay unchanged.
        var pixels = [UInt32](repeating: 7, count: 6 * 5)
        pixels.withUnsafeMutableBytes { raw in
            if let base = raw.baseAddress {
                OverlayBlend.draw(bitmap, over: base + 6 * 4 + 4, x: 1, y: 1, width: 4, height: 3, stride: 24)
            }
        }
        for row in 0..<5 {
            for column in 0..<6 {
                // The coordinates in memory are those of the view.
                let isInside =
                    (1..<5).contains(column) && (1..<4).contains(row) && (x..<x + 4).contains(column)
                    && (y..<y + 3).contains(row)
                #expect(pixels[row * 6 + column] == (isInside ? 0xFFFF_FFFF : 7), "at \(column), \(row)")
            }
        }
    }

    @Test("an overlay beside the frame extends the painted area to the view")
    func area() throws {
        let placement = VideoPlacement(
            picture: .init(width: 16, height: 9), width: 100, height: 100, gravity: .resizeAspect)
        let over = try #require(
            OverlayBitmap(x: 10, y: 30, width: 5, height: 5, pixels: [UInt32](repeating: 1, count: 25)))
        let beside = try #require(
            OverlayBitmap(x: 10, y: 90, width: 5, height: 5, pixels: [UInt32](repeating: 1, count: 25)))
        let outside = try #require(
            OverlayBitmap(x: -3, y: 30, width: 5, height: 5, pixels: [UInt32](repeating: 1, count: 25)))
        func area(_ bitmaps: [OverlayBitmap]) -> PicturePainter.Area {
            PicturePainter.area(placement, [OverlayContent(version: 1, bitmaps: bitmaps)], width: 100, height: 100)
        }
        #expect(area([over]) == PicturePainter.Area(x: 0, y: placement.y, width: 100, height: placement.height))
        #expect(area([over, beside]) == PicturePainter.Area(x: 0, y: 0, width: 100, height: 100))
        #expect(area([outside]).y == placement.y)
    }
}
