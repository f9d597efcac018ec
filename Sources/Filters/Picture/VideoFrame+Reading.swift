import Foundation
import MediaCore
import MediaEngine

/// Pixels to read, whatever format the decoder left them in: for machine learning and machine vision.
extension VideoFrame {
    /// Hands a closure the picture's pixels in one form: upright, in square pixels, in the size that is wanted, as a
    /// window would show it (HDR is tone mapped).
    ///
    /// Blocks for as long as converting takes; any thread. The memory is the closure's while it runs.
    ///
    /// - Parameters:
    ///   - width: pixels, 1…16384; nil: as wide as the picture is to be seen. `height` likewise.
    ///   - gravity: `.resize`, the default, fills the size whatever that does to the shape; `.resizeAspectFill` cuts
    ///     off what is over it; `.resizeAspect` keeps all of it, with black beside it.
    ///   - body: gets rows from the top, `bytesPerRow` bytes apart: blue, green, red, alpha of 8 bits each, in sRGB's
    ///     colours. Alpha is 255, and of a picture with transparency what colours have been multiplied by.
    /// - Returns: what the closure returns.
    /// - Throws: `.invalidArgument` for a size out of range, `.operationNotSupported` for pixels that libswscale cannot
    ///   read (those in a graphics card's memory); what `body` throws.
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

    /// Libswscale writes a little past the end of each row, into what is beside the picture.
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
