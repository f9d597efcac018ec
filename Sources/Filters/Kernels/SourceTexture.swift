import CEGL
import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// The video frame as a texture: upright, with square pixels, in displayed RGB (HDR is tone mapped), premultiplied.
///
/// The same scaler draws frames without filters.
final class SourceTexture {
    private let scaler = FrameScaler()
    private var pixels: [UInt8] = []
    private let texture = zc_glGenTexture()
    private var width = 0, height = 0
    private weak var last: VideoFrame?

    /// Returns the size of `frame` in whole square pixels, at least 1×1.
    static func size(of frame: VideoFrame) -> (width: Int, height: Int) {
        let size = frame.presentationSize
        return (max(1, Int(size.width.rounded())), max(1, Int(size.height.rounded())))
    }

    /// Uploads `frame`, unless it is already in the texture.
    /// - Throws: `.operationNotSupported` for a pixel format that libswscale can't convert, or a frame larger than
    ///   `maximumSize`.
    func load(_ frame: VideoFrame, maximumSize: Int) throws(AVError) -> RecipeExecutor.Source {
        let (width, height) = SourceTexture.size(of: frame)
        let source = RecipeExecutor.Source(
            texture: texture, width: width, height: height, isTopDown: true, isOpaque: !frame.hasAlpha)
        // The same frame is requested again, for example with other filters.
        if let last, last === frame { return source }
        guard width <= maximumSize, height <= maximumSize else {
            throw AVError(
                .operationNotSupported, at: "",
                reason:
                    "the frame has \(width)×\(height) pixels, but textures on this computer have at most \(maximumSize) pixels per side",
                suggestion: "Play a lower quality, or remove the filters")
        }
        last = nil
        let count = width * height * 4 + FrameScaler.slack
        if pixels.count < count { pixels = [UInt8](repeating: 0, count: count) }
        let placement = VideoPlacement(picture: frame.presentationSize, width: width, height: height, gravity: .resize)
        let done = pixels.withUnsafeMutableBytes { raw in
            raw.baseAddress.map { scaler.draw(frame, placement: placement, into: $0, stride: width * 4) } ?? false
        }
        guard done else {
            let name = frame.withAVFrame {
                av_get_pix_fmt_name(AVPixelFormat($0.pointee.format)).map { String(cString: $0) }
            }
            throw AVError(
                .operationNotSupported, at: "",
                reason: "the frame's pixel format (\(name ?? "unknown")) can't be converted for filters",
                suggestion: "Remove the filters, or turn hardware decoding off")
        }
        if (self.width, self.height) != (width, height) {
            zc_glAllocate(texture, 0, Int32(width), Int32(height))
            zc_glReadAsBGRA(texture)
            (self.width, self.height) = (width, height)
        }
        pixels.withUnsafeBytes { zc_glUpload(texture, Int32(width), Int32(height), Int32(width * 4), $0.baseAddress) }
        last = frame
        return source
    }
}
