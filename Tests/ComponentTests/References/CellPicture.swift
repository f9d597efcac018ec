import Foundation
import TestSupport

/// A coarse image of a window: the mean color of each cell of 4 × 4 points.
///
/// Antialiasing of letters and lines hardly changes these means. A missing word, another color, or a shift of two
/// points does.
struct CellPicture: Equatable, Sendable {
    let columns: Int, rows: Int
    /// Red, green and blue of each cell, 0…255, row by row.
    let values: [UInt8]

    /// The width and height of a cell, in points.
    static let side = 4

    /// - Parameters:
    ///   - bytes: The images one after another, three bytes (red, green, blue) per cell.
    ///   - width: The width of each image, in points.
    static func pictures(_ bytes: [UInt8], width: Int, height: Int) -> [CellPicture] {
        let (columns, rows) = (width / side, height / side)
        let size = columns * rows * 3
        guard size > 0, bytes.count % size == 0 else { return [] }
        return stride(from: 0, to: bytes.count, by: size).map {
            CellPicture(columns: columns, rows: rows, values: Array(bytes[$0..<($0 + size)]))
        }
    }

    /// The result of a comparison of two images.
    struct Difference: Equatable, Sendable {
        /// The number of cells with an obvious difference, and with a difference that is visible only in a larger area.
        var strong = 0, weak = 0
        /// The area with differences, in points, or nil if there are none.
        var area: CGRect?

        /// Whether the difference is larger than antialiasing causes: strong in an area of about two letters, or weak
        /// in an area of a button's size.
        var isChange: Bool { strong > 6 || weak > 100 }
    }

    func difference(from other: CellPicture) -> Difference {
        guard columns == other.columns, rows == other.rows else {
            return Difference(strong: columns * rows, weak: columns * rows, area: nil)
        }
        var found = Difference()
        values.withUnsafeBufferPointer { a in
            other.values.withUnsafeBufferPointer { b in
                for cell in 0..<(columns * rows) {
                    var most = 0
                    for channel in (cell * 3)..<(cell * 3 + 3) {
                        most = max(most, abs(Int(a[channel]) - Int(b[channel])))
                    }
                    guard most > 14 else { continue }
                    found.weak += 1
                    if most > 20 { found.strong += 1 }
                    let place = CGRect(
                        x: cell % columns * Self.side, y: cell / columns * Self.side, width: Self.side,
                        height: Self.side)
                    found.area = found.area?.union(place) ?? place
                }
            }
        }
        return found
    }

    /// Reads image files of the same size with ImageMagick. Sizes are in points.
    static func read(_ files: [URL], width: Int, height: Int) throws -> [CellPicture] {
        guard !files.isEmpty else { return [] }
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-cells-\(UUID().uuidString.prefix(8)).rgb")
        defer { try? FileManager.default.removeItem(at: output) }
        try ChildProcess(
            "convert",
            files.map(\.path) + ["-scale", "\(width / side)x\(height / side)!", "-depth", "8", "rgb:\(output.path)"]
        ).wait()
        return pictures([UInt8]((try? Data(contentsOf: output)) ?? Data()), width: width, height: height)
    }
}
