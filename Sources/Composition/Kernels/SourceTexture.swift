import CEGL
import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// The video's picture as a texture: upright, square pixels, RGB as it is shown. Converted by libswscale with the
/// picture's own matrix and range. Confined to its context's thread.
final class SourceTexture {
    private struct Setup: Equatable {
        var sourceWidth: Int32, sourceHeight: Int32, sourceFormat: Int32
        var width: Int32, height: Int32
        var colorSpace: Int32, isFullRange: Bool
    }
    private var scaler: OpaquePointer?
    private var setup: Setup?
    private var pixels: [UInt32] = []
    private var turned: [UInt32] = []
    private let texture = zc_glGenTexture()
    private var width = 0, height = 0
    private weak var last: VideoFrame?

    deinit { sws_freeContext(scaler) }

    /// The size of `frame` in whole square pixels, at least one a side.
    static func size(of frame: VideoFrame) -> (width: Int, height: Int) {
        let size = frame.presentationSize
        return (max(1, Int(size.width.rounded())), max(1, Int(size.height.rounded())))
    }

    /// - Throws: `.operationNotSupported` for a pixel format that libswscale does not convert, or a picture larger than
    ///   `maximumSize`.
    func load(_ frame: VideoFrame, maximumSize: Int) throws(AVError) -> RecipeExecutor.Source {
        let (width, height) = SourceTexture.size(of: frame)
        let source = RecipeExecutor.Source(texture: texture, width: width, height: height, isTopDown: true)
        // The same picture again, with other filters.
        if let last, last === frame { return source }
        guard width <= maximumSize, height <= maximumSize else {
            throw AVError(.operationNotSupported, at: "picture", reason: "has \(width)×\(height) pixels, and this machine’s textures have at most \(maximumSize) a side",
                suggestion: "Play a smaller rendition, or remove the filters")
        }
        last = nil
        let isSideways = frame.rotation == 90 || frame.rotation == 270
        let outWidth = isSideways ? height : width, outHeight = isSideways ? width : height
        // libswscale writes whole groups of pixels, up to 60 bytes past the end (see FrameScaler).
        let count = width * height + 16
        if pixels.count < count { pixels = [UInt32](repeating: 0, count: count) }
        let done = pixels.withUnsafeMutableBytes { raw in raw.baseAddress.map { convert(frame, outWidth, outHeight, $0) } ?? false }
        guard done else {
            let name = frame.withAVFrame { av_get_pix_fmt_name(AVPixelFormat($0.pointee.format)).map { String(cString: $0) } }
            throw AVError(.operationNotSupported, at: "picture", reason: "has pixels in a format (\(name ?? "unknown")) that cannot be converted for filters",
                suggestion: "Remove the filters, or turn hardware decoding off")
        }
        if frame.rotation != 0 { turn(frame.rotation, outWidth, outHeight) }
        if (self.width, self.height) != (width, height) {
            zc_glAllocate(texture, 0, Int32(width), Int32(height))
            (self.width, self.height) = (width, height)
        }
        let upright = frame.rotation == 0 ? pixels : turned
        upright.withUnsafeBytes { zc_glUpload(texture, Int32(width), Int32(height), Int32(width * 4), $0.baseAddress) }
        last = frame
        return source
    }

    private func convert(_ frame: VideoFrame, _ width: Int, _ height: Int, _ target: UnsafeMutableRawPointer) -> Bool {
        frame.withAVFrame { picture -> Bool in
            let format = AVPixelFormat(picture.pointee.format)
            let isFull = picture.pointee.color_range == AVCOL_RANGE_JPEG || format == AV_PIX_FMT_YUVJ420P
                || format == AV_PIX_FMT_YUVJ422P || format == AV_PIX_FMT_YUVJ444P
            guard prepare(Setup(sourceWidth: Int32(frame.width), sourceHeight: Int32(frame.height), sourceFormat: picture.pointee.format,
                width: Int32(width), height: Int32(height),
                colorSpace: SourceTexture.matrix(picture.pointee.colorspace, height: frame.height), isFullRange: isFull)) else { return false }
            let data = picture.pointee.data
            var sources: [UnsafePointer<UInt8>?] = [data.0, data.1, data.2, data.3].map { $0.map { UnsafePointer($0) } }
            var output: [UnsafeMutablePointer<UInt8>?] = [target.assumingMemoryBound(to: UInt8.self), nil, nil, nil]
            var stride: [Int32] = [Int32(width * 4), 0, 0, 0]
            return withUnsafePointer(to: picture.pointee.linesize) { strides in
                strides.withMemoryRebound(to: Int32.self, capacity: 8) {
                    sws_scale(scaler, &sources, $0, 0, Int32(frame.height), &output, &stride) > 0
                }
            }
        }
    }

    private func prepare(_ new: Setup) -> Bool {
        if setup == new, scaler != nil { return true }
        sws_freeContext(scaler)
        let isSame = new.width == new.sourceWidth && new.height == new.sourceHeight
        // Filters look closely: chroma is interpolated, not repeated.
        scaler = sws_getContext(new.sourceWidth, new.sourceHeight, AVPixelFormat(new.sourceFormat), new.width, new.height, AV_PIX_FMT_RGBA,
            Int32(isSame ? SWS_BILINEAR : SWS_BICUBIC), nil, nil, nil)
        guard scaler != nil else { setup = nil; return false }
        setup = new
        _ = sws_setColorspaceDetails(scaler, sws_getCoefficients(new.colorSpace), new.isFullRange ? 1 : 0,
            sws_getCoefficients(Int32(SWS_CS_DEFAULT)), 1, 0, 1 << 16, 1 << 16)
        return true
    }

    /// libswscale's number; what the stream leaves open is guessed by height, as everywhere here (Presentation's `ColorMatrix`).
    private static func matrix(_ space: AVColorSpace, height: Int) -> Int32 {
        switch space {
        case AVCOL_SPC_BT709: Int32(SWS_CS_ITU709)
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: Int32(SWS_CS_BT2020)
        case AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT470BG: Int32(SWS_CS_ITU601)
        case AVCOL_SPC_SMPTE240M: Int32(SWS_CS_SMPTE240M)
        case AVCOL_SPC_FCC: Int32(SWS_CS_FCC)
        default: Int32(height > 576 ? SWS_CS_ITU709 : SWS_CS_ITU601)
        }
    }

    /// `pixels` (`width` × `height`) clockwise into `turned`.
    private func turn(_ degrees: Int, _ width: Int, _ height: Int) {
        if turned.count < width * height { turned = [UInt32](repeating: 0, count: width * height) }
        turned.withUnsafeMutableBufferPointer { out in
            pixels.withUnsafeBufferPointer { source in
                switch degrees {
                case 90:
                    for y in 0..<width { for x in 0..<height { out[y * height + x] = source[(height - 1 - x) * width + y] } }
                case 270:
                    for y in 0..<width { for x in 0..<height { out[y * height + x] = source[x * width + width - 1 - y] } }
                default:
                    for index in 0..<width * height { out[index] = source[width * height - 1 - index] }
                }
            }
        }
    }
}
