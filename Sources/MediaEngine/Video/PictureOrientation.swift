import CFFmpeg
import Foundation
import MediaCore

/// How a stored picture lies when it is displayed: one of the eight ways to put a rectangle on itself.
///
/// The picture is mirrored first (left and right change places), if at all, and then turned clockwise.
package struct PictureOrientation: Hashable, Sendable {
    /// Quarter turns clockwise, from 0 to 3.
    package let quarterTurns: Int
    /// Whether left and right of the stored picture change places before the turn.
    package let isMirrored: Bool

    /// As stored.
    package static let upright = PictureOrientation(rotation: 0)
    /// All eight.
    package static let all = [false, true].flatMap { mirrored in
        [0, 90, 180, 270].map { PictureOrientation(rotation: $0, isMirrored: mirrored) }
    }

    /// - Parameter rotation: Degrees clockwise, a multiple of 90.
    package init(rotation: Int, isMirrored: Bool = false) {
        quarterTurns = ((rotation / 90) % 4 + 4) % 4
        self.isMirrored = isMirrored
    }

    /// Degrees clockwise after mirroring: 0, 90, 180 or 270.
    package var rotation: Int { quarterTurns * 90 }
    /// Whether width and height change places.
    package var isSideways: Bool { quarterTurns % 2 == 1 }

    /// Where the pixels of the displayed picture are in a stored picture of `width` × `height`: the pixel at (x, y)
    /// is pixel `first + x * across + y * down` of the stored ones, counted row by row.
    package func steps(width: Int, height: Int) -> (first: Int, across: Int, down: Int) {
        // The stored position of the displayed corner, and what one step to the right and one down add to it.
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

    /// Stored pixels (origin top left, y down) to display, moved so that the result begins at the origin.
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

/// What a bitstream says of its pictures' orientation: with a key picture, for all that follow it.
struct CodedOrientation {
    private var matrix: [Int32]?

    /// Gives `picture`, the next in the order of presentation, what was said before it.
    mutating func complete(_ picture: UnsafeMutablePointer<AVFrame>) {
        if let own = zt_frame_display_matrix(picture) {
            matrix = Array(UnsafeBufferPointer(start: own, count: 9))
        } else if zt_frame_is_key(picture) != 0 {
            matrix = nil
        } else if let matrix {
            zt_frame_set_display_matrix(picture, matrix)
        }
    }
}

extension PictureOrientation {
    /// What a container says of its track (ISO/IEC 14496-12, `tkhd` matrix). Nil when it says nothing.
    init?(_ stream: UnsafePointer<AVStream>) {
        self.init(matrix: zt_stream_display_matrix(stream))
    }

    /// What a picture's own bitstream says (display orientation SEI, Exif). Nil when it says nothing.
    init?(_ picture: UnsafePointer<AVFrame>) {
        self.init(matrix: zt_frame_display_matrix(picture))
    }

    /// - Parameter matrix: Nine numbers, as libavutil's display matrices. A turn is rounded to quarters. Nil for no
    ///   matrix, and for one that leaves nothing of a picture.
    init?(matrix: UnsafePointer<Int32>?) {
        guard let matrix else { return nil }
        // (x, y) is displayed at (a x + c y, b x + d y); y points down.
        let (a, b, c, d) = (Double(matrix[0]), Double(matrix[1]), Double(matrix[3]), Double(matrix[4]))
        let area = a * d - b * c
        guard area != 0 else { return nil }
        let isMirrored = area < 0
        // Without the mirroring, the first column is where the turn takes the x axis.
        let angle = isMirrored ? atan2(-b, -a) : atan2(b, a)
        self.init(rotation: Int(saturating: (angle / (.pi / 2)).rounded()) * 90, isMirrored: isMirrored)
    }
}
