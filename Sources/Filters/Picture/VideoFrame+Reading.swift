import Foundation
import MediaCore
import MediaEngine

/// Access to pixels in one format, independent of the decoder's format. For machine learning and machine vision.
extension VideoFrame {
    /// Calls `body` with the frame's pixels in one format: upright, with square pixels, in the requested size and
    /// displayed colors.
    ///
    /// HDR is tone mapped. The call blocks until the conversion is done. Callable on any thread. The memory is valid
    /// only while `body` runs.
    ///
    /// ```swift
    /// let brightness = try frame.withBGRA(width: 64, height: 36) { pixels, bytesPerRow in
    ///     var sum = 0
    ///     for y in 0..<36 {
    ///         for x in 0..<64 { sum += Int(pixels[y * bytesPerRow + x * 4 + 1]) }  // green
    ///     }
    ///     return Double(sum) / Double(64 * 36 * 255)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - width: The width in pixels, 1…16384. If nil, the width at which the frame is displayed.
    ///   - height: The height in pixels, 1…16384. If nil, the height at which the frame is displayed.
    ///   - gravity: `.resize`, the default, fills the size and ignores the aspect ratio. `.resizeAspectFill` crops
    ///     parts that do not fit. `.resizeAspect` shows the whole frame, with bars that are black, or transparent if
    ///     the frame has transparency.
    ///   - body: Receives the rows from the top, `bytesPerRow` bytes apart. Each pixel is blue, green, red and alpha of
    ///     8 bits, in sRGB. If the frame has transparency, colors are premultiplied by alpha. Otherwise alpha is 255.
    /// - Returns: The result of `body`.
    /// - Throws: `.invalidArgument` for a size out of range. `.operationNotSupported` for pixels that libswscale can't
    ///   read, such as those in a graphics card's memory. Errors of `body`.
    public func withBGRA<Result>(
        width: Int? = nil, height: Int? = nil, gravity: AVLayerVideoGravity = .resize,
        _ body: (_ pixels: UnsafeRawBufferPointer, _ bytesPerRow: Int) throws -> Result
    ) throws -> Result {
        let size = presentationSize
        let width = width ?? Int(saturating: size.width.rounded())
        let height = height ?? Int(saturating: size.height.rounded())
        guard (1...16384).contains(width), (1...16384).contains(height) else {
            throw AVError(
                .invalidArgument, at: "",
                reason:
                    "the frame size \(width) × \(height) is out of range: width and height must be 1 to 16384 pixels")
        }
        let placement = VideoPlacement(picture: size, width: width, height: height, gravity: gravity)
        let (row, count) = (width * 4, width * height * 4)
        var memory = Data(count: count + FrameScaler.slack)
        return try memory.withUnsafeMutableBytes { raw in
            guard let start = raw.baseAddress,
                FrameScaler().draw(
                    self, placement: placement, into: start + placement.y * row + placement.x * 4, stride: row)
            else {
                throw AVError(
                    .operationNotSupported, at: "", reason: "libswscale can't read the frame's pixel format")
            }
            clear(beside: placement, width: width, height: height, of: raw)
            if !hasAlpha { for at in stride(from: 3, to: count, by: 4) { raw[at] = 255 } }
            return try body(UnsafeRawBufferPointer(rebasing: raw[..<count]), row)
        }
    }

    /// Clears the pixels beside the frame, because libswscale writes slightly past the end of each row.
    private func clear(
        beside placement: VideoPlacement, width: Int, height: Int, of memory: UnsafeMutableRawBufferPointer
    ) {
        guard placement.width < width || placement.height < height else { return }
        func clear(_ y: Int, _ columns: Range<Int>) {
            for at in (y * width + columns.lowerBound) * 4..<(y * width + columns.upperBound) * 4 { memory[at] = 0 }
        }
        for y in 0..<height {
            guard (placement.y..<placement.y + placement.height).contains(y) else {
                clear(y, 0..<width)
                continue
            }
            clear(y, 0..<placement.x)
            clear(y, min(width, placement.x + placement.width)..<width)
        }
    }
}
