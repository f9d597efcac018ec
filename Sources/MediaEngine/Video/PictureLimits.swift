import CFFmpeg
import Foundation
import MediaCore

/// The limits of frame sizes. A file can state any size, so the memory that frames require is limited here.
enum PictureLimits {
    /// The maximum number of pixels of a frame: 12K video, more than any screen.
    static let pixels = 12_288 * 8192
    /// The allowed length of a side for display: window systems support at most 16 bits.
    static let side = 0.0...65_535.0

    /// Makes the decoder reject larger frames before it allocates memory for them.
    static func apply(to context: UnsafeMutablePointer<AVCodecContext>) { context.pointee.max_pixels = Int64(pixels) }

    /// Returns the upright size for display, in square pixels. Ignores a pixel aspect ratio with which the frame would
    /// exceed the limits.
    static func presentationSize(
        width: Int, height: Int, pixelAspectRatio: Double, orientation: PictureOrientation
    ) -> CGSize {
        let h = Double(height).bounded(to: side)
        let wide = (Double(width) * pixelAspectRatio).bounded(to: side)
        let w = wide * h <= Double(pixels) ? wide : Double(width).bounded(to: side)
        return orientation.isSideways ? CGSize(width: h, height: w) : CGSize(width: w, height: h)
    }
}

/// The width of a pixel divided by its height, as specified by containers and codecs.
enum PixelAspect {
    /// The range of plausible ratios. Other values are errors.
    static let limits = 0.05...20.0

    /// Returns the ratio; 1 if it is missing or implausible.
    static func ratio(_ aspect: AVRational) -> Double {
        aspect.num > 0 && aspect.den > 0 ? plausible(Double(aspect.num) / Double(aspect.den)) : 1
    }

    static func plausible(_ ratio: Double) -> Double { limits.contains(ratio) ? ratio : 1 }
}

/// The pixel aspect ratios in a track's container and at the start of its bitstream, and the resulting ratio of a
/// frame.
struct TrackAspect: Sendable {
    /// The ratio in the container; `nil` if it is missing or implausible.
    private let container: Double?
    /// The ratio at the start of the bitstream; `nil` if it is missing or implausible.
    private let codec: Double?

    init(_ stream: UnsafePointer<AVStream>) {
        container = TrackAspect.ratio(stream.pointee.sample_aspect_ratio)
        codec = (stream.pointee.codecpar?.pointee.sample_aspect_ratio).flatMap(TrackAspect.ratio)
    }

    /// Creates an aspect for a track without a container.
    init(_ ratio: Double) { (container, codec) = (ratio, nil) }

    private static func ratio(_ aspect: AVRational) -> Double? {
        guard aspect.num > 0, aspect.den > 0 else { return nil }
        let ratio = Double(aspect.num) / Double(aspect.den)
        return PixelAspect.limits.contains(ratio) ? ratio : nil
    }

    /// The ratio at the start of the track.
    var ratio: Double { container ?? codec ?? 1 }

    /// Returns the ratio of a frame. The container's ratio applies while the bitstream has the same ratio as at its
    /// start. A container has one ratio per track, so only the bitstream contains later changes.
    func ratio(of frame: UnsafePointer<AVFrame>) -> Double {
        let own = TrackAspect.ratio(frame.pointee.sample_aspect_ratio)
        guard let container else { return own ?? 1 }
        guard let codec else { return container }
        return own == codec ? container : own ?? 1
    }
}
