import CFFmpeg
import Foundation
import MediaEngine

/// Converts and scales a picture once, straight into the buffer that is shown: 32-bit BGRX.
///
/// libswscale with the picture's own matrix and range. Measured here, 300 frames of 1080p to 1280×720
/// BGRX on one core, decoding included: area 1.77 s, fast bilinear 1.83 s, bilinear 1.91 s, bicubic 2.23 s;
/// so going down it averages areas, which is the cheapest and the cleanest, and going up it is bilinear.
/// Confined to one thread.
package final class FrameScaler {
    private struct Setup: Equatable {
        var sourceWidth: Int32, sourceHeight: Int32, sourceFormat: Int32
        var width: Int32, height: Int32
        var colorSpace: Int32, isFullRange: Bool
    }
    private var context: OpaquePointer?
    private var setup: Setup?
    private var turned: [UInt32] = []

    /// Bytes that must be writable behind the last row of a target. libswscale's vector code writes whole
    /// groups of pixels: with widths that are no multiple of 16 it goes past the end, by up to 60 bytes (measured
    /// with FFmpeg 5.1, widths 1–300, fourteen formats).
    package static let slack = 64

    package init() {}
    deinit { sws_freeContext(context) }

    /// Draws the part of `frame` that `placement` names into `target`, `placement.width` × `height` pixels.
    /// - Parameters:
    ///   - target: first pixel; BGRX, native 32-bit words; `slack` bytes more than the rows take.
    ///   - stride: bytes per row.
    /// - Returns: false when libswscale cannot (a format it does not know, no memory).
    package func draw(_ frame: VideoFrame, placement: VideoPlacement, into target: UnsafeMutableRawPointer, stride: Int) -> Bool {
        guard placement.width > 0, placement.height > 0 else { return false }
        let isSideways = frame.rotation == 90 || frame.rotation == 270
        let outWidth = isSideways ? placement.height : placement.width
        let outHeight = isSideways ? placement.width : placement.height
        if frame.rotation == 0 {
            return convert(frame, placement, outWidth, outHeight, target, stride)
        }
        let count = outWidth * outHeight + FrameScaler.slack / 4
        if turned.count < count { turned = [UInt32](repeating: 0, count: count) }
        let done = turned.withUnsafeMutableBytes { raw in
            raw.baseAddress.map { convert(frame, placement, outWidth, outHeight, $0, outWidth * 4) } ?? false
        }
        guard done else { return false }
        turn(frame.rotation, outWidth, outHeight, target, stride)
        return true
    }

    private func convert(_ frame: VideoFrame, _ p: VideoPlacement, _ width: Int, _ height: Int, _ target: UnsafeMutableRawPointer, _ stride: Int) -> Bool {
        frame.withAVFrame { picture -> Bool in
            let format = AVPixelFormat(picture.pointee.format)
            guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
            // The crop, in the stored picture, on whole chroma samples.
            var cropX = p.cropX, cropY = p.cropY, cropWidth = p.cropWidth, cropHeight = p.cropHeight
            if frame.rotation == 90 || frame.rotation == 270 {
                swap(&cropX, &cropY)
                swap(&cropWidth, &cropHeight)
            }
            let stepX = 1 << Int(descriptor.pointee.log2_chroma_w), stepY = 1 << Int(descriptor.pointee.log2_chroma_h)
            let isWhole = cropWidth >= 1 && cropHeight >= 1
            let x = isWhole ? 0 : Int(cropX * Double(frame.width)) / stepX * stepX
            let y = isWhole ? 0 : Int(cropY * Double(frame.height)) / stepY * stepY
            let w = isWhole ? frame.width : max(stepX, min(frame.width - x, Int((cropWidth * Double(frame.width)).rounded())))
            let h = isWhole ? frame.height : max(stepY, min(frame.height - y, Int((cropHeight * Double(frame.height)).rounded())))
            let space = picture.pointee.colorspace
            let isFull = picture.pointee.color_range == AVCOL_RANGE_JPEG || format == AV_PIX_FMT_YUVJ420P
                || format == AV_PIX_FMT_YUVJ422P || format == AV_PIX_FMT_YUVJ444P
            guard prepare(Setup(sourceWidth: Int32(w), sourceHeight: Int32(h), sourceFormat: picture.pointee.format,
                width: Int32(width), height: Int32(height),
                colorSpace: ColorMatrix.swscale(space, height: frame.height), isFullRange: isFull)) else { return false }
            var planes = picture.pointee.data
            var sources: [UnsafePointer<UInt8>?] = [nil, nil, nil, nil]
            withUnsafeBytes(of: &planes) { raw in
                let all = raw.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)
                for plane in 0..<4 { sources[plane] = all[plane].map { UnsafePointer($0) } }
            }
            if !isWhole {
                withUnsafeBytes(of: picture.pointee.linesize) { raw in
                    let strides = raw.bindMemory(to: Int32.self)
                    var lefts: [Int32] = [0, 0, 0, 0]
                    av_image_fill_linesizes(&lefts, format, Int32(x))
                    for plane in 0..<4 {
                        let isChroma = plane == 1 || plane == 2
                        let rows = isChroma ? y >> Int(descriptor.pointee.log2_chroma_h) : y
                        if let start = sources[plane] { sources[plane] = start + rows * Int(strides[plane]) + (x == 0 ? 0 : Int(lefts[plane])) }
                    }
                }
            }
            var output: [UnsafeMutablePointer<UInt8>?] = [target.assumingMemoryBound(to: UInt8.self), nil, nil, nil]
            var outputStride: [Int32] = [Int32(stride), 0, 0, 0]
            return withUnsafePointer(to: picture.pointee.linesize) { strides in
                strides.withMemoryRebound(to: Int32.self, capacity: 8) {
                    sws_scale(context, &sources, $0, 0, Int32(h), &output, &outputStride) > 0
                }
            }
        }
    }

    private func prepare(_ new: Setup) -> Bool {
        if setup == new, context != nil { return true }
        sws_freeContext(context)
        let goesDown = new.width < new.sourceWidth || new.height < new.sourceHeight
        let flags = goesDown ? SWS_AREA : SWS_BILINEAR
        context = sws_getContext(new.sourceWidth, new.sourceHeight, AVPixelFormat(new.sourceFormat),
            new.width, new.height, AV_PIX_FMT_BGR0, Int32(flags), nil, nil, nil)
        guard context != nil else { setup = nil; return false }
        setup = new
        let source = sws_getCoefficients(new.colorSpace), target = sws_getCoefficients(Int32(SWS_CS_DEFAULT))
        _ = sws_setColorspaceDetails(context, source, new.isFullRange ? 1 : 0, target, 1, 0, 1 << 16, 1 << 16)
        return true
    }

    /// Copies `turned` (`width` × `height`) clockwise into the target.
    private func turn(_ degrees: Int, _ width: Int, _ height: Int, _ target: UnsafeMutableRawPointer, _ stride: Int) {
        turned.withUnsafeBufferPointer { source in
            func row(_ y: Int) -> UnsafeMutablePointer<UInt32> { (target + y * stride).assumingMemoryBound(to: UInt32.self) }
            switch degrees {
            case 90:
                for y in 0..<width { let out = row(y); for x in 0..<height { out[x] = source[(height - 1 - x) * width + y] } }
            case 270:
                for y in 0..<width { let out = row(y); for x in 0..<height { out[x] = source[x * width + width - 1 - y] } }
            default:
                for y in 0..<height { let out = row(y); for x in 0..<width { out[x] = source[(height - 1 - y) * width + width - 1 - x] } }
            }
        }
    }
}
