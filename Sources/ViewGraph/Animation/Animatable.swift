import Foundation

/// A value that can be mixed from two others. SwiftUI's protocol.
public protocol VectorArithmetic: AdditiveArithmetic {
    /// Multiplies the value by `rhs`, in place.
    mutating func scale(by rhs: Double)
    /// The square of the value's length as a vector: 0 for `zero`.
    var magnitudeSquared: Double { get }
}

extension Double: VectorArithmetic {
    /// Multiplies the number by `rhs`.
    public mutating func scale(by rhs: Double) { self *= rhs }
    /// The number's square.
    public var magnitudeSquared: Double { self * self }
}
extension Float: VectorArithmetic {
    /// Multiplies the number by `rhs`, which is rounded to a `Float` first.
    public mutating func scale(by rhs: Double) { self *= Float(rhs) }
    /// The number's square, computed as a `Float`.
    public var magnitudeSquared: Double { Double(self * self) }
}
extension CGFloat: VectorArithmetic {
    /// Multiplies the number by `rhs`.
    public mutating func scale(by rhs: Double) { self *= CGFloat(rhs) }
    /// The number's square.
    public var magnitudeSquared: Double { Double(self * self) }
}

/// Two such values as one.
public struct AnimatablePair<First: VectorArithmetic, Second: VectorArithmetic>: VectorArithmetic {
    /// The first of the two values.
    public var first: First
    /// The second of the two values.
    public var second: Second
    /// Pairs two values that are animated together.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
    /// Both values' zeros.
    public static var zero: Self { Self(.zero, .zero) }
    /// Adds value by value.
    public static func + (a: Self, b: Self) -> Self { Self(a.first + b.first, a.second + b.second) }
    /// Subtracts value by value.
    public static func - (a: Self, b: Self) -> Self { Self(a.first - b.first, a.second - b.second) }
    /// Multiplies both values by `rhs`.
    public mutating func scale(by rhs: Double) {
        first.scale(by: rhs)
        second.scale(by: rhs)
    }
    /// The sum of both values' squared magnitudes.
    public var magnitudeSquared: Double { first.magnitudeSquared + second.magnitudeSquared }
}

/// Nothing to animate.
public struct EmptyAnimatableData: VectorArithmetic {
    /// Makes the one value there is.
    public init() {}
    /// The one value there is.
    public static var zero: Self { Self() }
    /// Returns the one value there is.
    public static func + (a: Self, b: Self) -> Self { a }
    /// Returns the one value there is.
    public static func - (a: Self, b: Self) -> Self { a }
    /// Does nothing: there is nothing to scale.
    public mutating func scale(by rhs: Double) {}
    /// Always 0.
    public var magnitudeSquared: Double { 0 }
}

/// What can be shown between two of its values. SwiftUI's protocol.
public protocol Animatable {
    /// The type of the part that is mixed: a number, or an `AnimatablePair` of such.
    associatedtype AnimatableData: VectorArithmetic
    /// The part of the value that is mixed; read for both ends, written for every frame in between.
    var animatableData: AnimatableData { get set }
}

extension Animatable where AnimatableData == EmptyAnimatableData {
    /// Nothing to mix: a change of the value shows at once. What is set is ignored.
    public var animatableData: EmptyAnimatableData {
        get { EmptyAnimatableData() }
        set {}
    }
}

/// Numbers of any count, for what is animated inside the package (points, colours, rectangles).
package struct AnimatableNumbers: VectorArithmetic {
    package var values: [Double]
    package init(_ values: [Double]) { self.values = values }
    package static var zero: Self { Self([]) }
    private static func zip(_ a: Self, _ b: Self, _ f: (Double, Double) -> Double) -> Self {
        if a.values.isEmpty { return Self(b.values.map { f(0, $0) }) }
        if b.values.isEmpty { return a }
        return Self(Swift.zip(a.values, b.values).map(f))
    }
    package static func + (a: Self, b: Self) -> Self { zip(a, b, +) }
    package static func - (a: Self, b: Self) -> Self { zip(a, b, -) }
    package mutating func scale(by rhs: Double) { for i in values.indices { values[i] *= rhs } }
    package var magnitudeSquared: Double { values.reduce(0) { $0 + $1 * $1 } }
}

/// A value on its way to another.
package struct Animated<Value: VectorArithmetic> {
    package private(set) var target: Value
    private var from: Value?
    private var start = 0.0
    private var animation: Animation?

    package init(_ value: Value) { target = value }

    /// - Parameter now: seconds of the host's clock.
    package mutating func set(_ value: Value, _ animation: Animation?, now: Double) {
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

    package func value(_ now: Double) -> Value {
        guard let from, let animation else { return target }
        let progress = animation.progress(at: now - start)
        if progress.isOver { return target }
        var change = target - from
        change.scale(by: progress.value)
        return from + change
    }

    package func isRunning(_ now: Double) -> Bool {
        guard from != nil, let animation else { return false }
        return !animation.progress(at: now - start).isOver
    }
}
