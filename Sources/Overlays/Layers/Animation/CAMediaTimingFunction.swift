/// The name of a timing function. Mirrors Core Animation's type of the same name.
public struct CAMediaTimingFunctionName: RawRepresentable, Hashable, Sendable {
    /// The raw value of the name in Core Animation.
    public let rawValue: String
    /// Creates a name from Core Animation's raw value. Any other value is treated as linear.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A constant pace.
    public static let linear = CAMediaTimingFunctionName(rawValue: "linear")
    /// A slow start: control points (0.42, 0) and (1, 1).
    public static let easeIn = CAMediaTimingFunctionName(rawValue: "easeIn")
    /// A slow end: control points (0, 0) and (0.58, 1).
    public static let easeOut = CAMediaTimingFunctionName(rawValue: "easeOut")
    /// A slow start and a slow end: control points (0.42, 0) and (0.58, 1).
    public static let easeInEaseOut = CAMediaTimingFunctionName(rawValue: "easeInEaseOut")
    /// A fast start and a slow end: control points (0.25, 0.1) and (0.25, 1).
    public static let `default` = CAMediaTimingFunctionName(rawValue: "default")
}

/// The timing curve of an animation: a cubic Bézier curve from (0, 0) to (1, 1) that maps time to progress. Mirrors
/// Core Animation's type of the same name.
///
/// ```swift
/// fade.timingFunction = CAMediaTimingFunction(name: .easeInEaseOut)
/// move.timingFunction = CAMediaTimingFunction(controlPoints: 0.2, 0.8, 0.2, 1)
/// ```
public final class CAMediaTimingFunction: Sendable, Equatable {
    let curve: TimingCurve

    /// Creates the function with this name. A name that is none of the constants is linear.
    public init(name: CAMediaTimingFunctionName) {
        curve =
            switch name {
            case .easeIn: TimingCurve(0.42, 0, 1, 1)
            case .easeOut: TimingCurve(0, 0, 0.58, 1)
            case .easeInEaseOut: TimingCurve(0.42, 0, 0.58, 1)
            case .default: TimingCurve(0.25, 0.1, 0.25, 1)
            default: TimingCurve(0, 0, 1, 1)
            }
    }
    /// Creates a function with two control points. Their x is clamped to 0…1. If a number is not finite, the function
    /// is linear.
    public init(controlPoints c1x: Float, _ c1y: Float, _ c2x: Float, _ c2y: Float) {
        curve = TimingCurve(Double(c1x), Double(c1y), Double(c2x), Double(c2y))
    }
    /// Writes the x and y of one point of the curve to `values`.
    ///
    /// - Parameters:
    ///   - index: 0 for the start, 1 and 2 for the control points, 3 for the end. Any other index is ignored.
    ///   - values: Space for two numbers.
    public func getControlPoint(at index: Int, values: UnsafeMutablePointer<Float>) {
        let points = [(0, 0), (curve.x1, curve.y1), (curve.x2, curve.y2), (1, 1)]
        guard points.indices.contains(index) else { return }
        values[0] = Float(points[index].0)
        values[1] = Float(points[index].1)
    }
    public static func == (a: CAMediaTimingFunction, b: CAMediaTimingFunction) -> Bool { a.curve == b.curve }
}

/// A timing function as a value.
struct TimingCurve: Sendable, Equatable {
    let x1: Double, y1: Double, x2: Double, y2: Double

    init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
        let isFinite = x1.isFinite && y1.isFinite && x2.isFinite && y2.isFinite
        self.x1 = isFinite ? min(max(x1, 0), 1) : 0
        self.y1 = isFinite ? y1 : 0
        self.x2 = isFinite ? min(max(x2, 0), 1) : 1
        self.y2 = isFinite ? y2 : 1
    }

    /// Returns the progress at `time`, a fraction of the duration that is clamped to 0…1.
    func callAsFunction(_ time: Double) -> Double {
        guard time > 0 else { return 0 }
        guard time < 1 else { return 1 }
        if x1 == y1, x2 == y2 { return time }
        // x increases with the parameter, so Newton's method runs inside an interval that always contains the solution.
        var low = 0.0
        var high = 1.0
        var s = time
        for _ in 0..<60 {
            let x = TimingCurve.bezier(s, x1, x2) - time
            if abs(x) < 1e-12 { break }
            if x > 0 { high = s } else { low = s }
            let slope = 3 * (1 - s) * (1 - s) * x1 + 6 * (1 - s) * s * (x2 - x1) + 3 * s * s * (1 - x2)
            let next = s - x / slope
            s = slope > 1e-9 && next > low && next < high ? next : (low + high) / 2
        }
        return TimingCurve.bezier(s, y1, y2)
    }
    private static func bezier(_ s: Double, _ a: Double, _ b: Double) -> Double {
        let u = 1 - s
        return 3 * u * u * s * a + 3 * u * s * s * b + s * s * s
    }
}
