import Foundation

/// A writer of files whose track has a display matrix. No available tool writes matrices that mirror the video.
public enum OrientedFile {
    /// The values a, b, c and d of the eight display matrices. A pixel at (x, y) is displayed at (a x + c y, b x + d
    /// y); y points down.
    public static let matrices: [[Int]] = [
        [1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0],
        [-1, 0, 0, 1], [1, 0, 0, -1], [0, 1, 1, 0], [0, -1, -1, 0],
    ]

    /// Returns, for each displayed quadrant, the index of the stored quadrant. The order is upper left, upper right,
    /// lower left, lower right.
    public static func order(_ matrix: [Int]) -> [Int] {
        var order = [0, 0, 0, 0]
        for stored in 0..<4 {
            let (x, y) = (stored % 2 * 2 - 1, stored / 2 * 2 - 1)
            let shown = (matrix[0] * x + matrix[2] * y, matrix[1] * x + matrix[3] * y)
            order[(shown.0 + 1) / 2 + (shown.1 + 1)] = stored
        }
        return order
    }

    /// Writes a copy of an MP4 file with `matrix` in the header of its tracks.
    public static func write(_ source: URL, matrix: [Int], to target: URL) throws {
        var bytes = [UInt8](try Data(contentsOf: source))
        let name = Array("tkhd".utf8)
        for at in 4..<bytes.count - 88 where bytes[at..<at + 4].elementsEqual(name) {
            // The matrix follows version and flags, times, identifiers and layers. It is stored by rows, with u, v and
            // w.
            let start = at + 4 + (bytes[at + 4] == 1 ? 52 : 40)
            for (place, value) in zip([0, 1, 3, 4], matrix) {
                let word = UInt32(bitPattern: Int32(value) << 16)
                for byte in 0..<4 { bytes[start + place * 4 + byte] = UInt8(word >> (24 - 8 * UInt32(byte)) & 255) }
            }
        }
        try Data(bytes).write(to: target)
    }
}
