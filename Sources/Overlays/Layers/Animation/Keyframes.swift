import Foundation

/// The values of an animation, or points on a path, with their times.
struct Keyframes: Sendable {
    enum Frames: Sendable {
        case values([AnimationValue])
        case path([PathPiece])
    }
    /// A line or curve of a path, without the data that only drawing needs.
    struct PathPiece: Sendable {
        var a: CGPoint, b: CGPoint, c: CGPoint, d: CGPoint, isLine: Bool
        var segment: PathSegment { PathSegment(a: a, b: b, c: c, d: d, isLine: isLine, isFirst: false) }
    }
    private let frames: Frames
    private let mode: CAAnimationCalculationMode
    /// The time of each value or of each end of a piece, 0…1. With `.discrete`, the time at which each value begins.
    private let times: [Double]
    private let curves: [TimingCurve]

    /// Creates keyframes, or returns nil if there are no values or the path has no lines or curves.
    ///
    /// Invalid times are reported to `problem` and replaced by even spacing.
    init?(
        _ frames: Frames, times given: [Double]?, curves: [TimingCurve], mode: CAAnimationCalculationMode,
        problem: (String) -> Void
    ) {
        let count: Int
        switch frames {
        case .values(let values): count = values.count
        case .path(let pieces): count = pieces.isEmpty ? 0 : pieces.count + 1
        }
        guard count > 0 else { return nil }
        self.frames = frames
        self.mode = mode
        let isPaced = mode == .paced || mode == .cubicPaced
        self.curves = isPaced ? [] : curves
        let even: [Double] =
            mode == .discrete
            ? (0..<count).map { Double($0) / Double(count) }
            : (0..<count).map { count == 1 ? 0 : Double($0) / Double(count - 1) }
        if isPaced {
            times = Keyframes.paced(frames, mode) ?? even
        } else if let given {
            let fits = given.count == count || mode == .discrete && given.count == count + 1
            if fits, zip(given, given.dropFirst()).allSatisfy({ $0 <= $1 }), given.allSatisfy({ $0 >= 0 && $0 <= 1 }) {
                times = Array(given.prefix(count))
            } else {
                problem(
                    "the \(given.count) keyTimes must match the \(count) values and increase from 0 to 1; the keyframes are spaced evenly instead"
                )
                times = even
            }
        } else {
            times = even
        }
    }

    /// Returns times in proportion to the distances between the frames, or nil if all distances are 0.
    private static func paced(_ frames: Frames, _ mode: CAAnimationCalculationMode) -> [Double]? {
        let lengths: [Double] =
            switch frames {
            case .path(let pieces): pieces.map { Double($0.segment.length) }
            case .values(let values):
                values.indices.dropLast().map { i in
                    guard mode == .cubicPaced else { return values[i].distance(values[i + 1]) }
                    let points = (0...32).map { cubic(values, i, Double($0) / 32) }
                    return zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance($1.1) }
                }
            }
        let total = lengths.reduce(0, +)
        guard total > 0, total.isFinite else { return nil }
        var sum = 0.0
        return [0]
            + lengths.map {
                sum += $0
                return min(1, sum / total)
            }
    }

    /// Returns the value at a fraction of the time and, for a path, its direction there, in radians.
    func value(at fraction: Double) -> (value: AnimationValue, angle: Double?) {
        // Find the last keyframe that has begun. At the end of the animation, this is the last keyframe of all.
        var index = 0
        var low = 0
        var high = times.count
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= fraction { low = middle + 1 } else { high = middle }
        }
        index = max(0, low - 1)
        let local: Double
        if mode == .discrete {
            local = 0
        } else if index + 1 < times.count {
            let length = times[index + 1] - times[index]
            let part = length > 0 ? min(max((fraction - times[index]) / length, 0), 1) : 1
            local = index < curves.count ? curves[index](part) : part
        } else {
            local = 0
        }
        switch frames {
        case .values(let values):
            guard index + 1 < values.count, mode != .discrete else { return (values[index], nil) }
            switch mode {
            case .cubic: return (Keyframes.cubic(values, index, local), nil)
            case .cubicPaced:
                return (Keyframes.cubic(values, index, Keyframes.pacedParameter(values, index, local)), nil)
            default: return (.mixed(values[index], values[index + 1], local), nil)
            }
        case .path(let pieces):
            let atEnd = index >= pieces.count
            let segment = pieces[min(index, pieces.count - 1)].segment
            var t = atEnd ? 1 : CGFloat(local)
            if mode == .paced || mode == .cubicPaced { t = segment.parameter(at: t) }
            let tangent = segment.direction(t)
            return (
                .point(segment.point(t)),
                tangent.x == 0 && tangent.y == 0 ? nil : atan2(Double(tangent.y), Double(tangent.x))
            )
        }
    }

    /// Returns a point of the Catmull–Rom curve from value `i` to the next. Values without components change linearly.
    private static func cubic(_ values: [AnimationValue], _ i: Int, _ t: Double) -> AnimationValue {
        guard let b = values[i].components, let c = values[i + 1].components, b.count == c.count else {
            return .mixed(values[i], values[i + 1], t)
        }
        let before = i > 0 ? values[i - 1].components : nil
        let after = i + 2 < values.count ? values[i + 2].components : nil
        // Before the first and after the last value, the curve continues in a straight line.
        let a = before?.count == b.count ? before ?? b : zip(b, c).map { 2 * $0 - $1 }
        let d = after?.count == b.count ? after ?? c : zip(b, c).map { 2 * $1 - $0 }
        return values[i].with(
            b.indices.map { k in
                let p = -a[k] + 3 * b[k] - 3 * c[k] + d[k]
                let q = 2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]
                let r = c[k] - a[k]
                return b[k] + t * (r + t * (q + t * p)) / 2
            })
    }
    private static func pacedParameter(_ values: [AnimationValue], _ i: Int, _ fraction: Double) -> Double {
        let points = (0...32).map { cubic(values, i, Double($0) / 32) }
        let steps = zip(points, points.dropFirst()).map { $0.distance($1) }
        var left = fraction * steps.reduce(0, +)
        for (k, step) in steps.enumerated() {
            if left <= step { return (Double(k) + (step > 0 ? left / step : 0)) / 32 }
            left -= step
        }
        return 1
    }
}
