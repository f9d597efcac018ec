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
    static func presentationSize(
        width: Int, height: Int, pixelAspectRatio: Double, orientation: PictureOrientation
    ) -> CGSize {
        let h = Double(height).bounded(to: side)
        let wide = (Double(width) * pixelAspectRatio).bounded(to: side)
        let w = wide * h <= Double(pixels) ? wide : Double(width).bounded(to: side)
        return orientation.isSideways ? CGSize(width: h, height: w) : CGSize(width: w, height: h)
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

/// What a track's container and the beginning of its bitstream say of the shape of its pixels, and what that means for
/// a picture. A value.
struct TrackAspect: Sendable {
    /// What the container says; nil: nothing that can be meant.
    private let container: Double?
    /// What the bitstream says at its beginning.
    private let codec: Double?

    init(_ stream: UnsafePointer<AVStream>) {
        container = TrackAspect.ratio(stream.pointee.sample_aspect_ratio)
        codec = (stream.pointee.codecpar?.pointee.sample_aspect_ratio).flatMap(TrackAspect.ratio)
    }

    /// For tracks without a container.
    init(_ ratio: Double) { (container, codec) = (ratio, nil) }

    private static func ratio(_ aspect: AVRational) -> Double? {
        guard aspect.num > 0, aspect.den > 0 else { return nil }
        let ratio = Double(aspect.num) / Double(aspect.den)
        return PixelAspect.limits.contains(ratio) ? ratio : nil
    }

    /// At the beginning of the track.
    var ratio: Double { container ?? codec ?? 1 }

    /// Of one picture. The container's word counts as long as the bitstream says what it said at the beginning; a
    /// container has one value for all of a track, so what changes in mid-stream only the bitstream knows.
    func ratio(of picture: UnsafePointer<AVFrame>) -> Double {
        let own = TrackAspect.ratio(picture.pointee.sample_aspect_ratio)
        guard let container else { return own ?? 1 }
        guard let codec else { return container }
        return own == codec ? container : own ?? 1
    }
}
