import CFFmpeg
import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

/// Composes pictures for a file. Called on the export's thread, in order.
///
/// A GIF is made in two passes over the source: then times begin anew once, on the same thread.
package protocol ExportComposer: AnyObject, Sendable {
    /// - Parameters:
    ///   - frame: as decoded (orientation, pixel aspect not applied).
    ///   - itemTime: in the source's timeline: where the picture begins, or the export if it begins in its middle.
    ///   - size: of the output, pixels, even.
    /// - Returns: BGR0, or premultiplied BGRA, upright, square pixels, of `size`.
    func compose(_ frame: VideoFrame, at itemTime: CMTime, size: (width: Int, height: Int)) throws -> VideoFrame
    /// How far back, in seconds, it looks at earlier frames. A part of an export is composed from that long before it.
    var leadIn: Double { get }
}

extension ExportComposer {
    package var leadIn: Double { 0 }
}

/// Pictures as they are: upright, in square pixels, scaled by libswscale.
final class PlainComposer {
    private let painter = PicturePainter(
        alphaFlags: Int32(SWS_BICUBIC) | Int32(SWS_ACCURATE_RND) | Int32(SWS_FULL_CHR_H_INT))
    private let precise = PreciseScaler()
    private let planes = PlanarScaler()
    /// 4:2:0 pictures in the export's own matrix and range may stay in YUV, which saves going to RGB and back.
    private let keepsYUV: Bool

    init(keepsYUV: Bool) { self.keepsYUV = keepsYUV }

    /// A picture of another shape than `size` is fitted into it, with bars.
    /// - Returns: BGR0, or YUV420P in the matrix `ExportColors` names; of a picture with alpha premultiplied BGRA.
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
