import CFFmpeg
import Foundation
import MediaEngine

/// A scaler that converts a frame once, directly into the buffer that is displayed: 32-bit BGRX.
///
/// The frame's own matrix, range and chroma location are used. Reduction averages areas: of libswscale's methods, this
/// is the fastest and has the best quality. Enlargement is bilinear. `ScaleContext` scales most videos without
/// libswscale.
///
/// Frames in other colors than the screen's (HDR, BT.2020) are first scaled to 16 bits per channel and then mapped
/// (`ToneTable`). For 4K PQ to 1280×720, libswscale takes 3.7 ms and the mapping takes 6 ms.
///
/// `AlphaScaler` draws frames with transparency, as premultiplied BGRA. If X is ignored, they appear over black.
package final class FrameScaler {
    private var scaler: SharedScaler?
    private var rotated: [UInt32] = []
    private var deep: DeepPicture?
    private let transparent: AlphaScaler

    /// The number of writable bytes that are required after the last row of a target.
    ///
    /// libswscale's vector code writes whole groups of pixels. For widths that are not multiples of 16, it writes up to
    /// 60 bytes too many (measured with FFmpeg 5.1, widths 1–300, 14 formats).
    package static let slack = 64

    /// The flags of libswscale for frames with alpha on a screen.
    package static let quickAlpha = Int32(SWS_BILINEAR)

    /// - Parameter alphaFlags: The flags of libswscale for frames with alpha.
    package init(alphaFlags: Int32 = FrameScaler.quickAlpha) { transparent = AlphaScaler(flags: alphaFlags) }

    /// Draws a part of `frame` into `target`, as `placement` defines it.
    /// - Parameters:
    ///   - frame: The frame to draw.
    ///   - placement: The part of the frame, and the size to draw in pixels.
    ///   - target: The first pixel, BGRX in native 32-bit integers. The memory must have `slack` bytes after the last
    ///     row. X is alpha if the frame has alpha; otherwise it is 255.
    ///   - stride: The number of bytes per row.
    ///   - colors: A change of the colors, applied to each band of the frame when it is ready.
    /// - Returns: False if the format can't be converted or memory is exhausted.
    package func draw(
        _ frame: VideoFrame, placement: VideoPlacement, colors: FoldedColors? = nil,
        into target: UnsafeMutableRawPointer, stride: Int
    ) -> Bool {
        guard placement.width > 0, placement.height > 0 else { return false }
        let isSideways = frame.orientation.isSideways
        let outWidth = isSideways ? placement.height : placement.width
        let outHeight = isSideways ? placement.width : placement.height
        if frame.orientation == .upright {
            return convert(frame, placement, colors, outWidth, outHeight, target, stride)
        }
        let count = outWidth * outHeight + FrameScaler.slack / 4
        if rotated.count < count { rotated = [UInt32](repeating: 0, count: count) }
        let done = rotated.withUnsafeMutableBytes { raw in
            raw.baseAddress.map { convert(frame, placement, colors, outWidth, outHeight, $0, outWidth * 4) } ?? false
        }
        guard done else { return false }
        rotate(frame.orientation, outWidth, outHeight, target, stride)
        return true
    }

    private func convert(
        _ frame: VideoFrame, _ p: VideoPlacement, _ colors: FoldedColors?, _ width: Int, _ height: Int,
        _ target: UnsafeMutableRawPointer, _ stride: Int
    ) -> Bool {
        frame.withAVFrame { avFrame -> Bool in
            guard let source = CroppedFrame(avFrame, placement: p, orientation: frame.orientation) else { return false }
            let color = PictureColor(avFrame)
            if frame.hasAlpha {
                let recolor = colors.map { colors in
                    { (row: UnsafeMutableRawPointer, count: Int) in
                        colors.apply(to: row, width: count, height: 1, stride: count * 4)
                    }
                }
                return transparent.draw(
                    AlphaScaler.Source(
                        format: source.format, width: source.width, height: source.height, planes: source.planes,
                        strides: source.strides,
                        color: color, isPremultiplied: frame.isPremultiplied),
                    width: width, height: height, into: target, stride: stride, recolor: recolor)
            }
            guard let map = color.toneMap else {
                guard let scaler = prepare(source, color, width, height, AV_PIX_FMT_BGR0) else { return false }
                let planes = [target.assumingMemoryBound(to: UInt8.self), nil, nil, nil]
                let strides = [Int32(stride), 0, 0, 0]
                return scaler.use { context in
                    guard let colors else {
                        guard context.run(source.planes, source.strides, to: planes, strides) else { return false }
                        if source.hasPadding { makeOpaque(width, height, target, stride) }
                        return true
                    }
                    return context.run(source.planes, source.strides, to: planes, strides) { rows in
                        colors.apply(
                            to: target + rows.lowerBound * stride, width: width, height: rows.count, stride: stride)
                    }
                } ?? false
            }
            if deep?.width != width || deep?.height != height { deep = DeepPicture(width: width, height: height) }
            guard let deep, let scaler = prepare(source, color, width, height, DeepPicture.format),
                scaler.use({ $0.run(source.planes, source.strides, to: deep.planes, deep.strides) }) == true
            else { return false }
            deep.map(by: ToneTable.shared(map), into: target, stride: stride)
            colors?.apply(to: target, width: width, height: height, stride: stride)
            return true
        }
    }

    /// Sets X to 255. libswscale copies the padding of RGB formats, such as BGR0, instead.
    private func makeOpaque(_ width: Int, _ height: Int, _ target: UnsafeMutableRawPointer, _ stride: Int) {
        for y in 0..<height {
            let row = (target + y * stride).assumingMemoryBound(to: UInt32.self)
            for x in 0..<width { row[x] |= 0xFF00_0000 }
        }
    }

    private func prepare(
        _ source: CroppedFrame, _ color: PictureColor, _ width: Int, _ height: Int, _ format: AVPixelFormat
    ) -> SharedScaler? {
        let isReduction = width < source.width || height < source.height
        let setup = ScaleContext.Setup(
            sourceWidth: Int32(source.width), sourceHeight: Int32(source.height), sourceFormat: source.format,
            width: Int32(width), height: Int32(height), format: format, color: color,
            flags: Int32(isReduction ? SWS_AREA : SWS_BILINEAR))
        if scaler?.setup != setup { scaler = SharedScaler.of(setup) }
        return scaler
    }

    /// Copies `rotated` (`width` × `height`, as stored) into the target in its displayed orientation.
    private func rotate(
        _ orientation: PictureOrientation, _ width: Int, _ height: Int, _ target: UnsafeMutableRawPointer, _ stride: Int
    ) {
        let steps = orientation.steps(width: width, height: height)
        let columns = orientation.isSideways ? height : width
        let rows = orientation.isSideways ? width : height
        rotated.withUnsafeBufferPointer { source in
            for y in 0..<rows {
                let out = (target + y * stride).assumingMemoryBound(to: UInt32.self)
                var index = steps.first + y * steps.down
                for x in 0..<columns {
                    out[x] = source[index]
                    index += steps.across
                }
            }
        }
    }
}

