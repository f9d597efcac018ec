import Foundation

/// A parser for outlines in the symbols' tables: letters followed by numbers in units of the grid.
///
/// `M x y`, `L x y`, `H x`, `V y`, `Q cx cy x y`, `C ax ay bx by x y` and `Z` are as in SVG. The others are Zoetrope's
/// own:
///
/// - `O x y r`: a circle.
/// - `E x y rx ry`: an ellipse.
/// - `R x y w h r`: a rounded rectangle.
/// - `A x y r from to`: an arc. Angles are in degrees; 0 is to the right, 90 down.
/// - `a x y r from to`: the same arc, connected to the current point.
/// - `T x y R r n`: a star with n points, the outer radius R and the inner radius r.
/// - `G x y r n turn`: a regular polygon with n corners, rotated by `turn` degrees.
/// - `K x y to s`: an open arrowhead with its tip at x, y, pointing to the angle `to`, with arms of length s.
/// - `W x y to length half`: a closed arrowhead with its tip at x, y, pointing to the angle `to`. `half` is half its
///   width.
struct SymbolOutline {
    private var path = Path()
    private var current = CGPoint.zero

    /// Returns the path for `text`, or nil if the text is invalid.
    static func read(_ text: Substring) -> Path? {
        var outline = SymbolOutline()
        var rest = text.utf8[...]
        var numbers: [CGFloat] = []
        var command: Character?
        func isNumber(_ c: UInt8) -> Bool { (48...57).contains(c) || c == 45 || c == 46 }
        while let c = rest.first {
            if c == 32 {
                rest.removeFirst()
            } else if isNumber(c) {
                let end = rest.dropFirst().firstIndex { !isNumber($0) || $0 == 45 } ?? rest.endIndex
                guard let number = Double(Substring(rest[rest.startIndex..<end])) else { return nil }
                numbers.append(number)
                rest = rest[end...]
            } else {
                if let command { guard outline.add(command, numbers) else { return nil } }
                command = Character(Unicode.Scalar(c))
                numbers = []
                rest.removeFirst()
            }
        }
        guard let command, outline.add(command, numbers) else { return nil }
        return outline.path
    }

    private mutating func move(_ p: CGPoint) {
        path.move(to: p)
        current = p
    }
    private mutating func line(_ p: CGPoint) {
        path.addLine(to: p)
        current = p
    }

    /// The commands, and the number of values of each.
    private static let counts: [Character: Int] = [
        "M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "C": 6, "Z": 0, "O": 3, "E": 4, "R": 5, "A": 5, "a": 5, "T": 5, "G": 5,
        "K": 4, "W": 5,
    ]

    private mutating func add(_ command: Character, _ n: [CGFloat]) -> Bool {
        guard let count = SymbolOutline.counts[command] else { return false }
        if count == 0 {
            path.closeSubpath()
            return n.isEmpty
        }
        guard !n.isEmpty, n.count % count == 0 else { return false }
        for (index, start) in stride(from: 0, to: n.count, by: count).enumerated() {
            addStep(command == "M" && index > 0 ? "L" : command, Array(n[start..<(start + count)]))
        }
        return true
    }

    private mutating func addStep(_ command: Character, _ n: [CGFloat]) {
        let polar: (CGFloat, CGFloat, CGFloat, CGFloat) -> CGPoint = { x, y, radius, degrees in
            CGPoint(x: x + radius * cos(degrees * .pi / 180), y: y + radius * sin(degrees * .pi / 180))
        }
        switch command {
        case "M": move(CGPoint(x: n[0], y: n[1]))
        case "L": line(CGPoint(x: n[0], y: n[1]))
        case "H": line(CGPoint(x: n[0], y: current.y))
        case "V": line(CGPoint(x: current.x, y: n[0]))
        case "Q":
            current = CGPoint(x: n[2], y: n[3])
            path.addQuadCurve(to: current, control: CGPoint(x: n[0], y: n[1]))
        case "C":
            current = CGPoint(x: n[4], y: n[5])
            path.addCurve(to: current, control1: CGPoint(x: n[0], y: n[1]), control2: CGPoint(x: n[2], y: n[3]))
        case "O": path.addEllipse(in: CGRect(x: n[0] - n[2], y: n[1] - n[2], width: 2 * n[2], height: 2 * n[2]))
        case "E": path.addEllipse(in: CGRect(x: n[0] - n[2], y: n[1] - n[3], width: 2 * n[2], height: 2 * n[3]))
        case "R":
            path.addRoundedRect(
                in: CGRect(x: n[0], y: n[1], width: n[2], height: n[3]), cornerSize: CGSize(width: n[4], height: n[4]))
        case "A", "a":
            if command == "A" { move(polar(n[0], n[1], n[2], n[3])) }
            path.addArc(
                center: CGPoint(x: n[0], y: n[1]), radius: n[2], startAngle: .degrees(n[3]), endAngle: .degrees(n[4]),
                clockwise: n[4] < n[3])
            current = polar(n[0], n[1], n[2], n[4])
        case "T":
            let count = Int(n[4]) * 2
            polygon(
                (0..<count).map {
                    polar(n[0], n[1], $0 % 2 == 0 ? n[2] : n[3], CGFloat($0) * 360 / CGFloat(count) - 90)
                })
        case "G": polygon((0..<Int(n[3])).map { polar(n[0], n[1], n[2], CGFloat($0) * 360 / n[3] + n[4]) })
        case "K":
            move(polar(n[0], n[1], n[3], n[2] + 135))
            line(CGPoint(x: n[0], y: n[1]))
            line(polar(n[0], n[1], n[3], n[2] - 135))
        case "W":
            let base = polar(n[0], n[1], n[3], n[2] + 180)
            polygon([
                CGPoint(x: n[0], y: n[1]), polar(base.x, base.y, n[4], n[2] + 90),
                polar(base.x, base.y, n[4], n[2] - 90),
            ])
        default: break
        }
    }

    private mutating func polygon(_ points: [CGPoint]) {
        path.addLines(points)
        path.closeSubpath()
    }
}
