import CEGL
import Foundation
import MediaCore
import MediaEngine

/// The video frame as a texture, uploaded from `SourcePixels`.
final class SourceTexture {
    private let texture = zc_glGenTexture()
    private var width = 0, height = 0
    private weak var last: VideoFrame?

    /// Uploads `frame`, unless it is already in the texture.
    /// - Throws: `.operationNotSupported` for a pixel format that libswscale can't convert, or a frame larger than
    ///   `maximumSize`.
    func load(_ frame: VideoFrame, from pixels: SourcePixels, maximumSize: Int) throws(AVError) -> RecipeExecutor.Source
    {
        let (width, height) = SourcePixels.size(of: frame)
        let source = RecipeExecutor.Source(
            texture: texture, width: width, height: height, isTopDown: true, isOpaque: !frame.hasAlpha)
        if let last, last === frame { return source }
        guard width <= maximumSize, height <= maximumSize else {
            throw AVError(
                .operationNotSupported, at: "",
                reason:
                    "the frame has \(width)×\(height) pixels, but textures on this computer have at most \(maximumSize) pixels per side",
                suggestion: "Play a lower quality, or remove the filters")
        }
        last = nil
        try pixels.load(frame) { base throws(AVError) in
            if (self.width, self.height) != (width, height) {
                zc_glAllocate(texture, 0, Int32(width), Int32(height))
                zc_glReadAsBGRA(texture)
                (self.width, self.height) = (width, height)
            }
            zc_glUpload(texture, Int32(width), Int32(height), Int32(width * 4), base)
        }
        last = frame
        return source
    }
}
