import CPixels

/// Functions that blend bitmaps over frames in memory.
package enum OverlayBlend {
    /// Blends `bitmap` over BGRX pixels. Parts of the bitmap outside the pixels are cut off.
    ///
    /// - Parameters:
    ///   - pixels: The first pixel of an image whose top left corner is (`x`, `y`) in the bitmap's space.
    ///   - stride: The number of bytes per row.
    ///   - share: The opacity of the bitmap, 0…255.
    package static func draw(
        _ bitmap: OverlayBitmap, over pixels: UnsafeMutableRawPointer, x: Int, y: Int, width: Int, height: Int,
        stride: Int, share: UInt8 = 255
    ) {
        let left = max(bitmap.x, x)
        let right = min(bitmap.x + bitmap.width, x + width)
        let top = max(bitmap.y, y)
        let bottom = min(bitmap.y + bitmap.height, y + height)
        guard left < right, top < bottom else { return }
        bitmap.pixels.withUnsafeBufferPointer { all in
            guard let source = all.baseAddress else { return }
            for row in top..<bottom {
                let from = source + (row - bitmap.y) * bitmap.width + (left - bitmap.x)
                let to = (pixels + (row - y) * stride).assumingMemoryBound(to: UInt32.self) + (left - x)
                if share == 255 {
                    zt_pixels_over(to, from, right - left)
                } else {
                    zt_pixels_over_faded(to, from, right - left, share)
                }
            }
        }
    }
}
