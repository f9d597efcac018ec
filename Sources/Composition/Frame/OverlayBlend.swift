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

    /// `over` of premultiplied colours: what is there × (255 − alpha) / 255 + what comes. Two channels at a time.
    @inline(__always)
    private static func blend(_ source: UnsafePointer<UInt32>, _ target: UnsafeMutablePointer<UInt32>, _ count: Int) {
        for index in 0..<count {
            let over = source[index]
            // Most of a subtitle's rectangle is empty, most of a shape's opaque.
            if over == 0 { continue }
            let alpha = over >> 24
            if alpha == 255 {
                target[index] = over
                continue
            }
            let rest = 255 - alpha, under = target[index]
            // (v · rest + 128) · 257 >> 16 is v · rest / 255, rounded; on both halves at once.
            var rb = (under & 0x00FF_00FF) &* rest &+ 0x0080_0080
            rb = ((rb &+ ((rb >> 8) & 0x00FF_00FF)) >> 8) & 0x00FF_00FF
            var ag = ((under >> 8) & 0x00FF_00FF) &* rest &+ 0x0080_0080
            ag = (ag &+ ((ag >> 8) & 0x00FF_00FF)) & 0xFF00_FF00
            target[index] = over &+ (rb | ag)
        }
    }
}
