import Foundation
import TestSupport

/// A picture of a window, coarse: the mean colour of each square of 4 by 4 points.
///
/// How letters' and lines' edges are smoothed hardly shows in means of so many pixels; a word that is missing, another
/// colour, or something that lies two points further does.
struct CellPicture: Equatable, Sendable {
    let columns: Int, rows: Int
    /// Red, green and blue of each cell, 0…255, row by row.
    let values: [UInt8]

    /// Points across a cell.
    static let side = 4

    /// - Parameters:
    ///   - bytes: of one picture after the other.
    ///   - width: of each, points.
    static func pictures(_ bytes: [UInt8], width: Int, height: Int) -> [CellPicture] {
        let (columns, rows) = (width / side, height / side)
        let size = columns * rows * 3
        guard size > 0, bytes.count % size == 0 else { return [] }
        return stride(from: 0, to: bytes.count, by: size).map {
            CellPicture(columns: columns, rows: rows, values: Array(bytes[$0..<($0 + size)]))
        }
    }

    /// How much of it looks different.
    struct Difference: Equatable, Sendable {
        /// Cells that differ by what an eye sees at once, and by what it sees where it is a whole area.
        var strong = 0, weak = 0
        /// Where, in points; nil when nowhere.
        var area: CGRect?

        /// More than smoothing does: an area of two letters that is quite different, or one of a button's size that is a
        /// little so.
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

    /// Of picture files, all of the same size, by ImageMagick.
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
