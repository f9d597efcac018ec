import Foundation

/// A value that can be interpolated between two other values. Mirrors SwiftUI's protocol.
public protocol VectorArithmetic: AdditiveArithmetic {
    /// Multiplies the value by `rhs`, in place.
    mutating func scale(by rhs: Double)
    /// The squared length of the value as a vector. 0 for `zero`.
    var magnitudeSquared: Double { get }
}

extension Double: VectorArithmetic {
    /// Multiplies the number by `rhs`.
    public mutating func scale(by rhs: Double) { self *= rhs }
    /// The square of the number.
    public var magnitudeSquared: Double { self * self }
}
extension Float: VectorArithmetic {
    /// Multiplies the number by `rhs`, which is first rounded to a `Float`.
    public mutating func scale(by rhs: Double) { self *= Float(rhs) }
    /// The square of the number, computed as a `Float`.
    public var magnitudeSquared: Double { Double(self * self) }
}
extension CGFloat: VectorArithmetic {
    /// Multiplies the number by `rhs`.
    public mutating func scale(by rhs: Double) { self *= CGFloat(rhs) }
    /// The square of the number.
    public var magnitudeSquared: Double { Double(self * self) }
}

/// A pair of values that are animated together. Mirrors SwiftUI's type.
public struct AnimatablePair<First: VectorArithmetic, Second: VectorArithmetic>: VectorArithmetic {
    /// The first value of the pair.
    public var first: First
    /// The second value of the pair.
    public var second: Second
    /// Creates a pair from two values that are animated together.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
    /// A pair of two zeros.
    public static var zero: Self { Self(.zero, .zero) }
    /// Adds two pairs, value by value.
    public static func + (a: Self, b: Self) -> Self { Self(a.first + b.first, a.second + b.second) }
    /// Subtracts two pairs, value by value.
    public static func - (a: Self, b: Self) -> Self { Self(a.first - b.first, a.second - b.second) }
    /// Multiplies both values by `rhs`.
    public mutating func scale(by rhs: Double) {
        first.scale(by: rhs)
        second.scale(by: rhs)
    }
    /// The sum of the squared magnitudes of both values.
    public var magnitudeSquared: Double { first.magnitudeSquared + second.magnitudeSquared }
}

/// The animatable data of a type without animated values. Mirrors SwiftUI's type.
public struct EmptyAnimatableData: VectorArithmetic {
    /// Creates the only value of this type.
    public init() {}
    /// The only value of this type.
    public static var zero: Self { Self() }
    /// Returns the only value of this type.
    public static func + (a: Self, b: Self) -> Self { a }
    /// Returns the only value of this type.
    public static func - (a: Self, b: Self) -> Self { a }
    /// Does nothing, because the value has no numbers to scale.
    public mutating func scale(by rhs: Double) {}
    /// The squared length of the value, which is always 0.
    public var magnitudeSquared: Double { 0 }
}

/// A type whose values can be displayed while they change from one to another. Mirrors SwiftUI's protocol.
///
/// ```swift
/// struct Wedge: Shape {
///     var fraction: Double
///     var animatableData: Double {
///         get { fraction }
///         set { fraction = newValue }
///     }
///     func path(in rect: CGRect) -> Path {
///         Path(CGRect(x: rect.minX, y: rect.minY, width: rect.width * fraction, height: rect.height))
///     }
/// }
/// ```
public protocol Animatable {
    /// The type of the interpolated part: a number, or an `AnimatablePair` of numbers.
    associatedtype AnimatableData: VectorArithmetic
    /// The interpolated part of the value.
    ///
    /// An animation reads the property at both ends and sets it for every frame in between.
    var animatableData: AnimatableData { get set }
}

extension Animatable where AnimatableData == EmptyAnimatableData {
    /// An empty value, so that a change of the value is displayed without an animation. Setting the property has no
    /// effect.
    public var animatableData: EmptyAnimatableData {
        get { EmptyAnimatableData() }
        set {}
    }
}

/// A list of numbers that animates points, colors and rectangles inside the package.
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

/// A value that changes to a target value over time.
package struct Animated<Value: VectorArithmetic> {
    package private(set) var target: Value
    private var from: Value?
    private var start = 0.0
    private var animation: Animation?

    package init(_ value: Value) { target = value }

    /// Changes the target to `value`, with an animation from the current value, or at once if `animation` is nil.
    /// - Parameter now: The time of the host's clock, in seconds.
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
