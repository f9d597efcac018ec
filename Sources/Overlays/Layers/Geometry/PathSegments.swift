import Foundation

/// A line or curve of a path.
package struct PathSegment {
    package var a: CGPoint, b: CGPoint, c: CGPoint, d: CGPoint
    package var isLine: Bool
    /// Whether the segment begins a subpath.
    package var isFirst: Bool
    /// Whether the segment is the line that `closeSubpath` draws.
    package var isClosing = false

    static func line(_ a: CGPoint, _ d: CGPoint, _ isFirst: Bool, closing: Bool = false) -> PathSegment {
        PathSegment(
            a: a, b: a.mixed(d, 1 / 3), c: a.mixed(d, 2 / 3), d: d, isLine: true, isFirst: isFirst, isClosing: closing)
    }

    package func point(_ t: CGFloat) -> CGPoint {
        if isLine { return a.mixed(d, t) }
        let u = 1 - t
        let (p, q, r, s) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
        return CGPoint(x: p * a.x + q * b.x + r * c.x + s * d.x, y: p * a.y + q * b.y + r * c.y + s * d.y)
    }
    /// Returns the tangent at `t`, or the direction from start to end if the tangent is zero.
    package func direction(_ t: CGFloat) -> CGPoint {
        let u = 1 - t
        let (p, q, r) = (u * u, 2 * u * t, t * t)
        let v = CGPoint(
            x: p * (b.x - a.x) + q * (c.x - b.x) + r * (d.x - c.x),
            y: p * (b.y - a.y) + q * (c.y - b.y) + r * (d.y - c.y))
        return v.x == 0 && v.y == 0 ? CGPoint(x: d.x - a.x, y: d.y - a.y) : v
    }

    /// Returns the number of lines that approximate the curve with an error of at most `tolerance`.
    ///
    /// The error is at most an eighth of the second derivative, divided by the square of the number. The result is at
    /// most 256.
    func count(_ tolerance: CGFloat) -> Int {
        if isLine { return 1 }
        let m = max(hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y), hypot(b.x - 2 * c.x + d.x, b.y - 2 * c.y + d.y))
        let n = (0.75 * m / tolerance).squareRoot().rounded(.up)
        return n.isFinite ? min(256, max(1, Int(n))) : 1
    }

    /// The lengths of the curve up to each of 65 points.
    private var lengths: [CGFloat] {
        var all: [CGFloat] = [0]
        var last = a
        var sum: CGFloat = 0
        all.reserveCapacity(65)
        for i in 1...64 {
            let p = point(CGFloat(i) / 64)
            sum += last.distance(p)
            all.append(sum)
            last = p
        }
        return all
    }
    package var length: CGFloat { isLine ? a.distance(d) : lengths[64] }

    /// Returns the parameter of the point at a fraction of the length, 0…1.
    package func parameter(at fraction: CGFloat) -> CGFloat {
        if isLine || fraction <= 0 || fraction >= 1 { return min(max(fraction, 0), 1) }
        let lengths = lengths
        let wanted = fraction * lengths[64]
        let upper = lengths.firstIndex { $0 >= wanted } ?? 64
        guard upper > 0 else { return 0 }
        let step = lengths[upper] - lengths[upper - 1]
        return (CGFloat(upper - 1) + (step > 0 ? (wanted - lengths[upper - 1]) / step : 0)) / 64
    }

    /// Returns the segment between two parameters, by de Casteljau's algorithm.
    package func part(_ t0: CGFloat, _ t1: CGFloat) -> PathSegment {
        var s = self
        if t1 < 1 {
            let ab = s.a.mixed(s.b, t1)
            let bc = s.b.mixed(s.c, t1)
            let cd = s.c.mixed(s.d, t1)
            let abc = ab.mixed(bc, t1)
            let bcd = bc.mixed(cd, t1)
            (s.b, s.c, s.d) = (ab, abc, abc.mixed(bcd, t1))
        }
        if t0 > 0, t1 > 0 {
            let t = t0 / t1
            let ab = s.a.mixed(s.b, t)
            let bc = s.b.mixed(s.c, t)
            let cd = s.c.mixed(s.d, t)
            let abc = ab.mixed(bc, t)
            let bcd = bc.mixed(cd, t)
            (s.a, s.b, s.c) = (abc.mixed(bcd, t), bcd, cd)
        }
        return s
    }
}

extension PathData {
    /// The lines and curves in order, with quadratic curves converted to cubic ones.
    package var segments: [PathSegment] {
        var all: [PathSegment] = []
        all.reserveCapacity(elements.count)
        var last = CGPoint.zero
        var start = CGPoint.zero
        var isFirst = true
        for element in elements {
            switch element {
            case .move(let p):
                (last, start, isFirst) = (p, p, true)
            case .line(let p):
                all.append(.line(last, p, isFirst))
                (last, isFirst) = (p, false)
            case .quad(let c, let p):
                all.append(
                    PathSegment(
                        a: last, b: last.mixed(c, 2 / 3), c: p.mixed(c, 2 / 3), d: p, isLine: false, isFirst: isFirst))
                (last, isFirst) = (p, false)
            case .curve(let b, let c, let p):
                all.append(PathSegment(a: last, b: b, c: c, d: p, isLine: false, isFirst: isFirst))
                (last, isFirst) = (p, false)
            case .close:
                all.append(.line(last, start, isFirst, closing: true))
                (last, isFirst) = (start, true)
            }
        }
        return all
    }

    package var length: CGFloat { segments.reduce(0) { $0 + $1.length } }

