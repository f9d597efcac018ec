import CFFmpeg
import MediaCore

/// How a container says its pictures must be turned (ISO/IEC 14496-12, `tkhd` matrix), rounded to quarter turns.
struct DisplayMatrix: Sendable {
    /// Degrees clockwise: 0, 90, 180 or 270.
    let rotation: Int

    static let identity = DisplayMatrix(rotation: 0)

    private init(rotation: Int) { self.rotation = rotation }

    init(_ stream: UnsafePointer<AVStream>) {
        let degrees = zt_stream_rotation(stream)
        let quarters = Int(saturating: (degrees / 90).rounded()) % 4
        rotation = (quarters + 4) % 4 * 90
    }

    /// Stored pixels (origin top left, y down) to display, moved so that the result starts at the origin.
    func transform(width: Double, height: Double) -> CGAffineTransform {
        switch rotation {
        case 90: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
        case 180: CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
        case 270: CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
        default: .identity
        }
    }
}
