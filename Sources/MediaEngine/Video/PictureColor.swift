import CFFmpeg

/// The color properties of a frame's samples. Properties that the stream does not specify get the usual defaults of
/// players.
package struct PictureColor: Sendable, Hashable {
    /// The YUV matrix as a constant of libswscale.
    package let matrix: Int32
    package let isFullRange: Bool
    /// The position of a chroma sample relative to the center of the first of its luma samples, in 1/256 of a luma
    /// sample; 0 if chroma is not subsampled.
    package let chromaX: Int, chromaY: Int
    /// The conversion to displayed colors; `nil` if the colors are displayed unchanged.
    package let toneMap: ToneMap?

    package init(_ frame: UnsafePointer<AVFrame>) {
        let format = AVPixelFormat(frame.pointee.format)
        let isRGB = (av_pix_fmt_desc_get(format)?.pointee.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        let transfer: TransferFunction =
            switch frame.pointee.color_trc {
            case AVCOL_TRC_SMPTE2084: .pq
            case AVCOL_TRC_ARIB_STD_B67: .hlg
            default: .gamma
            }
        matrix =
            switch isRGB ? AVCOL_SPC_RGB : frame.pointee.colorspace {
            case AVCOL_SPC_BT709: Int32(SWS_CS_ITU709)
            case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: Int32(SWS_CS_BT2020)
            case AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT470BG: Int32(SWS_CS_ITU601)
            case AVCOL_SPC_SMPTE240M: Int32(SWS_CS_SMPTE240M)
            case AVCOL_SPC_FCC: Int32(SWS_CS_FCC)
            default:
                // libswscale converts RGB to RGB through YUV, with this matrix in both directions.
                if isRGB {
                    Int32(SWS_CS_DEFAULT)
                } else if transfer != .gamma {
                    Int32(SWS_CS_BT2020)
                }
                // The default is BT.709 for HD and BT.601 for SD.
                else {
                    Int32(frame.pointee.height > 576 || frame.pointee.width >= 1280 ? SWS_CS_ITU709 : SWS_CS_ITU601)
                }
            }
        let isJPEG = [
            AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P,
        ].contains(format)
        isFullRange = frame.pointee.color_range == AVCOL_RANGE_JPEG || isJPEG
        (chromaX, chromaY) = PictureColor.siting(frame.pointee.chroma_location, format, isJPEG: isJPEG)
        let primaries: ColorPrimaries =
            switch frame.pointee.color_primaries {
            case AVCOL_PRI_BT2020: .bt2020
            case AVCOL_PRI_SMPTE432: .p3
            case AVCOL_PRI_UNSPECIFIED: transfer == .gamma ? .bt709 : .bt2020
            default: .bt709
            }
        toneMap =
            transfer == .gamma && primaries == .bt709
            ? nil
            : ToneMap(
                transfer: transfer, primaries: primaries,
                peak: transfer == .pq ? MasteringLight.peak(frame) : ToneMap.commonPeak)
    }

    /// The weights of red and blue in luma.
    package var weights: (kr: Double, kb: Double) {
        switch matrix {
        case Int32(SWS_CS_ITU709): (0.2126, 0.0722)
        case Int32(SWS_CS_BT2020): (0.2627, 0.0593)
        case Int32(SWS_CS_SMPTE240M): (0.212, 0.087)
        case Int32(SWS_CS_FCC): (0.30, 0.11)
        default: (0.299, 0.114)
        }
    }

    /// Returns the position of chroma samples (Rec. ITU-T H.264, figure E-1). The default is the center for JPEG and
    /// the left edge otherwise, as in MPEG-2 and later formats.
    private static func siting(_ location: AVChromaLocation, _ format: AVPixelFormat, isJPEG: Bool) -> (Int, Int) {
        guard let descriptor = av_pix_fmt_desc_get(format) else { return (0, 0) }
        let (x, y) =
            switch location {
            case AVCHROMA_LOC_CENTER: (128, 128)
            case AVCHROMA_LOC_TOPLEFT: (0, 0)
            case AVCHROMA_LOC_TOP: (128, 0)
            case AVCHROMA_LOC_BOTTOMLEFT: (0, 256)
            case AVCHROMA_LOC_BOTTOM: (128, 256)
            default: (isJPEG ? 128 : 0, 128)
            }
        return (descriptor.pointee.log2_chroma_w == 0 ? 0 : x, descriptor.pointee.log2_chroma_h == 0 ? 0 : y)
    }
}