    /// Returns the outline between two fractions of its length, 0…1, clamped.
    ///
    /// Curves stay curves. Subpaths that are completely included stay closed.
    package func trimmed(from: CGFloat, to: CGFloat) -> PathData {
        let from = min(max(from, 0), 1)
        let to = min(max(to, 0), 1)
        if from <= 0, to >= 1 { return self }
        var result = PathData()
        guard to > from else { return result }
        let segments = segments
        let lengths = segments.map(\.length)
        let total = lengths.reduce(0, +)
        let begin = from * total
        let end = to * total
        var walked: CGFloat = 0
        var isJoined = false
        var isWhole = false
        for (segment, length) in zip(segments, lengths) {
            let a = max(walked, begin)
            let b = min(walked + length, end)
            if segment.isFirst {
                isJoined = false
                isWhole = walked >= begin
            }
            defer { walked += length }
            guard b > a else {
                if segment.isClosing, length == 0, isJoined, isWhole { result.close() }
                isJoined = isJoined && length == 0
                continue
            }
            if segment.isClosing, isJoined, isWhole, walked + length <= end {
                result.close()
                isJoined = false
                continue
            }
            let t0 = segment.parameter(at: (a - walked) / length)
            let t1 = segment.parameter(at: (b - walked) / length)
            let part = segment.part(t0, t1)
            if !isJoined { result.move(part.a) }
            if segment.isLine { result.line(part.d) } else { result.curve(part.b, part.c, part.d) }
            isJoined = b >= walked + length
        }
        return result
    }

    /// The smallest rectangle around all points, including control points. Null if there are none.
    package var controlBox: CGRect {
        var points: [CGPoint] = []
        points.reserveCapacity(elements.count)
        for element in elements {
            switch element {
            case .move(let p), .line(let p): points.append(p)
            case .quad(let c, let p): points += [c, p]
            case .curve(let c, let d, let p): points += [c, d, p]
            case .close: break
            }
        }
        return .around(points)
    }

    /// The smallest rectangle around the outline, without control points. A single `move` counts as a point.
    package var tightBox: CGRect {
        var points: [CGPoint] = []
        for element in elements { if case .move(let p) = element { points.append(p) } }
        for s in segments {
            points.append(s.d)
            if s.isLine { continue }
            for (a, b, c, d) in [(s.a.x, s.b.x, s.c.x, s.d.x), (s.a.y, s.b.y, s.c.y, s.d.y)] {
                for t in PathData.extremes(a, b, c, d) { points.append(s.point(t)) }
            }
        }
        return .around(points)
    }
    /// Returns the parameters where one coordinate of a cubic curve is extreme: the zeros of its derivative in 0…1.
    private static func extremes(_ a: CGFloat, _ b: CGFloat, _ c: CGFloat, _ d: CGFloat) -> [CGFloat] {
        let q2 = -a + 3 * b - 3 * c + d
        let q1 = 2 * (a - 2 * b + c)
        let q0 = b - a
        if abs(q2) < 1e-12 { return abs(q1) < 1e-12 ? [] : [-q0 / q1].filter { $0 > 0 && $0 < 1 } }
        let disc = q1 * q1 - 4 * q2 * q0
        guard disc >= 0 else { return [] }
        let root = disc.squareRoot()
        return [(-q1 + root) / (2 * q2), (-q1 - root) / (2 * q2)].filter { $0 > 0 && $0 < 1 }
    }

    /// Returns whether `p` is inside the filled outline. Open subpaths count as closed.
    ///
    /// - Parameter tolerance: The maximum error of the lines that approximate curves, in points.
    package func contains(_ p: CGPoint, evenOdd: Bool, tolerance: CGFloat = 0.05) -> Bool {
        guard p.isFinite else { return false }
        var winding = 0
        func edge(_ a: CGPoint, _ b: CGPoint) {
            guard (a.y <= p.y) != (b.y <= p.y) else { return }
            let x = a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)
            if x > p.x { winding += b.y > a.y ? 1 : -1 }
        }
        var start = CGPoint.zero
        var last: CGPoint?
        for s in segments {
            if s.isFirst {
                if let last { edge(last, start) }
                start = s.a
            }
            let n = s.count(tolerance)
            var from = s.a
            for i in 1...n {
                let to = i == n ? s.d : s.point(CGFloat(i) / CGFloat(n))
                edge(from, to)
                from = to
            }
            last = s.d
        }
        if let last { edge(last, start) }
        return evenOdd ? winding & 1 != 0 : winding != 0
    }

    /// Returns the length of the longest miter, in half line widths, at least 1. Miters longer than `limit` are
    /// ignored, because they are cut off.
    package func miterReach(limit: CGFloat) -> CGFloat {
        var reach: CGFloat = 1
        var before: PathSegment?
        var first: PathSegment?
        func join(_ s: PathSegment, _ t: PathSegment) {
            let u = s.direction(1)
            let v = t.direction(0)
            let lu = hypot(u.x, u.y)
            let lv = hypot(v.x, v.y)
            guard lu > 0, lv > 0 else { return }
            // The angle between the lines is π minus the change of direction. The miter is 1 / sin of half that angle.
            let cosTurn = min(1, max(-1, (u.x * v.x + u.y * v.y) / (lu * lv)))
            let sinHalf = ((1 + cosTurn) / 2).squareRoot()
            if sinHalf > 0, 1 / sinHalf <= limit { reach = max(reach, 1 / sinHalf) }
        }
        for s in segments {
            if s.isFirst { first = s } else if let before { join(before, s) }
            if s.isClosing, let first {
                // A closing line of length 0 has no direction, so the last segment with a length forms the corner.
                join(s.length > 0 ? s : before ?? s, first)
            }
            if s.length > 0 { before = s }
        }
        return reach
    }
}
