import Foundation
import MediaCore

/// An outline as a value, for use on any thread. `CGPath` and `UIBezierPath` store it.
///
/// Elements with a point that is not finite are ignored.
package struct PathData: Sendable, Equatable {
    package enum Element: Sendable, Equatable {
        case move(CGPoint)
        case line(CGPoint)
        /// A curve with its control point and end point.
        case quad(CGPoint, CGPoint)
        /// A curve with its two control points and its end point.
        case curve(CGPoint, CGPoint, CGPoint)
        case close
    }
    package private(set) var elements: [Element] = []
    package private(set) var currentPoint: CGPoint?
    private var start: CGPoint?

    package init() {}
    package var isEmpty: Bool { elements.isEmpty }

    package mutating func move(_ p: CGPoint) {
        guard p.isFinite else { return }
        elements.append(.move(p))
        currentPoint = p
        start = p
    }
    /// Adds a line. Without a current point, begins a subpath at `p` instead; curves and arcs begin a subpath too.
    package mutating func line(_ p: CGPoint) {
        guard p.isFinite else { return }
        guard currentPoint != nil else { return move(p) }
        elements.append(.line(p))
        currentPoint = p
    }
    package mutating func quad(_ c: CGPoint, _ p: CGPoint) {
        guard c.isFinite, p.isFinite else { return }
        if currentPoint == nil { move(c) }
        elements.append(.quad(c, p))
        currentPoint = p
    }
    package mutating func curve(_ c1: CGPoint, _ c2: CGPoint, _ p: CGPoint) {
        guard c1.isFinite, c2.isFinite, p.isFinite else { return }
        if currentPoint == nil { move(c1) }
        elements.append(.curve(c1, c2, p))
        currentPoint = p
    }
    package mutating func close() {
        guard let start else { return }
        if elements.last == .close { return }
        elements.append(.close)
        currentPoint = start
    }
    package mutating func append(_ other: PathData) {
        guard !other.isEmpty else { return }
        elements += other.elements
        currentPoint = other.currentPoint
        start = other.start
    }

    package mutating func rect(_ r: CGRect) {
        guard r.isFinite, !r.isNull else { return }
        move(CGPoint(x: r.minX, y: r.minY))
        line(CGPoint(x: r.maxX, y: r.minY))
        line(CGPoint(x: r.maxX, y: r.maxY))
        line(CGPoint(x: r.minX, y: r.maxY))
        close()
    }
    /// Adds a closed rectangle with elliptical corners. The radii are limited to half of the sides.
    package mutating func roundedRect(_ r: CGRect, _ rx: CGFloat, _ ry: CGFloat) {
        let w = min(max(0, rx), r.width / 2)
        let h = min(max(0, ry), r.height / 2)
        guard w > 0, h > 0, r.isFinite, !r.isNull else { return rect(r) }
        let kx = w * PathData.kappa
        let ky = h * PathData.kappa
        let (l, rt, t, b) = (r.minX, r.maxX, r.minY, r.maxY)
        move(CGPoint(x: l + w, y: t))
        line(CGPoint(x: rt - w, y: t))
        curve(CGPoint(x: rt - w + kx, y: t), CGPoint(x: rt, y: t + h - ky), CGPoint(x: rt, y: t + h))
        line(CGPoint(x: rt, y: b - h))
        curve(CGPoint(x: rt, y: b - h + ky), CGPoint(x: rt - w + kx, y: b), CGPoint(x: rt - w, y: b))
        line(CGPoint(x: l + w, y: b))
        curve(CGPoint(x: l + w - kx, y: b), CGPoint(x: l, y: b - h + ky), CGPoint(x: l, y: b - h))
        line(CGPoint(x: l, y: t + h))
        curve(CGPoint(x: l, y: t + h - ky), CGPoint(x: l + w - kx, y: t), CGPoint(x: l + w, y: t))
        close()
    }
    /// Adds a closed ellipse that starts at its right and runs clockwise, as displayed.
    package mutating func ellipse(_ r: CGRect) {
        guard r.isFinite, !r.isNull else { return }
        let kx = r.width / 2 * PathData.kappa
        let ky = r.height / 2 * PathData.kappa
        move(CGPoint(x: r.maxX, y: r.midY))
        curve(CGPoint(x: r.maxX, y: r.midY + ky), CGPoint(x: r.midX + kx, y: r.maxY), CGPoint(x: r.midX, y: r.maxY))
        curve(CGPoint(x: r.midX - kx, y: r.maxY), CGPoint(x: r.minX, y: r.midY + ky), CGPoint(x: r.minX, y: r.midY))
        curve(CGPoint(x: r.minX, y: r.midY - ky), CGPoint(x: r.midX - kx, y: r.minY), CGPoint(x: r.midX, y: r.minY))
        curve(CGPoint(x: r.midX + kx, y: r.minY), CGPoint(x: r.maxX, y: r.midY - ky), CGPoint(x: r.maxX, y: r.midY))
        close()
    }
    /// Adds an arc, and a line to its start.
    ///
    /// - Parameter sweep: The angle of the arc, in radians, positive for increasing angles. Clamped to a full circle.
    package mutating func arc(center: CGPoint, radius: CGFloat, start: CGFloat, sweep: CGFloat) {
        guard center.isFinite, radius.isFinite, radius >= 0, start.isFinite, sweep.isFinite else { return }
        let sweep = min(max(Double(sweep), -2 * .pi), 2 * .pi)
        let r = Double(radius)
        let point: (Double) -> CGPoint = {
            CGPoint(x: Double(center.x) + r * cos($0), y: Double(center.y) + r * sin($0))
        }
        var angle = Double(start)
        line(point(angle))
        let count = Int((abs(sweep) / (.pi / 2) - 1e-9).rounded(.up))
        guard count > 0 else { return }
        let step = sweep / Double(count)
        let k = 4 / 3 * tan(step / 4) * r
        for _ in 0..<count {
            let next = angle + step
            let a = point(angle)
            let b = point(next)
            curve(
                CGPoint(x: Double(a.x) - k * sin(angle), y: Double(a.y) + k * cos(angle)),
                CGPoint(x: Double(b.x) + k * sin(next), y: Double(b.y) - k * cos(next)), b)
            angle = next
        }
    }
    /// Returns the angle of the arc between two angles, in radians: positive if `growing`, otherwise negative.
    ///
    /// If the angles differ by a full circle or more in this direction, returns a full circle.
    package static func sweep(from start: CGFloat, to end: CGFloat, growing: Bool) -> CGFloat {
        let whole = 2 * Double.pi
        var sweep = Double(end) - Double(start)
        guard sweep.isFinite else { return .nan }
        if growing ? sweep >= whole : sweep <= -whole { return growing ? whole : -whole }
        sweep = sweep.truncatingRemainder(dividingBy: whole)
        if growing, sweep < 0 { sweep += whole }
        if !growing, sweep > 0 { sweep -= whole }
        return sweep
    }
    /// Adds an arc that touches the lines from the current point to `a` and from there to `b` (PostScript's `arct`).
    package mutating func arc(tangent a: CGPoint, _ b: CGPoint, radius: CGFloat) {
        guard let p = currentPoint else { return move(a) }
        guard a.isFinite, b.isFinite, radius.isFinite else { return }
        let u = CGPoint(x: p.x - a.x, y: p.y - a.y)
        let v = CGPoint(x: b.x - a.x, y: b.y - a.y)
        let lu = hypot(u.x, u.y)
        let lv = hypot(v.x, v.y)
        let cross = u.x * v.y - u.y * v.x
        guard lu > 0, lv > 0, radius > 0, abs(cross) > 1e-9 * lu * lv else { return line(a) }
        let angle = Double(acos(min(1, max(-1, Double((u.x * v.x + u.y * v.y) / (lu * lv))))))
        let reach = CGFloat(Double(radius) / tan(angle / 2))
        let toCenter = CGFloat(Double(radius) / sin(angle / 2))
        let first = CGPoint(x: a.x + u.x / lu * reach, y: a.y + u.y / lu * reach)
        let last = CGPoint(x: a.x + v.x / lv * reach, y: a.y + v.y / lv * reach)
        let middle = CGPoint(x: u.x / lu + v.x / lv, y: u.y / lu + v.y / lv)
        let length = hypot(middle.x, middle.y)
        let center = CGPoint(x: a.x + middle.x / length * toCenter, y: a.y + middle.y / length * toCenter)
        let start = atan2(Double(first.y - center.y), Double(first.x - center.x))
        let end = atan2(Double(last.y - center.y), Double(last.x - center.x))
        arc(
            center: center, radius: radius, start: start,
            sweep: PathData.sweep(from: start, to: end, growing: cross < 0))
    }
    package static let kappa: CGFloat = 0.5522847498307936

    package func applying(_ t: CGAffineTransform) -> PathData {
        if t.isIdentity { return self }
        var copy = PathData()
        copy.elements.reserveCapacity(elements.count)
        for element in elements {
            switch element {
            case .move(let p): copy.move(p.applying(t))
            case .line(let p): copy.line(p.applying(t))
            case .quad(let c, let p): copy.quad(c.applying(t), p.applying(t))
            case .curve(let c, let d, let p): copy.curve(c.applying(t), d.applying(t), p.applying(t))
            case .close: copy.close()
            }
        }
        return copy
    }

    /// Interpolates all points between two paths of the same structure. Returns nil if the structures differ.
    package func mixed(_ other: PathData, _ t: CGFloat) -> PathData? {
        guard elements.count == other.elements.count else { return nil }
        var copy = PathData()
        copy.elements.reserveCapacity(elements.count)
        for (a, b) in zip(elements, other.elements) {
            switch (a, b) {
            case (.move(let p), .move(let q)): copy.move(p.mixed(q, t))
            case (.line(let p), .line(let q)): copy.line(p.mixed(q, t))
            case (.quad(let c, let p), .quad(let d, let q)): copy.quad(c.mixed(d, t), p.mixed(q, t))
            case (.curve(let c, let d, let p), .curve(let e, let f, let q)):
                copy.curve(c.mixed(e, t), d.mixed(f, t), p.mixed(q, t))
            case (.close, .close): copy.close()
            default: return nil
            }
        }
        return copy
    }
}
