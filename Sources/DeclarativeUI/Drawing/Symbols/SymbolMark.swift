import Foundation
import MediaCore

/// One stroke or area of a symbol, on a grid of 24 by 24 units.
struct SymbolMark: Equatable {
    /// How it is drawn in the plain variant, and in the filled one.
    enum Role: Character {
        /// An outline; filled.
        case area = "a"
        /// A line; the same.
        case line = "l"
        /// Full; the same.
        case solid = "s"
        /// A line; a line left out of what it lies on.
        case detail = "d"
        /// Full; left out of what it lies on.
        case mark = "m"
        /// Left out, with room around it, of what was drawn before it.
        case gap = "g"
    }
    var role: Role
    var outline: Path
    /// Of the line's width; 1 is the symbols' own. A solid's, which is 0 unless said, rounds its corners.
    var width: CGFloat

    func placed(_ place: SymbolPlace) -> SymbolMark {
        SymbolMark(role: role, outline: outline.applying(place.transform), width: width * place.thinning)
    }
}

/// Where a symbol lies in another's grid.
struct SymbolPlace {
    /// Of its centre.
    var x: CGFloat = 12, y: CGFloat = 12
    var scale: CGFloat = 1
    var turn = 0.0
    var isMirrored = false
    /// Lines of what is drawn small are thinner, or they would run into each other.
    var thinning: CGFloat { scale < 0.35 ? 0.65 : scale < 0.75 ? 0.85 : 1 }

    var transform: CGAffineTransform {
        let c = cos(turn * .pi / 180) * scale
        let s = sin(turn * .pi / 180) * scale
        let side: CGFloat = isMirrored ? -1 : 1
        let (a, b, c2, d) = (c * side, s * side, -s, c)
        return CGAffineTransform(a: a, b: b, c: c2, d: d, tx: x - 12 * (a + c2), ty: y - 12 * (b + d))
    }
}

/// Something that cairo does for a symbol.
struct SymbolStep: Equatable {
    var outline: Path
    /// Of the line's width; nil for no line.
    var stroke: CGFloat?
    /// Units of the grid that the line is wider than that.
    var margin: CGFloat = 0
    var isFilled = false
    /// Takes away instead of adding.
    var isErasing = false

    static func steps(_ marks: [SymbolMark], isFilled: Bool) -> [SymbolStep] {
        marks.map { mark in
            switch mark.role {
            case .area: SymbolStep(outline: mark.outline, stroke: mark.width, isFilled: isFilled)
            case .line: SymbolStep(outline: mark.outline, stroke: mark.width)
            case .solid: SymbolStep(outline: mark.outline, stroke: mark.width > 0 ? mark.width : nil, isFilled: true)
            case .detail: SymbolStep(outline: mark.outline, stroke: mark.width, isErasing: isFilled)
            case .mark: SymbolStep(outline: mark.outline, isFilled: true, isErasing: isFilled)
            case .gap: SymbolStep(outline: mark.outline, stroke: 1, margin: 3, isFilled: true, isErasing: true)
            }
        }
    }
}
