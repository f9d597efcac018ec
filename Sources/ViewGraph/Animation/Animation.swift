import Foundation

/// The curve, duration and repetition of a change from one value to another. Mirrors SwiftUI's type.
///
/// ```swift
/// Image(systemName: "play.fill")
///     .scaleEffect(isPressed ? 0.8 : 1)
///     .animation(.spring(response: 0.3, dampingFraction: 0.6), value: isPressed)
/// ```
public struct Animation: Hashable, Sendable {
    enum Curve: Hashable, Sendable {
        case bezier(x1: Double, y1: Double, x2: Double, y2: Double)
        /// A damped spring of mass 1. `response` is the undamped period in seconds; a `damping` of 1 is critical.
        /// `velocity` is the speed at the start, in whole changes per second.
        case spring(response: Double, damping: Double, velocity: Double = 0)
    }
    var curve: Curve
    /// The duration in seconds. For a spring, the time until it stays within a thousandth of the target.
    var duration: Double
    /// The delay in seconds. It is already divided by the speeds that were set after it.
    var delay: Double = 0
    var speed: Double = 1
    var repeats: Double = 1
    var autoreverses = false

    static func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ duration: Double) -> Animation {
        let clamp: (Double) -> Double = { $0.isNaN ? 0 : min(1, max(0, $0)) }
        let height: (Double) -> Double = { $0.isFinite ? min(1000, max(-1000, $0)) : 0 }
        return Animation(
            curve: .bezier(x1: clamp(x1), y1: height(y1), x2: clamp(x2), y2: height(y2)),
            duration: duration.isFinite ? max(0, duration) : 0)
    }

    /// The default animation, which is the same as `easeInOut`: slow at both ends, 0.35 s long.
    public static let `default` = easeInOut
    /// An animation at constant speed, 0.35 s long.
    public static let linear = linear(duration: 0.35)
    /// An animation that starts slowly, 0.35 s long.
    public static let easeIn = easeIn(duration: 0.35)
    /// An animation that ends slowly, 0.35 s long.
    public static let easeOut = easeOut(duration: 0.35)
    /// An animation that starts and ends slowly, 0.35 s long.
    public static let easeInOut = easeInOut(duration: 0.35)
    /// A spring with an undamped period of 0.5 s and a damping fraction of 0.825, which overshoots slightly.
    public static let spring = spring()
    /// A spring with an undamped period of 0.5 s and a damping fraction of 0.7, which overshoots visibly.
    public static let bouncy = spring(response: 0.5, dampingFraction: 0.7)
    /// A critically damped spring with an undamped period of 0.5 s, which does not overshoot.
    public static let smooth = spring(response: 0.5, dampingFraction: 1)
    /// A spring with an undamped period of 0.5 s and a damping fraction of 0.85, which hardly overshoots.
    public static let snappy = spring(response: 0.5, dampingFraction: 0.85)

    /// Returns an animation at constant speed.
    /// - Parameter duration: The duration in seconds. A negative or non-finite value counts as 0.
    public static func linear(duration: Double) -> Animation { bezier(0, 0, 1, 1, duration) }
    /// Returns an animation that starts slowly.
    /// - Parameter duration: The duration in seconds. A negative or non-finite value counts as 0.
    public static func easeIn(duration: Double) -> Animation { bezier(0.42, 0, 1, 1, duration) }
    /// Returns an animation that ends slowly.
    /// - Parameter duration: The duration in seconds. A negative or non-finite value counts as 0.
    public static func easeOut(duration: Double) -> Animation { bezier(0, 0, 0.58, 1, duration) }
    /// Returns an animation that starts and ends slowly.
    /// - Parameter duration: The duration in seconds. A negative or non-finite value counts as 0.
    public static func easeInOut(duration: Double) -> Animation { bezier(0.42, 0, 0.58, 1, duration) }
    /// Returns an animation along a cubic Bézier curve from (0, 0) to (1, 1).
    /// - Parameters:
    ///   - x1: The time of the first control point, clamped to 0…1.
    ///   - y1: The progress of the first control point, clamped to -1000…1000.
    ///   - x2: The time of the second control point, clamped to 0…1.
    ///   - y2: The progress of the second control point, clamped to -1000…1000.
    ///   - duration: The duration in seconds. A negative or non-finite value counts as 0.
    public static func timingCurve(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, duration: Double = 0.35)
        -> Animation
    {
        bezier(x1, y1, x2, y2, duration)
    }
    /// Returns a spring animation.
    /// - Parameters:
    ///   - response: The undamped period in seconds, at least 0.01.
    ///   - dampingFraction: The damping, clamped to 0.01…10. At 1 and above, the spring does not overshoot.
    ///   - blendDuration: Has no effect.
    public static func spring(response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: Double = 0)
        -> Animation
    {
        spring(response: response, damping: dampingFraction, velocity: 0)
    }
    private static func spring(response: Double, damping: Double, velocity: Double) -> Animation {
        let response = response.isFinite ? max(0.01, response) : 0.5
        let damping = damping.isFinite ? min(10, max(0.01, damping)) : 0.825
        let velocity = velocity.isFinite ? min(1000, max(-1000, velocity)) : 0
        let omega = 2 * Double.pi / response
        // The slower of the two decays determines how long the value needs to come within a thousandth of the target.
        let decay = damping < 1 ? damping * omega : omega * (damping - (damping * damping - 1).squareRoot())
        return Animation(
            curve: .spring(response: response, damping: damping, velocity: velocity),
            duration: (log(1000 * (1 + abs(velocity) / omega)) + 1) / max(decay, 0.001))
    }
    /// Returns a spring animation with a period and a bounce.
    /// - Parameters:
    ///   - duration: The undamped period in seconds, at least 0.01.
    ///   - bounce: The overshoot, up to 0.99. 0 does not overshoot; a negative value slows the end down.
    public static func spring(duration: Double, bounce: Double = 0) -> Animation {
        spring(response: duration, dampingFraction: 1 - bounce)
    }
    /// Returns a stiff spring for views that follow the pointer.
    /// - Parameters:
    ///   - response: The undamped period in seconds, at least 0.01.
    ///   - dampingFraction: The damping, clamped to 0.01…10. At 1 and above, the spring does not overshoot.
    ///   - blendDuration: Has no effect.
    public static func interactiveSpring(
        response: Double = 0.15, dampingFraction: Double = 0.86, blendDuration: Double = 0.25
    ) -> Animation {
        spring(response: response, dampingFraction: dampingFraction)
    }

    /// Returns a spring that does not overshoot unless `extraBounce` is greater than 0.
    /// - Parameters:
    ///   - duration: The undamped period in seconds, at least 0.01.
    ///   - extraBounce: The overshoot, up to 0.99. A negative value slows the end down.
    public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
        spring(duration: duration, bounce: extraBounce)
    }
    /// Returns a spring that hardly overshoots: it has a bounce of 0.15.
    /// - Parameters:
    ///   - duration: The undamped period in seconds, at least 0.01.
    ///   - extraBounce: A number that is added to the bounce.
    public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
        spring(duration: duration, bounce: 0.15 + extraBounce)
    }
    /// Returns a spring that overshoots visibly: it has a bounce of 0.3.
    /// - Parameters:
    ///   - duration: The undamped period in seconds, at least 0.01.
    ///   - extraBounce: A number that is added to the bounce.
    public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
        spring(duration: duration, bounce: 0.3 + extraBounce)
    }

    /// A spring with an undamped period of 0.5 s, which does not overshoot.
    public static let interpolatingSpring = interpolatingSpring()
    /// Returns a spring with the physical properties of a mass on a spring.
    ///
    /// Each change starts from the displayed value. The velocity of a running animation is not added.
    /// - Parameters:
    ///   - mass: The mass, greater than 0. Other values count as 1.
    ///   - stiffness: The force per distance, greater than 0. Other values count as 1.
    ///   - damping: The friction. The resulting damping fraction is clamped to 0.01…10.
    ///   - initialVelocity: The speed at the start, in whole changes per second, clamped to ±1000.
    public static func interpolatingSpring(
        mass: Double = 1, stiffness: Double, damping: Double, initialVelocity: Double = 0
    ) -> Animation {
        let positive: (Double) -> Double = { $0.isFinite && $0 > 0 ? $0 : 1 }
        let (mass, stiffness) = (positive(mass), positive(stiffness))
        return spring(
            response: 2 * Double.pi * (mass / stiffness).squareRoot(),
            damping: damping / (2 * (mass * stiffness).squareRoot()), velocity: initialVelocity)
    }
    /// Returns a spring with a period, a bounce and a velocity at the start.
    ///
    /// Each change starts from the displayed value. The velocity of a running animation is not added.
    /// - Parameters:
    ///   - duration: The undamped period in seconds, at least 0.01.
    ///   - bounce: The overshoot, up to 0.99. 0 does not overshoot; a negative value slows the end down.
    ///   - initialVelocity: The speed at the start, in whole changes per second, clamped to ±1000.
    public static func interpolatingSpring(duration: Double = 0.5, bounce: Double = 0, initialVelocity: Double = 0)
        -> Animation
    {
        spring(response: duration, damping: 1 - bounce, velocity: initialVelocity)
    }

    /// Sets the delay before the animation starts.
    ///
    /// A later `speed(_:)` shortens the delay by the same factor as the animation. An earlier one does not.
    /// - Parameter delay: The delay in seconds. A negative or non-finite value counts as 0.
    public func delay(_ delay: Double) -> Animation { with { $0.delay = delay.isFinite ? max(0, delay) : 0 } }
    /// Multiplies the speed of the animation and of the delay set before.
    /// - Parameter speed: The factor. A value of 0 or less, NaN and infinity have no effect.
    public func speed(_ speed: Double) -> Animation {
        guard speed.isFinite, speed > 0 else { return self }
        return with {
            $0.speed *= speed
            $0.delay /= speed
        }
    }
    /// Repeats the animation.
    /// - Parameters:
    ///   - repeatCount: The number of runs, at least 1.
    ///   - autoreverses: Whether every second run goes backward.
    public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation {
        with {
            $0.repeats = Double(max(1, repeatCount))
            $0.autoreverses = autoreverses
        }
    }
    /// Repeats the animation until the value changes again.
    /// - Parameter autoreverses: Whether every second run goes backward.
    public func repeatForever(autoreverses: Bool = true) -> Animation {
        with {
            $0.repeats = .infinity
            $0.autoreverses = autoreverses
        }
    }
    private func with(_ change: (inout Animation) -> Void) -> Animation {
        var copy = self
        change(&copy)
        return copy
    }

    /// Returns the time from the start until the animation is complete, in seconds. Infinite if it repeats forever.
    func seconds(until criteria: AnimationCompletionCriteria) -> Double {
        var last = duration
        // A spring has nearly reached its target after its period, also while it still swings.
        if !criteria.isRemoved, case .spring(let response, _, _) = curve { last = min(duration, response) }
        return delay + (duration * (repeats - 1) + last) / speed
    }

    /// Returns the progress `time` seconds after the start: 0 at the start, 1 at the end. In between, a spring or a
    /// curve may leave 0…1.
    func progress(at time: Double) -> (value: Double, isOver: Bool) {
        let elapsed = (max(0, time) - delay) * speed
        guard elapsed >= 0 else { return (0, false) }
        let runs = elapsed / duration
        guard duration > 0, runs < repeats else {
            // An even number of runs with `autoreverses` ends at the old value, but the new value applies from then on.
            return (1, true)
        }
        var phase = runs.truncatingRemainder(dividingBy: 1)
        if autoreverses, runs.rounded(.down).truncatingRemainder(dividingBy: 2) == 1 { phase = 1 - phase }
        return (curve.value(phase, duration: duration), false)
    }
}

