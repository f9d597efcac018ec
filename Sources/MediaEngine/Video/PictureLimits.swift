import CFFmpeg
import Foundation
import MediaCore

/// What pictures may measure. Numbers in a file cost nothing to write; the memory they ask for is bounded here, once.
enum PictureLimits {
    /// Pixels of one picture: 12K film, and a good deal more than any screen.
    static let pixels = 12_288 * 8192
    /// A side for display: more than 16 bits no window system knows.
    static let side = 0.0...65_535.0

    /// A decoder refuses larger pictures instead of asking for their memory.
    static func apply(to context: UnsafeMutablePointer<AVCodecContext>) { context.pointee.max_pixels = Int64(pixels) }

    /// For display: square pixels, upright. A pixel's shape that would make a picture beyond the limits is not
    /// believed.
    static func presentationSize(width: Int, height: Int, pixelAspectRatio: Double, rotation: Int) -> CGSize {
        let h = Double(height).bounded(to: side)
        let wide = (Double(width) * pixelAspectRatio).bounded(to: side)
        let w = wide * h <= Double(pixels) ? wide : Double(width).bounded(to: side)
        return rotation == 90 || rotation == 270 ? CGSize(width: h, height: w) : CGSize(width: w, height: h)
    }
}

/// Width of a pixel over its height, as containers and codecs say it.
enum PixelAspect {
    /// No film is squeezed more than this; what says so is broken.
    static let limits = 0.05...20.0

    /// 1 where nothing is said, or nothing that can be meant.
    static func ratio(_ aspect: AVRational) -> Double {
        aspect.num > 0 && aspect.den > 0 ? believed(Double(aspect.num) / Double(aspect.den)) : 1
    }

    static func believed(_ ratio: Double) -> Double { limits.contains(ratio) ? ratio : 1 }
}
