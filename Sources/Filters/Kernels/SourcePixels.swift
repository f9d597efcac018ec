import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// The video frame as pixels in memory: upright, with square pixels, in displayed RGB (HDR is tone mapped), premultiplied.
///
/// The same scaler draws frames without filters.
final class SourcePixels {
    private let scaler = FrameScaler()
    private var pixels: [UInt8] = []
    private weak var last: VideoFrame?

    /// Returns the size of `frame` in whole square pixels, at least 1×1.
    static func size(of frame: VideoFrame) -> (width: Int, height: Int) {
        let size = frame.presentationSize
        return (max(1, Int(size.width.rounded())), max(1, Int(size.height.rounded())))
    }

    /// Converts `frame`, unless it was the last one. Calls `body` with its pixels, BGRA or BGRX in rows without gaps from
    /// the top.
    /// - Throws: `.operationNotSupported` for a pixel format that libswscale can't convert, and the errors of `body`.
    func load<Result>(
        _ frame: VideoFrame, _ body: (UnsafeMutableRawPointer) throws(AVError) -> Result
    ) throws(AVError) -> Result {
        let (width, height) = SourcePixels.size(of: frame)
        let count = width * height * 4 + FrameScaler.slack
        // The same frame is requested again, for example with other filters.
        let isLoaded = last.map { $0 === frame } ?? false
        last = nil
        if pixels.count < count { pixels = [UInt8](repeating: 0, count: count) }
        let placement = VideoPlacement(picture: frame.presentationSize, width: width, height: height, gravity: .resize)
        let result = pixels.withUnsafeMutableBytes { raw -> Swift.Result<Result, AVError>? in
            guard let base = raw.baseAddress,
                isLoaded || scaler.draw(frame, placement: placement, into: base, stride: width * 4)
            else { return nil }
            do throws(AVError) { return .success(try body(base)) } catch { return .failure(error) }
        }
        guard let result else {
            let name = frame.withAVFrame {
                av_get_pix_fmt_name(AVPixelFormat($0.pointee.format)).map { String(cString: $0) }
            }
            throw AVError(
                .operationNotSupported, at: "",
                reason: "the frame's pixel format (\(name ?? "unknown")) can't be converted for filters",
                suggestion: "Remove the filters, or turn hardware decoding off")
        }
        last = frame
        return try result.get()
    }
}
