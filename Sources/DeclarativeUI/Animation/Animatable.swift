import Foundation

/// A value that can be mixed from two others. SwiftUI's protocol.
public protocol VectorArithmetic: AdditiveArithmetic {
    mutating func scale(by rhs: Double)
    var magnitudeSquared: Double { get }
}

extension Double: VectorArithmetic {
    public mutating func scale(by rhs: Double) { self *= rhs }
    public var magnitudeSquared: Double { self * self }
}
extension Float: VectorArithmetic {
    public mutating func scale(by rhs: Double) { self *= Float(rhs) }
    public var magnitudeSquared: Double { Double(self * self) }
}
extension CGFloat: VectorArithmetic {
    public mutating func scale(by rhs: Double) { self *= CGFloat(rhs) }
    public var magnitudeSquared: Double { Double(self * self) }
}

/// Two such values as one.
public struct AnimatablePair<First: VectorArithmetic, Second: VectorArithmetic>: VectorArithmetic {
    public var first: First
    public var second: Second
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
    public static var zero: Self { Self(.zero, .zero) }
    public static func + (a: Self, b: Self) -> Self { Self(a.first + b.first, a.second + b.second) }
    public static func - (a: Self, b: Self) -> Self { Self(a.first - b.first, a.second - b.second) }
    public mutating func scale(by rhs: Double) {
        first.scale(by: rhs)
        second.scale(by: rhs)
    }
    public var magnitudeSquared: Double { first.magnitudeSquared + second.magnitudeSquared }
}

/// Nothing to animate.
public struct EmptyAnimatableData: VectorArithmetic {
    public init() {}
    public static var zero: Self { Self() }
    public static func + (a: Self, b: Self) -> Self { a }
    public static func - (a: Self, b: Self) -> Self { a }
    public mutating func scale(by rhs: Double) {}
    public var magnitudeSquared: Double { 0 }
}

/// What can be shown between two of its values. SwiftUI's protocol.
public protocol Animatable {
    associatedtype AnimatableData: VectorArithmetic
    var animatableData: AnimatableData { get set }
}

extension Animatable where AnimatableData == EmptyAnimatableData {
    public var animatableData: EmptyAnimatableData {
        get { EmptyAnimatableData() }
        set {}
    }
}

/// Numbers of any count, for what is animated inside the package (points, colours, rectangles).
struct AnimatableNumbers: VectorArithmetic {
    var values: [Double]
    init(_ values: [Double]) { self.values = values }
    static var zero: Self { Self([]) }
    private static func zip(_ a: Self, _ b: Self, _ f: (Double, Double) -> Double) -> Self {
        if a.values.isEmpty { return Self(b.values.map { f(0, $0) }) }
        if b.values.isEmpty { return a }
        return Self(Swift.zip(a.values, b.values).map(f))
    }
    static func + (a: Self, b: Self) -> Self { zip(a, b, +) }
    static func - (a: Self, b: Self) -> Self { zip(a, b, -) }
    mutating func scale(by rhs: Double) { for i in values.indices { values[i] *= rhs } }
    var magnitudeSquared: Double { values.reduce(0) { $0 + $1 * $1 } }
}

/// A value on its way to another.
struct Animated<Value: VectorArithmetic> {
    private(set) var target: Value
    private var from: Value?
    private var start = 0.0
    private var animation: Animation?

    init(_ value: Value) { target = value }

    /// - Parameter now: seconds of the host's clock.
    mutating func set(_ value: Value, _ animation: Animation?, now: Double) {
        guard value != target else { return }
        if let animation {
            from = self.value(now)
            start = now
            self.animation = animation
        } else {
            from = nil
            self.animation = nil
        }
        target = value
    }

    func value(_ now: Double) -> Value {
        guard let from, let animation else { return target }
        let progress = animation.progress(at: now - start)
        if progress.isOver { return target }
        var change = target - from
        change.scale(by: progress.value)
        return from + change
    }

    func isRunning(_ now: Double) -> Bool {
        guard from != nil, let animation else { return false }
        return !animation.progress(at: now - start).isOver
    }
}
