/// Lays bitmaps over pictures in memory.
package enum OverlayBlend {
    /// Blends `bitmap` over BGRX pixels; what lies outside is cut off.
    ///
    /// - Parameters:
    ///   - pixels: the first pixel of a picture whose top left corner is (`x`, `y`) in the bitmap's space.
    ///   - stride: bytes a row.
    package static func draw(
        _ bitmap: OverlayBitmap, over pixels: UnsafeMutableRawPointer, x: Int, y: Int, width: Int, height: Int, stride: Int
    ) {
        let left = max(bitmap.x, x), right = min(bitmap.x + bitmap.width, x + width)
        let top = max(bitmap.y, y), bottom = min(bitmap.y + bitmap.height, y + height)
        guard left < right, top < bottom else { return }
        bitmap.pixels.withUnsafeBufferPointer { all in
            guard let source = all.baseAddress else { return }
            for row in top..<bottom {
                let from = source + (row - bitmap.y) * bitmap.width + (left - bitmap.x)
                let to = (pixels + (row - y) * stride).assumingMemoryBound(to: UInt32.self) + (left - x)
                blend(from, to, right - left)
            }
        }
    }

    /// `over` of premultiplied colours: what is there × (255 − alpha) / 255 + what comes. Four pixels at a time.
    @inline(__always)
    private static func blend(_ source: UnsafePointer<UInt32>, _ target: UnsafeMutablePointer<UInt32>, _ count: Int) {
        let from = UnsafeRawPointer(source), to = UnsafeMutableRawPointer(target)
        var index = 0
        while index + 4 <= count {
            let over = from.loadUnaligned(fromByteOffset: index * 4, as: SIMD4<UInt32>.self)
            // Most of a subtitle's rectangle is empty.
            if over != SIMD4(repeating: 0) {
                let under = to.loadUnaligned(fromByteOffset: index * 4, as: SIMD4<UInt32>.self)
                to.storeBytes(of: blend(over, under), toByteOffset: index * 4, as: SIMD4<UInt32>.self)
            }
            index += 4
        }
        while index < count {
            if source[index] != 0 { target[index] = blend(SIMD4(repeating: source[index]), SIMD4(repeating: target[index]))[0] }
            index += 1
        }
    }

    /// Two channels of a pixel in the two halves of a word: (v · rest + 128) · 257 >> 16 is v · rest / 255, rounded.
    @inline(__always)
    private static func blend(_ over: SIMD4<UInt32>, _ under: SIMD4<UInt32>) -> SIMD4<UInt32> {
        let low = SIMD4<UInt32>(repeating: 0x00FF_00FF), half = SIMD8<UInt16>(repeating: 128)
        let one = SIMD4<UInt32>(repeating: 255) &- (over &>> 24)
        let rest = unsafeBitCast(one | one &<< 16, to: SIMD8<UInt16>.self)
        var rb = unsafeBitCast(under & low, to: SIMD8<UInt16>.self) &* rest &+ half
        rb = (rb &+ (rb &>> 8)) &>> 8
        var ag = unsafeBitCast((under &>> 8) & low, to: SIMD8<UInt16>.self) &* rest &+ half
        ag = (ag &+ (ag &>> 8)) & SIMD8<UInt16>(repeating: 0xFF00)
        return over &+ (unsafeBitCast(rb, to: SIMD4<UInt32>.self) | unsafeBitCast(ag, to: SIMD4<UInt32>.self))
    }
}
