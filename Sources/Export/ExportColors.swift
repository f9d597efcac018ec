import CFFmpeg
import MediaEngine

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
            let color = PictureColor(picture)
            // HDR needs its tones mapped.
            return color.toneMap == nil && !color.isFullRange && color.matrix == swscale
        }
    }
}
