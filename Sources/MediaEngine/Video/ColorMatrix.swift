import CFFmpeg

/// Which YUV matrix a picture is in; what the stream leaves open is guessed by height, as players do.
package enum ColorMatrix {
    /// libswscale's number.
    package static func swscale(_ space: AVColorSpace, height: Int) -> Int32 {
        switch space {
        case AVCOL_SPC_BT709: Int32(SWS_CS_ITU709)
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: Int32(SWS_CS_BT2020)
        case AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT470BG: Int32(SWS_CS_ITU601)
        case AVCOL_SPC_SMPTE240M: Int32(SWS_CS_SMPTE240M)
        case AVCOL_SPC_FCC: Int32(SWS_CS_FCC)
        default: Int32(height > 576 ? SWS_CS_ITU709 : SWS_CS_ITU601)
        }
    }

    /// Luma weights of red and blue.
    package static func weights(_ space: AVColorSpace, height: Int) -> (kr: Double, kb: Double) {
        switch swscale(space, height: height) {
        case Int32(SWS_CS_ITU709): (0.2126, 0.0722)
        case Int32(SWS_CS_BT2020): (0.2627, 0.0593)
        case Int32(SWS_CS_SMPTE240M): (0.212, 0.087)
        case Int32(SWS_CS_FCC): (0.30, 0.11)
        default: (0.299, 0.114)
        }
    }
}
