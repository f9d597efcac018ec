import Filters
import MediaEngine

/// A frame that the CPU has converted, scaled and rotated, for formats that the shader does not read.
///
/// The memory is reused for later frames.
struct ConvertedFrame {
    private let scaler = FrameScaler()
    private var pixels: [UInt8] = []

    /// Converts a frame, and calls `body` with the pixels in BGRX and the number of bytes per row.
    ///
    /// `body` must not convert another frame.
    /// - Returns: The result of `body`, or nil if the frame can't be converted.
    mutating func draw<Result>(
        _ frame: VideoFrame, _ placement: VideoPlacement, _ body: (UnsafeMutableRawPointer, Int) -> Result?
    ) -> Result? {
        let stride = placement.width * 4
        let count = stride * placement.height + FrameScaler.slack
        if pixels.count < count { pixels = [UInt8](repeating: 0, count: count) }
        let scaler = scaler
        return pixels.withUnsafeMutableBytes { raw in
            guard let base = raw.baseAddress, scaler.draw(frame, placement: placement, into: base, stride: stride)
            else { return nil }
            return body(base, stride)
        }
    }
}
