import Foundation
import MediaCore

/// A stroke or area of a symbol, on a grid of 24 × 24 units.
struct SymbolMark: Equatable {
    /// The look of a mark in the plain form and in the filled form.
    enum Role: Character {
        /// An outline in the plain form, and a filled area in the filled form.
        case area = "a"
        /// A line in both forms.
        case line = "l"
        /// A filled area in both forms.
        case solid = "s"
        /// A line in the plain form. In the filled form, it is erased from the area under it.
        case detail = "d"
        /// A filled area in the plain form. In the filled form, it is erased from the area under it.
        case mark = "m"
        /// An area that is erased, with a margin, from everything drawn before it.
        case gap = "g"
    }
    var role: Role
    var outline: Path
    /// The factor of the line's width; 1 is the usual width. For a solid mark, the line rounds its corners, and the
    /// default is 0.
    var width: CGFloat

    func placed(_ place: SymbolPlace) -> SymbolMark {
        SymbolMark(role: role, outline: outline.applying(place.transform), width: width * place.thinning)
    }
}

/// The position, size and rotation of a symbol in the grid of another one.
struct SymbolPlace {
    /// The center.
    var x: CGFloat = 12, y: CGFloat = 12
    var scale: CGFloat = 1
    var turn = 0.0
    var isMirrored = false
    /// The factor for lines of small symbols. Without it, their lines would run into each other.
    var thinning: CGFloat { scale < 0.35 ? 0.65 : scale < 0.75 ? 0.85 : 1 }

    var transform: CGAffineTransform {
        let c = cos(turn * .pi / 180) * scale
        let s = sin(turn * .pi / 180) * scale
        let side: CGFloat = isMirrored ? -1 : 1
        let (a, b, c2, d) = (c * side, s * side, -s, c)
        return CGAffineTransform(a: a, b: b, c: c2, d: d, tx: x - 12 * (a + c2), ty: y - 12 * (b + d))
    }
}

/// A step of cairo that draws a part of a symbol.
struct SymbolStep: Equatable {
    var outline: Path
    /// The factor of the line's width, or nil without a line.
    var stroke: CGFloat?
    /// The additional width of the line, in units of the grid.
    var margin: CGFloat = 0
    var isFilled = false
    /// Whether the step erases instead of drawing.
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
