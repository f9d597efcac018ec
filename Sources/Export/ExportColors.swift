import CFFmpeg
import MediaEngine

/// The colors of an exported file: Y′CbCr with limited range, BT.709 from 720 lines up, BT.601 below.
///
/// Players use the same rule to guess the colors of a file without color tags. The file has the tags as well.
struct ExportColors: Equatable {
    let space: AVColorSpace
    let primaries: AVColorPrimaries
    let transfer: AVColorTransferCharacteristic
    /// The number of the matrix in libswscale (`SWS_CS_…`).
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

    /// Returns whether the samples of `frame` can be written without conversion: 8 bits, limited range, the same
    /// matrix.
    func match(_ frame: VideoFrame) -> Bool {
        frame.withAVFrame { avFrame in
            let color = PictureColor(avFrame)
            // HDR frames need tone mapping.
            return color.toneMap == nil && !color.isFullRange && color.matrix == swscale
        }
    }
}
