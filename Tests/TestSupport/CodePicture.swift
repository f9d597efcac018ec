import CFFmpeg
import MediaCore
import MediaEngine

/// A generator of frames in any pixel format. Colors (red, green, blue as code values 0…1) are converted by the
/// formulas of the standards.
package struct CodePicture {
    package var width = 16, height = 16
    /// The pixel format, by FFmpeg's name.
    package var format = "yuv420p10le"
    package var matrix = TestPicture.Matrix.bt2020
    package var isFullRange = false
    package var transfer = AVCOL_TRC_UNSPECIFIED
    package var primaries = AVCOL_PRI_UNSPECIFIED
    package var location = AVCHROMA_LOC_UNSPECIFIED
    package var rotation = 0
    package var pixelAspectRatio = 1.0
    /// The peak luminance of the content and of the mastering display, in cd/m²; 0 to omit the metadata.
    package var contentPeak = 0, displayPeak = 0

    package init() {}

    /// Makes a frame.
    /// - Parameter color: Returns red, green and blue, 0…1, at a position in luma pixels. The center of the first pixel
    ///   is 0.5, 0.5.
    /// - Returns: Nil if the format is unknown or memory is exhausted.
    package func make(_ color: (Double, Double) -> SIMD3<Double>) -> VideoFrame? {
        var frame: UnsafeMutablePointer<AVFrame>? = av_frame_alloc()
        defer { av_frame_free(&frame) }
        let pixelFormat = av_get_pix_fmt(format)
        guard let picture = frame, let descriptor = av_pix_fmt_desc_get(pixelFormat)?.pointee else { return nil }
        picture.pointee.format = pixelFormat.rawValue
        picture.pointee.width = Int32(width)
        picture.pointee.height = Int32(height)
        let isRGB = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        picture.pointee.colorspace = isRGB ? AVCOL_SPC_RGB : matrix.space
        picture.pointee.color_range = isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        picture.pointee.color_trc = transfer
        picture.pointee.color_primaries = primaries
        picture.pointee.chroma_location = location
        guard av_frame_get_buffer(picture, 0) >= 0 else { return nil }
        if contentPeak > 0 { av_content_light_metadata_create_side_data(picture)?.pointee.MaxCLL = UInt32(contentPeak) }
        if displayPeak > 0, let display = av_mastering_display_metadata_create_side_data(picture) {
            display.pointee.has_luminance = 1
            display.pointee.max_luminance = AVRational(num: Int32(displayPeak), den: 1)
            display.pointee.min_luminance = AVRational(num: 1, den: 10_000)
        }
        let components = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2].prefix(Int(descriptor.nb_components))
        let data = [picture.pointee.data.0, picture.pointee.data.1, picture.pointee.data.2]
        let strides = [picture.pointee.linesize.0, picture.pointee.linesize.1, picture.pointee.linesize.2].map(Int.init)
        let (siteX, siteY) = site
        for (index, component) in components.enumerated() {
            let isChroma = index > 0 && !isRGB
            let stepX = isChroma ? 1 << Int(descriptor.log2_chroma_w) : 1
            let stepY = isChroma ? 1 << Int(descriptor.log2_chroma_h) : 1
            guard let plane = data[Int(component.plane)] else { return nil }
            for y in 0..<(height + stepY - 1) / stepY {
                for x in 0..<(width + stepX - 1) / stepX {
                    let place = (
                        Double(x * stepX) + 0.5 + (stepX > 1 ? siteX : 0),
                        Double(y * stepY) + 0.5 + (stepY > 1 ? siteY : 0)
                    )
                    let value =
                        code(color(place.0, place.1), index, isRGB, Int(component.depth)) << Int(component.shift)
                    let sample = UnsafeMutableRawPointer(
                        plane + y * strides[Int(component.plane)] + x * Int(component.step) + Int(component.offset))
                    if component.depth > 8 {
                        sample.storeBytes(of: UInt16(value), as: UInt16.self)
                    } else {
                        sample.storeBytes(of: UInt8(value), as: UInt8.self)
                    }
                }
            }
        }
        return VideoFrame(
            retaining: picture, presentationTime: .zero, duration: .invalid,
            orientation: PictureOrientation(rotation: rotation),
            pixelAspectRatio: pixelAspectRatio)
    }

    /// The position of chroma samples, in luma pixels from the center of the first pixel (Rec. ITU-T H.264, figure
    /// E-1).
    private var site: (Double, Double) {
        switch location {
        case AVCHROMA_LOC_CENTER: (0.5, 0.5)
        case AVCHROMA_LOC_TOPLEFT: (0, 0)
        case AVCHROMA_LOC_TOP: (0.5, 0)
        case AVCHROMA_LOC_BOTTOMLEFT: (0, 1)
        case AVCHROMA_LOC_BOTTOM: (0.5, 1)
        default: (0, 0.5)
        }
    }

    /// Returns component `index` as a quantized code value.
    private func code(_ rgb: SIMD3<Double>, _ index: Int, _ isRGB: Bool, _ depth: Int) -> Int {
        let top = Double(1 << depth - 1)
        let unit = Double(1 << (depth - 8))
        if isRGB { return Int((min(1, max(0, rgb[index])) * top).rounded()) }
        let (kr, kb) = matrix.weights
        let y = kr * rgb.x + (1 - kr - kb) * rgb.y + kb * rgb.z
        let value = index == 0 ? y : index == 1 ? (rgb.z - y) / (2 * (1 - kb)) : (rgb.x - y) / (2 * (1 - kr))
        let scaled =
            isFullRange
            ? value * top + (index == 0 ? 0 : 128 * unit)
            : index == 0 ? (219 * value + 16) * unit : (224 * value + 128) * unit
        return Int(min(top, max(0, scaled)).rounded())
    }
}

extension CodePicture {
    /// Makes a frame on which every step of color conversion has an effect, to compare ways of drawing. It is gray at
    /// the bottom and changes into every hue toward the top.
    /// - Parameter kind: `bt709` for BT.709's matrix and primaries; all other values select BT.2020's. `pq` and `hlg`
    ///   select their transfer functions; all other values have BT.709's.
    package static func gradient(
        _ kind: String, width: Int, height: Int, format: String = "yuv420p10le", location: String = ""
    ) -> VideoFrame? {
        var picture = CodePicture()
        (picture.width, picture.height, picture.format) = (width, height, format)
        picture.location =
            location == "topleft"
            ? AVCHROMA_LOC_TOPLEFT : location == "center" ? AVCHROMA_LOC_CENTER : AVCHROMA_LOC_LEFT
        picture.matrix = kind == "bt709" ? .bt709 : .bt2020
        picture.primaries = kind == "bt709" ? AVCOL_PRI_BT709 : AVCOL_PRI_BT2020
        picture.transfer = kind == "pq" ? AVCOL_TRC_SMPTE2084 : kind == "hlg" ? AVCOL_TRC_ARIB_STD_B67 : AVCOL_TRC_BT709
        let top = kind == "pq" ? 0.75 : 1
        return picture.make { x, y in
            let across = x / Double(width)
            let up = max(0, 0.9 - y / Double(height))
            func wave(_ shift: Double) -> Double {
                let turn = (across + shift).truncatingRemainder(dividingBy: 1)
                return abs(turn * 2 - 1)
            }
            let hue = SIMD3(wave(0), wave(1.0 / 3), wave(2.0 / 3))
            let gray = SIMD3(repeating: across)
            return (gray + (hue - gray) * up) * top
        }
    }
}