extension Animation.Curve {
    /// Returns the progress at a phase of the curve.
    /// - Parameter phase: The elapsed part of `duration`, 0…1.
    func value(_ phase: Double, duration: Double) -> Double {
        switch self {
        case .bezier(let x1, let y1, let x2, let y2):
            let bezier: (Double, Double, Double) -> Double = { a, b, t in
                let u = 1 - t
                return 3 * u * u * t * a + 3 * u * t * t * b + t * t * t
            }
            // x(t) is monotonic, so bisection finds t. 24 steps are exact to a ten-millionth.
            var low = 0.0
            var high = 1.0
            for _ in 0..<24 {
                let middle = (low + high) / 2
                if bezier(x1, x2, middle) < phase { low = middle } else { high = middle }
            }
            return phase <= 0 ? 0 : phase >= 1 ? 1 : bezier(y1, y2, (low + high) / 2)
        case .spring(let response, let damping, let velocity):
            let t = phase * duration
            let omega = 2 * Double.pi / response
            if damping < 1 {
                let swing = omega * (1 - damping * damping).squareRoot()
                let sine = (damping * omega - velocity) / swing
                return 1 - exp(-damping * omega * t) * (cos(swing * t) + sine * sin(swing * t))
            }
            if damping == 1 { return 1 - exp(-omega * t) * (1 + (omega - velocity) * t) }
            let root = (damping * damping - 1).squareRoot()
            let a = -omega * (damping - root)
            let b = -omega * (damping + root)
            return 1 - ((b + velocity) * exp(a * t) - (a + velocity) * exp(b * t)) / (b - a)
        }
    }
}
