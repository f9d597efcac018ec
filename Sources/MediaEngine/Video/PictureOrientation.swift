import CFFmpeg
import Foundation
import MediaCore

/// The orientation in which a stored frame is displayed: one of the eight symmetries of a rectangle.
///
/// If required, the frame is first mirrored (left and right are swapped). Then it is rotated clockwise.
package struct PictureOrientation: Hashable, Sendable {
    /// The number of clockwise quarter turns, from 0 to 3.
    package let quarterTurns: Int
    /// Whether left and right of the stored frame are swapped before the rotation.
    package let isMirrored: Bool

    /// The orientation without mirroring and rotation.
    package static let upright = PictureOrientation(rotation: 0)
    /// All eight orientations.
    package static let all = [false, true].flatMap { mirrored in
        [0, 90, 180, 270].map { PictureOrientation(rotation: $0, isMirrored: mirrored) }
    }

    /// Creates an orientation.
    ///
    /// - Parameter rotation: The clockwise rotation in degrees, a multiple of 90.
    package init(rotation: Int, isMirrored: Bool = false) {
        quarterTurns = ((rotation / 90) % 4 + 4) % 4
        self.isMirrored = isMirrored
    }

    /// The clockwise rotation in degrees after mirroring: 0, 90, 180 or 270.
    package var rotation: Int { quarterTurns * 90 }
    /// Whether width and height are swapped.
    package var isSideways: Bool { quarterTurns % 2 == 1 }

    /// Returns the positions of the displayed pixels in a stored frame of `width` × `height` pixels. The displayed
    /// pixel at (x, y) is the stored pixel `first + x * across + y * down`, counted row by row.
    package func steps(width: Int, height: Int) -> (first: Int, across: Int, down: Int) {
        // The stored position of the displayed corner, and its change for one step to the right and one step down.
        var (x, y, right, below): (Int, Int, (x: Int, y: Int), (x: Int, y: Int)) =
            switch quarterTurns {
            case 1: (0, height - 1, (0, -1), (1, 0))
            case 2: (width - 1, height - 1, (-1, 0), (0, -1))
            case 3: (width - 1, 0, (0, 1), (-1, 0))
            default: (0, 0, (1, 0), (0, 1))
            }
        if isMirrored {
            x = width - 1 - x
            right.x = -right.x
            below.x = -below.x
        }
        return (y * width + x, right.y * width + right.x, below.y * width + below.x)
    }

    /// Returns the transform from stored pixels (origin at the top left, y pointing down) to displayed ones, with the
    /// result at the origin.
    package func transform(width: Double, height: Double) -> CGAffineTransform {
        let turn =
            switch quarterTurns {
            case 1: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
            case 2: CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
            case 3: CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
            default: CGAffineTransform.identity
            }
        guard isMirrored else { return turn }
        return CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: width, ty: 0).concatenating(turn)
    }
}

/// The orientation that a bitstream specifies with a key frame, for all frames until the next key frame.
struct CodedOrientation {
    private var matrix: [Int32]?

    /// Adds the orientation to `frame`, which is the next frame in presentation order, if the frame has none.
    mutating func complete(_ frame: UnsafeMutablePointer<AVFrame>) {
        if let own = zt_frame_display_matrix(frame) {
            matrix = Array(UnsafeBufferPointer(start: own, count: 9))
        } else if zt_frame_is_key(frame) != 0 {
            matrix = nil
        } else if let matrix {
            zt_frame_set_display_matrix(frame, matrix)
        }
    }
}

extension PictureOrientation {
    /// Reads the orientation that a container specifies for its track (ISO/IEC 14496-12, `tkhd` matrix). Returns `nil`
    /// if there is none.
    init?(_ stream: UnsafePointer<AVStream>) {
        self.init(matrix: zt_stream_display_matrix(stream))
    }

    /// Reads the orientation in a frame's own bitstream (display orientation SEI, Exif). Returns `nil` if there is
    /// none.
    init?(_ frame: UnsafePointer<AVFrame>) {
        self.init(matrix: zt_frame_display_matrix(frame))
    }

    /// Creates an orientation from a matrix. Returns `nil` without a matrix, or if it maps the frame to nothing.
    ///
    /// - Parameter matrix: Nine numbers, as in a display matrix of libavutil. The rotation is rounded to quarter turns.
    init?(matrix: UnsafePointer<Int32>?) {
        guard let matrix else { return nil }
        self.init(a: Double(matrix[0]), b: Double(matrix[1]), c: Double(matrix[3]), d: Double(matrix[4]))
    }

    /// Creates the orientation that is nearest to a transform from stored to displayed pixels. Returns `nil` if it maps
    /// the frame to nothing, or is not finite.
    init?(_ transform: CGAffineTransform) {
        self.init(a: transform.a, b: transform.b, c: transform.c, d: transform.d)
    }

    /// Creates an orientation from a matrix that displays the point (x, y) at (a x + c y, b x + d y); y points down.
    private init?(a: Double, b: Double, c: Double, d: Double) {
        let area = a * d - b * c
        guard area != 0, area.isFinite else { return nil }
        let isMirrored = area < 0
        // Without mirroring, the first column is the direction of the rotated x axis.
        let angle = isMirrored ? atan2(-b, -a) : atan2(b, a)
        self.init(rotation: Int(saturating: (angle / (.pi / 2)).rounded()) * 90, isMirrored: isMirrored)
    }
}
