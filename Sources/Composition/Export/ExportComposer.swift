import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// Composes pictures for a file. Called on the export's thread, in order.
///
/// A GIF is made in two passes over the source: then times begin anew once, on the same thread.
package protocol ExportComposer: AnyObject, Sendable {
    /// - Parameters:
    ///   - frame: as decoded (rotation, pixel aspect not applied).
    ///   - itemTime: in the source's timeline: where the picture begins, or the export if it begins in its middle.
    ///   - size: of the output, pixels, even.
    /// - Returns: BGR0, upright, square pixels, of `size`.
    func compose(_ frame: VideoFrame, at itemTime: CMTime, size: (width: Int, height: Int)) throws -> VideoFrame
}

/// Pictures as they are: upright, in square pixels, scaled by libswscale. Confined to the thread that composes.
final class PlainComposer {
    private let scaler = FrameScaler()
    private let planes = PlanarScaler()
    /// 4:2:0 pictures in the export's own matrix and range may stay in YUV, which saves going to RGB and back.
    private let keepsYUV: Bool

    init(keepsYUV: Bool) { self.keepsYUV = keepsYUV }

    /// - Returns: BGR0, or YUV420P in the matrix `ExportColors` names.
    func compose(_ frame: VideoFrame, size: (width: Int, height: Int), location: String) throws(AVError) -> VideoFrame {
        if keepsYUV, let same = planes.scale(frame, to: size) { return same }
        do {
            return try VideoFrame.bgra(width: size.width, height: size.height, presentationTime: frame.presentationTime, duration: frame.duration) { pixels, stride in
                let shape = CGSize(width: size.width, height: size.height)
                let placement = VideoPlacement(picture: shape, width: size.width, height: size.height, gravity: .resize)
                guard let base = pixels.baseAddress, scaler.draw(frame, placement: placement, into: base, stride: stride) else {
                    throw AVError(.decodeFailed, at: location, reason: "pictures of its pixel format (\(PlainComposer.format(of: frame))) cannot be converted")
                }
            }
        } catch {
            throw error as? AVError ?? AVError(.unknown, at: location, reason: "\(error)")
        }
    }

    private static func format(of frame: VideoFrame) -> String {
        frame.withAVFrame { av_get_pix_fmt_name(AVPixelFormat($0.pointee.format)).map { String(cString: $0) } ?? "unknown" }
    }
}

/// The colours of what is written: Y′CbCr of limited range by BT.709 from 720 lines on, by BT.601 below. The very rule
/// by which players guess what a file leaves open; and the file says so.
struct ExportColors: Equatable {
    let space: AVColorSpace
    let primaries: AVColorPrimaries
    let transfer: AVColorTransferCharacteristic
    /// libswscale's number of the matrix.
    let swscale: Int32

    init(height: Int) {
        if height >= 720 {
            (space, primaries, transfer) = (AVCOL_SPC_BT709, AVCOL_PRI_BT709, AVCOL_TRC_BT709)
            swscale = Int32(SWS_CS_ITU709)
        } else {
            (space, primaries, transfer) = (AVCOL_SPC_SMPTE170M, AVCOL_PRI_SMPTE170M, AVCOL_TRC_SMPTE170M)
            swscale = Int32(SWS_CS_ITU601)
        }
    }

    /// The picture's own samples mean the same in the file: 8 bits, limited range, the same matrix.
    func match(_ frame: VideoFrame) -> Bool {
        frame.withAVFrame { picture in
            let f = picture.pointee
            // HDR needs its tones mapped.
            return PictureColor(picture).toneMap == nil && f.color_range != AVCOL_RANGE_JPEG && PictureColor(picture).matrix == swscale
        }
    }
}

/// Scales 8-bit YUV to 4:2:0 without leaving it. Confined to one thread.
final class PlanarScaler {
    private var context: OpaquePointer?
    private var setup: [Int32] = []

    deinit { sws_freeContext(context) }

    /// Nil when it has to go through RGB: turned, of another matrix or range, of more than 8 bits.
    func scale(_ frame: VideoFrame, to size: (width: Int, height: Int)) -> VideoFrame? {
        guard frame.rotation == 0, ExportColors(height: size.height).match(frame) else { return nil }
        let format = frame.withAVFrame { AVPixelFormat($0.pointee.format) }
        guard [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P, AV_PIX_FMT_NV12].contains(format) else { return nil }
        if format == AV_PIX_FMT_YUV420P, frame.width == size.width, frame.height == size.height { return frame }
        let wanted = [Int32(frame.width), Int32(frame.height), format.rawValue, Int32(size.width), Int32(size.height)]
        if wanted != setup || context == nil {
            sws_freeContext(context)
            let goesDown = size.width < frame.width || size.height < frame.height
            context = sws_getContext(wanted[0], wanted[1], format, wanted[3], wanted[4], AV_PIX_FMT_YUV420P,
                Int32(goesDown ? SWS_AREA : SWS_BICUBIC), nil, nil, nil)
            setup = wanted
        }
        guard let context else { return nil }
        var made = av_frame_alloc()
        defer { av_frame_free(&made) }
        guard let target = made else { return nil }
        target.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        target.pointee.width = wanted[3]
        target.pointee.height = wanted[4]
        guard av_frame_get_buffer(target, 64) >= 0, Self.run(context, frame, target) else { return nil }
        return VideoFrame(retaining: target, presentationTime: frame.presentationTime, duration: frame.duration, rotation: 0, pixelAspectRatio: 1)
    }

    /// `sws_scale` of whole pictures.
    static func run(_ context: OpaquePointer, _ frame: VideoFrame, _ target: UnsafeMutablePointer<AVFrame>) -> Bool {
        frame.withAVFrame { source in
            let d = source.pointee.data, s = source.pointee.linesize
            let from: [UnsafePointer<UInt8>?] = [d.0, d.1, d.2, d.3].map { $0.map { UnsafePointer($0) } }
            let t = target.pointee.data, u = target.pointee.linesize
            let to: [UnsafeMutablePointer<UInt8>?] = [t.0, t.1, t.2, t.3]
            return sws_scale(context, from, [s.0, s.1, s.2, s.3], 0, source.pointee.height, to, [u.0, u.1, u.2, u.3]) > 0
        }
    }
}
