import CFFmpeg
import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

/// A type that composes the frames of an exported file. Its methods are called on the export's thread, in the order of
/// the frames.
///
/// A GIF needs two passes over the source. For the second pass, the times restart at the beginning, on the same thread.
package protocol ExportComposer: AnyObject, Sendable {
    /// Composes the frame to write.
    /// - Parameters:
    ///   - frame: The decoded frame, before its orientation and pixel aspect ratio are applied.
    ///   - itemTime: The start of the frame in the source's timeline, or the start of the export if the frame began
    ///     before it.
    ///   - size: The size of the composed frame, in pixels. Both values are even.
    /// - Returns: An upright frame of `size` with square pixels, in BGR0 or premultiplied BGRA. Nil drops the frame:
    ///   the previous composed frame is written again, or nothing if there is none.
    func compose(_ frame: VideoFrame, at itemTime: CMTime, size: (width: Int, height: Int)) throws -> VideoFrame?
    /// Draws the frame composed last with the overlays of a later time, such as the next subtitle.
    /// - Returns: Nil if they look the same.
    func update(at itemTime: CMTime) throws -> VideoFrame?
    /// The duration, in seconds, for which earlier frames affect a composed frame. Composing a part of an export starts
    /// this much earlier than the part.
    var leadIn: Double { get }
}

extension ExportComposer {
    package func update(at itemTime: CMTime) throws -> VideoFrame? { nil }
    package var leadIn: Double { 0 }
}

/// A converter for exports without a composer. It rotates frames upright, makes their pixels square and scales them
/// with libswscale.
final class PlainComposer {
    private let painter = PicturePainter(
        alphaFlags: Int32(SWS_BICUBIC) | Int32(SWS_ACCURATE_RND) | Int32(SWS_FULL_CHR_H_INT))
    private let precise = PreciseScaler()
    private let planes = PlanarScaler()
    /// Whether 8-bit YUV frames in the export's own matrix and range stay in YUV, which saves the conversion to RGB and
    /// back.
    private let keepsYUV: Bool

    init(keepsYUV: Bool) { self.keepsYUV = keepsYUV }

    /// Fits `frame` into `size`, with bars if its aspect ratio differs.
    /// - Returns: BGR0, or YUV420P in the matrix of `ExportColors`. Premultiplied BGRA for a frame with alpha.
    func compose(_ frame: VideoFrame, size: (width: Int, height: Int), location: String) throws(AVError) -> VideoFrame {
        let placement = VideoPlacement(fitting: frame.presentationSize, into: size.width, height: size.height)
        let isWhole = placement.width == size.width && placement.height == size.height
        if keepsYUV, isWhole, let same = planes.scale(frame, to: size) { return same }
        let target = (width: placement.width, height: placement.height)
        let converted = precise.scale(
            frame, to: frame.orientation.isSideways ? (target.height, target.width) : target)
        if let converted, isWhole, frame.orientation == .upright { return converted }
        let source = converted ?? frame
        do {
            return try VideoFrame.bgra(
                width: size.width, height: size.height, presentationTime: frame.presentationTime,
                duration: frame.duration,
                alpha: frame.hasAlpha ? .premultiplied : .none
            ) { pixels, stride in
                let area = PicturePainter.Area(x: 0, y: 0, width: size.width, height: size.height)
                guard let base = pixels.baseAddress,
                    painter.paint(
                        source, placement: placement, colors: nil, overlays: [], area: area, into: base, stride: stride)
                else {
                    throw AVError(
                        .decodeFailed, at: location,
                        reason: "frames in the pixel format \(PlainComposer.format(of: frame)) can't be converted")
                }
            }
        } catch {
            throw error as? AVError ?? AVError(.unknown, at: location, reason: "\(error)")
        }
    }

    private static func format(of frame: VideoFrame) -> String {
        frame.withAVFrame {
            av_get_pix_fmt_name(AVPixelFormat($0.pointee.format)).map { String(cString: $0) } ?? "unknown"
        }
    }
}
