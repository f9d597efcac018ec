import Foundation

/// How a value goes from one to another in time. SwiftUI's type.
public struct Animation: Hashable, Sendable {
    enum Curve: Hashable, Sendable {
        case bezier(x1: Double, y1: Double, x2: Double, y2: Double)
        /// A damped spring of mass 1: `response` is the undamped period in seconds, `damping` 1 is critical.
        case spring(response: Double, damping: Double)
    }
    var curve: Curve
    /// Seconds; a spring's is how long until it rests within a thousandth.
    var duration: Double
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

    /// Ease in and out in 0.35 s.
    public static let `default` = easeInOut
    /// Even progress from start to end in 0.35 s.
    public static let linear = linear(duration: 0.35)
    /// Begins slowly, in 0.35 s.
    public static let easeIn = easeIn(duration: 0.35)
    /// Ends slowly, in 0.35 s.
    public static let easeOut = easeOut(duration: 0.35)
    /// Begins and ends slowly, in 0.35 s.
    public static let easeInOut = easeInOut(duration: 0.35)
    /// A spring with an undamped period of 0.5 s and a damping fraction of 0.825, which swings a little.
    public static let spring = spring()
    /// A spring with an undamped period of 0.5 s and a damping fraction of 0.7, which swings visibly.
    public static let bouncy = spring(response: 0.5, dampingFraction: 0.7)
    /// A critically damped spring with an undamped period of 0.5 s: it comes to rest without swinging.
    public static let smooth = spring(response: 0.5, dampingFraction: 1)
    /// A spring with an undamped period of 0.5 s and a damping fraction of 0.85, which swings hardly at all.
    public static let snappy = spring(response: 0.5, dampingFraction: 0.85)

    /// - Parameter duration: seconds; negative is 0. As of all curves here.
    public static func linear(duration: Double) -> Animation { bezier(0, 0, 1, 1, duration) }
    /// Begins slowly.
    /// - Parameter duration: seconds; negative, or not finite, is 0.
    public static func easeIn(duration: Double) -> Animation { bezier(0.42, 0, 1, 1, duration) }
    /// Ends slowly.
    /// - Parameter duration: seconds; negative, or not finite, is 0.
    public static func easeOut(duration: Double) -> Animation { bezier(0, 0, 0.58, 1, duration) }
    /// Begins and ends slowly.
    /// - Parameter duration: seconds; negative, or not finite, is 0.
    public static func easeInOut(duration: Double) -> Animation { bezier(0.42, 0, 0.58, 1, duration) }
    /// A cubic curve of time from (0, 0) to (1, 1). - Parameters: control points; x is clamped to 0…1.
    public static func timingCurve(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, duration: Double = 0.35)
        -> Animation
    {
        bezier(x1, y1, x2, y2, duration)
    }
    /// A spring. - Parameters:
    ///   - response: the undamped period, seconds; at least 0.01.
    ///   - dampingFraction: 1 comes to rest without swinging, less swings; 0.01…10.
    public static func spring(response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: Double = 0)
        -> Animation
    {
        let response = response.isFinite ? max(0.01, response) : 0.5
        let damping = dampingFraction.isFinite ? min(10, max(0.01, dampingFraction)) : 0.825
        let omega = 2 * Double.pi / response
        // The slower of the two decays sets the time to a thousandth.
        let decay = damping < 1 ? damping * omega : omega * (damping - (damping * damping - 1).squareRoot())
        return Animation(
            curve: .spring(response: response, damping: damping), duration: (log(1000) + 1) / max(decay, 0.001))
    }
    /// A spring by its period in seconds (at least 0.01) and its bounce: 0 does not swing, up to 0.99 swings more,
    /// negative comes to rest more slowly.
    public static func spring(duration: Double, bounce: Double = 0) -> Animation {
        spring(response: duration, dampingFraction: 1 - bounce)
    }
    /// A stiff spring for what follows the pointer; `response` in seconds, at least 0.01. `blendDuration` has no
    /// effect.
    public static func interactiveSpring(
        response: Double = 0.15, dampingFraction: Double = 0.86, blendDuration: Double = 0.25
    ) -> Animation {
        spring(response: response, dampingFraction: dampingFraction)
    }

    /// Begins `delay` seconds later; negative is 0.
    public func delay(_ delay: Double) -> Animation { with { $0.delay = delay.isFinite ? max(0, delay) : 0 } }
    /// Goes `speed` times as fast; what is not above 0 is taken for 1.
    public func speed(_ speed: Double) -> Animation {
        with { $0.speed = speed.isFinite && speed > 0 ? $0.speed * speed : $0.speed }
    }
    /// - Parameter repeatCount: at least 1.
    public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation {
        with {
            $0.repeats = Double(max(1, repeatCount))
            $0.autoreverses = autoreverses
        }
    }
    /// Runs again and again until the value is changed anew; with `autoreverses`, every second run goes backwards.
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

    /// How far it is `time` seconds after it began, 0 at the start, 1 at the end (a spring may pass it on the way).
    func progress(at time: Double) -> (value: Double, isOver: Bool) {
        guard duration > 0 else { return (1, true) }
        let local = max(0, time * speed - delay)
        let turn = local / duration
        guard turn < repeats else {
            // An even number of turns there and back ends where it began; what holds then is the new value all the
            // same.
            return (1, true)
        }
        var phase = turn.truncatingRemainder(dividingBy: 1)
        if autoreverses, turn.rounded(.down).truncatingRemainder(dividingBy: 2) == 1 { phase = 1 - phase }
        return (curve.value(phase, duration: duration), false)
    }
}

extension Animation.Curve {
    /// - Parameter phase: 0…1 of `duration`.
    func value(_ phase: Double, duration: Double) -> Double {
        switch self {
        case .bezier(let x1, let y1, let x2, let y2):
            let bezier: (Double, Double, Double) -> Double = { a, b, t in
                let u = 1 - t
                return 3 * u * u * t * a + 3 * u * t * t * b + t * t * t
            }
            // x(t) grows, so halving finds t; 24 halvings are exact to a ten-millionth.
            var low = 0.0
            var high = 1.0
            for _ in 0..<24 {
                let middle = (low + high) / 2
                if bezier(x1, x2, middle) < phase { low = middle } else { high = middle }
            }
            return phase <= 0 ? 0 : phase >= 1 ? 1 : bezier(y1, y2, (low + high) / 2)
        case .spring(let response, let damping):
            let t = phase * duration
            let omega = 2 * Double.pi / response
            if damping < 1 {
                let swing = omega * (1 - damping * damping).squareRoot()
                return 1 - exp(-damping * omega * t) * (cos(swing * t) + damping * omega / swing * sin(swing * t))
            }
            if damping == 1 { return 1 - exp(-omega * t) * (1 + omega * t) }
            let root = (damping * damping - 1).squareRoot()
            let a = -omega * (damping - root)
            let b = -omega * (damping + root)
            return 1 - (b * exp(a * t) - a * exp(b * t)) / (b - a)
        }
    }
}
