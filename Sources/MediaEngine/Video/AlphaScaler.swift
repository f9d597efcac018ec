import CFFmpeg
import CPixels

/// A scaler for frames with transparency. The result is 32-bit BGRA, premultiplied as in GTK and cairo, so it appears
/// over black if alpha is ignored.
///
/// Transparent pixels have arbitrary colors (black after most encoders), which must not mix with those of their
/// neighbors. Frames are therefore multiplied by alpha first and scaled afterward, by Zoetrope's own scaler. libswscale
/// scales in YUV, where colors cannot be multiplied by alpha. The work is twice that of an opaque frame. Opaque frames
/// do not use this scaler.
package final class AlphaScaler {
    /// The data of a decoded frame. Valid as long as the frame.
    package struct Source {
        package var format: AVPixelFormat
        package var width: Int, height: Int
        /// The four planes and strides; unused ones are `nil` and 0.
        package var planes: [UnsafePointer<UInt8>?], strides: [Int32]
        package var color: PictureColor
        package var isPremultiplied: Bool

        package init(
            format: AVPixelFormat, width: Int, height: Int, planes: [UnsafePointer<UInt8>?], strides: [Int32],
            color: PictureColor, isPremultiplied: Bool
        ) {
            (self.format, self.width, self.height) = (format, width, height)
            (self.planes, self.strides) = (planes, strides)
            (self.color, self.isPremultiplied) = (color, isPremultiplied)
        }

        package init(_ frame: UnsafePointer<AVFrame>, isPremultiplied: Bool) {
            let data = frame.pointee.data
            let lines = frame.pointee.linesize
            self.init(
                format: AVPixelFormat(frame.pointee.format), width: Int(frame.pointee.width),
                height: Int(frame.pointee.height),
                planes: [data.0, data.1, data.2, data.3].map { $0.map { UnsafePointer($0) } },
                strides: [lines.0, lines.1, lines.2, lines.3],
                color: PictureColor(frame), isPremultiplied: isPremultiplied)
        }
    }

    /// The number of bytes after the last row of a target that must be writable, because libswscale writes whole
    /// vectors.
    package static let slack = 64

    private let flags: Int32
    private var scalers: [ScaleContext.Setup: SharedScaler] = [:]
    private var whole: [UInt32] = [], toned: [UInt32] = [], saved: [UInt32] = []
    private var deep: DeepPicture?

    /// Creates a scaler.
    ///
    /// - Parameter flags: The flags of libswscale for the conversion of a frame's samples.
    package init(flags: Int32 = Int32(SWS_BILINEAR)) { self.flags = flags }

    /// Draws a frame, premultiplied by alpha.
    ///
    /// - Parameters:
    ///   - target: The memory for the rows, as native 32-bit words. `slack` bytes after the last row must be writable
    ///     too.
    ///   - stride: The number of bytes per row.
    ///   - recolor: Changes the colors of the given number of BGRX words in place, before they are multiplied by alpha.
    /// - Returns: `false` if libswscale does not support the format or memory is exhausted.
    package func draw(
        _ source: Source, width: Int, height: Int, into target: UnsafeMutableRawPointer, stride: Int,
        recolor: ((UnsafeMutableRawPointer, Int) -> Void)? = nil
    ) -> Bool {
        guard source.width > 0, source.height > 0, width > 0, height > 0 else { return false }
        if source.isPremultiplied, recolor == nil, let first = source.planes.first ?? nil {
            return resize(first, Int(source.strides[0]), source.width, source.height, target, stride, width, height)
        }
        if width == source.width, height == source.height {
            return convert(source, into: target, stride, recolor, isStraight: false)
        }
        let bytes = source.width * 4
        let count = source.width * source.height + AlphaScaler.slack / 4
        if whole.count < count { whole = [UInt32](repeating: 0, count: count) }
        return whole.withUnsafeMutableBytes { raw in
            guard let base = raw.baseAddress, convert(source, into: base, bytes, recolor, isStraight: false) else {
                return false
            }
            return resize(base, bytes, source.width, source.height, target, stride, width, height)
        }
    }

    /// Draws a frame like `draw`, but without multiplying colors by alpha, for image files.
    package func drawStraight(
        _ source: Source, width: Int, height: Int, into target: UnsafeMutableRawPointer, stride: Int
    ) -> Bool {
        if width == source.width, height == source.height {
            return convert(source, into: target, stride, nil, isStraight: true)
        }
        guard draw(source, width: width, height: height, into: target, stride: stride) else { return false }
        for y in 0..<height {
            zt_pixels_unpremultiply((target + y * stride).assumingMemoryBound(to: UInt32.self), width)
        }
        return true
    }

    private func resize(
        _ source: UnsafeRawPointer, _ sourceStride: Int, _ sourceWidth: Int, _ sourceHeight: Int,
        _ target: UnsafeMutableRawPointer, _ stride: Int, _ width: Int, _ height: Int
    ) -> Bool {
        guard sourceStride >= sourceWidth * 4 else { return false }
        if width == sourceWidth, height == sourceHeight {
            for y in 0..<height {
                (target + y * stride).copyMemory(from: source + y * sourceStride, byteCount: width * 4)
            }
            return true
        }
        return zt_pixels_scale(
            source.assumingMemoryBound(to: UInt32.self), sourceStride, Int32(sourceWidth), Int32(sourceHeight),
            target.assumingMemoryBound(to: UInt32.self), stride, Int32(width), Int32(height)) != 0
    }

    /// Converts a frame to BGRA in its own size.
    private func convert(
        _ source: Source, into target: UnsafeMutableRawPointer, _ stride: Int,
        _ recolor: ((UnsafeMutableRawPointer, Int) -> Void)?, isStraight: Bool
    ) -> Bool {
        let width = source.width
        if source.isPremultiplied {
            guard let first = source.planes.first ?? nil else { return false }
            for y in 0..<source.height {
                let row = (target + y * stride).assumingMemoryBound(to: UInt32.self)
                UnsafeMutableRawPointer(row).copyMemory(from: first + y * Int(source.strides[0]), byteCount: width * 4)
                zt_pixels_unpremultiply(row, width)
            }
        } else {
            let planes = [target.assumingMemoryBound(to: UInt8.self), nil, nil, nil]
            guard run(source, AV_PIX_FMT_BGRA, planes, [Int32(stride), 0, 0, 0]) else { return false }
        }
        let isToned = !source.isPremultiplied && source.color.toneMap != nil
        if isToned, !tone(source) { return false }
        if isStraight, !isToned, recolor == nil { return true }
        if saved.count < width { saved = [UInt32](repeating: 0, count: width) }
        saved.withUnsafeMutableBufferPointer { saved in
            guard let alphas = saved.baseAddress else { return }
            for y in 0..<source.height {
                let row = (target + y * stride).assumingMemoryBound(to: UInt32.self)
                alphas.update(from: row, count: width)
                if isToned {
                    toned.withUnsafeBufferPointer {
                        if let from = $0.baseAddress { row.update(from: from + y * width, count: width) }
                    }
                }
                recolor?(row, width)
                if isStraight {
                    for x in 0..<width { row[x] = row[x] & 0x00FF_FFFF | alphas[x] & 0xFF00_0000 }
                } else {
                    zt_pixels_premultiply(row, alphas, width)
                }
            }
        }
        return true
    }

    /// Converts the frame's colors to those of the screen, into `toned`.
    private func tone(_ source: Source) -> Bool {
        guard let map = source.color.toneMap else { return false }
        if deep?.width != source.width || deep?.height != source.height {
            deep = DeepPicture(width: source.width, height: source.height)
        }
        guard let deep, run(source, DeepPicture.format, deep.planes, deep.strides) else { return false }
        let count = source.width * source.height
        if toned.count < count { toned = [UInt32](repeating: 0, count: count) }
        toned.withUnsafeMutableBytes {
            if let base = $0.baseAddress { deep.map(by: ToneTable.shared(map), into: base, stride: source.width * 4) }
        }
        return true
    }

    private func run(
        _ source: Source, _ format: AVPixelFormat, _ planes: [UnsafeMutablePointer<UInt8>?], _ strides: [Int32]
    ) -> Bool {
        let setup = ScaleContext.Setup(
            sourceWidth: Int32(source.width), sourceHeight: Int32(source.height), sourceFormat: source.format,
            width: Int32(source.width), height: Int32(source.height), format: format, color: source.color, flags: flags)
        if scalers[setup] == nil {
            scalers =
                SharedScaler.of(setup).map { scalers.count < 2 ? scalers.merging([setup: $0]) { $1 } : [setup: $0] }
                ?? [:]
        }
        return scalers[setup]?.use { $0.run(source.planes, source.strides, to: planes, strides) } ?? false
    }
}
