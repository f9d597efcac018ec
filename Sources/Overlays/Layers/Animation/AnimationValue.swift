import Filters
import Foundation
import MediaCore

/// A value of an animated property, in one of the types that can be animated.
enum AnimationValue: Sendable, Equatable {
    case number(Double)
    case point(CGPoint)
    case size(CGSize)
    case rect(CGRect)
    case color(CGColor)
    case colors([CGColor])
    case numbers([Double])
    case transform(CATransform3D)
    case path(PathData)

    enum Kind: String, Sendable { case number, point, size, rect, color, colors, numbers, transform, path }

    /// Converts an app's value to a value of `kind`. Returns nil if the type does not match or a number is not finite.
    init?(_ any: Any, as kind: Kind) {
        switch kind {
        case .number:
            guard let number = AnimationValue.number(any) else { return nil }
            self = .number(number)
        case .point:
            guard let point = any as? CGPoint, point.isFinite else { return nil }
            self = .point(point)
        case .size:
            if let size = any as? CGSize, size.isFinite {
                self = .size(size)
            } else if let point = any as? CGPoint, point.isFinite {
                self = .size(CGSize(width: point.x, height: point.y))
            } else {
                return nil
            }
        case .rect:
            guard let rect = any as? CGRect, rect.isFinite else { return nil }
            self = .rect(rect)
        case .color:
            guard let color = any as? CGColor else { return nil }
            self = .color(color)
        case .colors:
            guard let list = any as? [Any] else { return nil }
            let colors = list.compactMap { $0 as? CGColor }
            guard !list.isEmpty, colors.count == list.count else { return nil }
            self = .colors(colors)
        case .numbers:
            guard let list = any as? [Any] else { return nil }
            let numbers = list.compactMap(AnimationValue.number)
            guard !list.isEmpty, numbers.count == list.count else { return nil }
            self = .numbers(numbers)
        case .transform:
            if let transform = any as? CATransform3D, transform.isFinite {
                self = .transform(transform)
            } else if let transform = any as? CGAffineTransform, transform.isFinite {
                self = .transform(CATransform3D(transform))
            } else {
                return nil
            }
        case .path:
            if let path = any as? CGPath {
                self = .path(path.data)
            } else if let path = any as? UIBezierPath {
                self = .path(path.cgPath.data)
            } else {
                return nil
            }
        }
    }
    static func number(_ any: Any) -> Double? {
        let value: Double? =
            switch any {
            case let value as any BinaryFloatingPoint: Double(value)
            case let value as any BinaryInteger: Double(value)
            case let value as CGFloat: Double(value)
            case let value as NSNumber: value.doubleValue
            default: nil
            }
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The value as plain numbers, or nil for transforms and paths.
    var components: [Double]? {
        switch self {
        case .number(let n): [n]
        case .point(let p): [Double(p.x), Double(p.y)]
        case .size(let s): [Double(s.width), Double(s.height)]
        case .rect(let r): [Double(r.origin.x), Double(r.origin.y), Double(r.size.width), Double(r.size.height)]
        case .color(let c): [Double(c.red), Double(c.green), Double(c.blue), Double(c.alpha)]
        case .numbers(let n): n
        case .colors(let c): c.flatMap { [Double($0.red), Double($0.green), Double($0.blue), Double($0.alpha)] }
        case .transform, .path: nil
        }
    }
    var isFinite: Bool {
        switch self {
        case .transform(let t): t.isFinite
        // A path never contains points that are not finite.
        case .path: true
        default: components?.allSatisfy(\.isFinite) ?? true
        }
    }
    /// Returns a value of the same type with the numbers `n`. Returns `self` if `components` has another count.
    func with(_ n: [Double]) -> AnimationValue {
        guard n.count == components?.count else { return self }
        let color: (Int) -> CGColor = { CGColor(red: n[$0], green: n[$0 + 1], blue: n[$0 + 2], alpha: n[$0 + 3]) }
        return switch self {
        case .number: .number(n[0])
        case .point: .point(CGPoint(x: n[0], y: n[1]))
        case .size: .size(CGSize(width: n[0], height: n[1]))
        case .rect: .rect(CGRect(x: n[0], y: n[1], width: n[2], height: n[3]))
        case .color: .color(color(0))
        case .numbers: .numbers(n)
        case .colors(let c): .colors(c.indices.map { color($0 * 4) })
        case .transform, .path: self
        }
    }

    /// Interpolates between two values. Values that cannot be interpolated, such as paths of different structure,
    /// change from `a` to `b` at the middle.
    static func mixed(_ a: AnimationValue, _ b: AnimationValue, _ t: Double) -> AnimationValue {
        switch (a, b) {
        case (.transform(let p), .transform(let q)): return .transform(TransformParts.mixed(p, q, t))
        case (.path(let p), .path(let q)):
            if let path = p.mixed(q, t) { return .path(path) }
        default:
            // A fully transparent color takes the other color's hue, because `clear` is not meant as transparent black.
            if case .color(let p) = a, case .color(let q) = b {
                if p.alpha == 0 { return a.with([q.red, q.green, q.blue, 0].map { Double($0) }).blend(b, t) }
                if q.alpha == 0 { return a.blend(b.with([p.red, p.green, p.blue, 0].map { Double($0) }), t) }
            }
            if a.components?.count == b.components?.count, a.components != nil { return a.blend(b, t) }
        }
        return t < 0.5 ? a : b
    }
    private func blend(_ other: AnimationValue, _ t: Double) -> AnimationValue {
        with(zip(components ?? [], other.components ?? []).map { $0 + ($1 - $0) * t })
    }

    /// Returns `self + factor · other`, or `self` if the values cannot be added.
    func adding(_ other: AnimationValue, times factor: Double = 1) -> AnimationValue {
        if case .transform(let p) = self, case .transform(let q) = other {
            return .transform(CATransform3DConcat(TransformParts.mixed(CATransform3DIdentity, q, factor), p))
        }
        guard let a = components, let b = other.components, a.count == b.count else { return self }
        return with(zip(a, b).map { $0 + factor * $1 })
    }
    func distance(_ other: AnimationValue) -> Double {
        let (a, b): ([Double], [Double]) =
            switch (self, other) {
            case (.transform(let p), .transform(let q)): (p.entries.map { Double($0) }, q.entries.map { Double($0) })
            default: (components ?? [], other.components ?? [])
            }
        return zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    }
    var zero: AnimationValue {
        if case .transform = self { return .transform(CATransform3DIdentity) }
        return with([Double](repeating: 0, count: components?.count ?? 0))
    }
}