/// The displayed part of a stored frame, aligned to whole chroma samples, as pointers into its planes.
private struct CroppedFrame {
    let format: AVPixelFormat
    let width: Int, height: Int
    let planes: [UnsafePointer<UInt8>?]
    let strides: [Int32]
    /// Whether a fourth byte of each pixel has no meaning.
    var hasPadding: Bool {
        guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return false }
        return descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 && descriptor.nb_components == 3
            && descriptor.comp.0.step == 4
    }

    init?(_ avFrame: UnsafePointer<AVFrame>, placement p: VideoPlacement, orientation: PictureOrientation) {
        format = AVPixelFormat(avFrame.pointee.format)
        guard let descriptor = av_pix_fmt_desc_get(format) else { return nil }
        let whole = (width: Int(avFrame.pointee.width), height: Int(avFrame.pointee.height))
        var planes = withUnsafeBytes(of: avFrame.pointee.data) { raw in
            raw.bindMemory(to: UnsafeMutablePointer<UInt8>?.self).prefix(4).map { $0.map { UnsafePointer($0) } }
        }
        strides = withUnsafeBytes(of: avFrame.pointee.linesize) { Array($0.bindMemory(to: Int32.self).prefix(4)) }
        guard p.cropWidth < 1 || p.cropHeight < 1 else {
            (width, height, self.planes) = (whole.width, whole.height, planes)
            return
        }
        // The crop applies to the displayed frame, so convert it to the stored orientation.
        let isSideways = orientation.isSideways
        let (cropX, cropY) = isSideways ? (p.cropY, p.cropX) : (p.cropX, p.cropY)
        let (cropWidth, cropHeight) = isSideways ? (p.cropHeight, p.cropWidth) : (p.cropWidth, p.cropHeight)
        let shiftX = Int(descriptor.pointee.log2_chroma_w)
        let shiftY = Int(descriptor.pointee.log2_chroma_h)
        let x = Int(cropX * Double(whole.width)) & ~((1 << shiftX) - 1)
        let y = Int(cropY * Double(whole.height)) & ~((1 << shiftY) - 1)
        width = min(whole.width - x, max(1 << shiftX, Int((cropWidth * Double(whole.width)).rounded())))
        height = min(whole.height - y, max(1 << shiftY, Int((cropHeight * Double(whole.height)).rounded())))
        var lefts: [Int32] = [0, 0, 0, 0]
        if x > 0 { av_image_fill_linesizes(&lefts, format, Int32(x)) }
        for plane in 0..<4 {
            let rows = plane == 1 || plane == 2 ? y >> shiftY : y
            if let start = planes[plane] { planes[plane] = start + rows * Int(strides[plane]) + Int(lefts[plane]) }
        }
        self.planes = planes
    }
}
