import MediaEngine

/// Functions that scale the rectangles of bitmap subtitles to the frame.
enum BitmapScaler {
    static func bitmaps(_ bitmap: SubtitleBitmap, in geometry: OverlayGeometry) -> [OverlayBitmap] {
        guard bitmap.canvasWidth > 0, bitmap.canvasHeight > 0 else { return [] }
        let scaleX = Double(geometry.frameWidth) / Double(bitmap.canvasWidth)
        let scaleY = bitmap.hasSquarePixels ? scaleX : Double(geometry.frameHeight) / Double(bitmap.canvasHeight)
        let left = Double(geometry.frameX)
        // If the video lacks the black bars of its original, the canvas is taller than the frame and is centered on it.
        let top =
            Double(geometry.frameY) + (Double(geometry.frameHeight) - scaleY * Double(bitmap.canvasHeight)) / 2
        return bitmap.rectangles.compactMap { rectangle in
            let width = max(1, Int((Double(rectangle.width) * scaleX).rounded()))
            let height = max(1, Int((Double(rectangle.height) * scaleY).rounded()))
            guard width <= 16_384, height <= 16_384 else { return nil }
            var x = Int((left + Double(rectangle.x) * scaleX).rounded())
            var y = Int((top + Double(rectangle.y) * scaleY).rounded())
            // A rectangle outside the view is moved inside if it fits.
            if height <= geometry.height { y = min(max(y, 0), geometry.height - height) }
            if width <= geometry.width { x = min(max(x, 0), geometry.width - width) }
            return OverlayBitmap(x: x, y: y, width: width, height: height, pixels: scaled(rectangle, width, height))
        }
    }

    /// Returns the scaled pixels: interpolated linearly when enlarged, averaged when reduced.
    ///
    /// The pixels are premultiplied, so that transparent pixels have no influence on the color.
    private static func scaled(_ source: SubtitleBitmap.Rectangle, _ width: Int, _ height: Int) -> [UInt32] {
        let pixels = source.pixels
        if width == source.width, height == source.height { return pixels }
        let columns = taps(source.width, width)
        let rows = taps(source.height, height)
        // Four components per pixel, first scaled horizontally, then vertically.
        var across = [SIMD4<Float>](repeating: .zero, count: width * source.height)
        for y in 0..<source.height {
            for x in 0..<width {
                var sum = SIMD4<Float>.zero
                for (index, weight) in columns[x] { sum += parts(pixels[y * source.width + index]) * weight }
                across[y * width + x] = sum
            }
        }
        var result = [UInt32](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                var sum = SIMD4<Float>(repeating: 0.5)
                for (index, weight) in rows[y] { sum += across[index * width + x] * weight }
                let bytes = sum.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
                // Rounding must not make a component larger than alpha.
                let alpha = UInt32(bytes.w)
                result[y * width + x] =
                    alpha << 24 | min(alpha, UInt32(bytes.x)) << 16 | min(alpha, UInt32(bytes.y)) << 8
                    | min(alpha, UInt32(bytes.z))
            }
        }
        return result
    }

    private static func parts(_ pixel: UInt32) -> SIMD4<Float> {
        SIMD4(Float(pixel >> 16 & 255), Float(pixel >> 8 & 255), Float(pixel & 255), Float(pixel >> 24))
    }

    /// Returns the source pixels and their weights for each of `targetCount` pixels, from a row of `count`.
    ///
    /// The weights form a triangle, whose reach to each side is one pixel of the smaller image.
    private static func taps(_ count: Int, _ targetCount: Int) -> [[(Int, Float)]] {
        let step = Double(count) / Double(targetCount)
        let reach = max(1, step)
        return (0..<targetCount).map { index in
            let center = (Double(index) + 0.5) * step - 0.5
            var weights: [(Int, Float)] = []
            var total: Float = 0
            for sourceIndex in Int((center - reach).rounded(.up))...Int((center + reach).rounded(.down)) {
                let weight = Float(1 - abs(Double(sourceIndex) - center) / reach)
                guard weight > 0 else { continue }
                weights.append((min(max(sourceIndex, 0), count - 1), weight))
                total += weight
            }
            return weights.map { ($0.0, $0.1 / total) }
        }
    }
}
