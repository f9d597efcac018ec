import Foundation

/// A damped spring that starts at a distance of 1 from its rest: `m·x″ + c·x′ + k·x = 0`, solved in closed form.
struct SpringCurve: Sendable, Equatable {
    /// Half of the damping divided by the mass, and the undamped angular frequency, both in 1/s.
    private let beta: Double, omega: Double
    private let velocity: Double

    /// Creates a spring. Invalid values are replaced by the defaults 1, 100, 10 and 0.
    ///
    /// - Parameters:
    ///   - mass: The mass, above 0.
    ///   - stiffness: The stiffness, above 0.
    ///   - damping: The damping, 0 or more.
    ///   - velocity: The velocity at the start, toward the rest, in multiples of the whole distance per second.
    init(mass: Double, stiffness: Double, damping: Double, velocity: Double) {
        let m = mass.isFinite && mass > 0 ? mass : 1
        let k = stiffness.isFinite && stiffness > 0 ? stiffness : 100
        let c = damping.isFinite && damping >= 0 ? damping : 10
        beta = c / (2 * m)
        omega = (k / m).squareRoot()
        self.velocity = velocity.isFinite ? velocity : 0
    }

    /// Returns the progress after `t` seconds: 0 at the start, 1 at rest.
    func callAsFunction(_ t: Double) -> Double { 1 + displacement(max(0, t)) }

    /// Returns the distance from the rest, which is −1 at the start.
    private func displacement(_ t: Double) -> Double {
        if beta < omega {
            let damped = (omega * omega - beta * beta).squareRoot()
            return exp(-beta * t) * (-cos(damped * t) + (velocity - beta) / damped * sin(damped * t))
        }
        if beta == omega { return exp(-beta * t) * (-1 + (velocity - beta) * t) }
        let root = (beta * beta - omega * omega).squareRoot()
        let slow = -beta + root
        let fast = -beta - root
        let a = (velocity + fast) / (slow - fast)
        return a * exp(slow * t) + (-1 - a) * exp(fast * t)
    }
    /// Returns an upper bound of the absolute displacement. After some time, the bound only decreases.
    private func envelope(_ t: Double) -> Double {
        if beta < omega {
            let damped = (omega * omega - beta * beta).squareRoot()
            let sine = (velocity - beta) / damped
            return exp(-beta * t) * (1 + sine * sine).squareRoot()
        }
        if beta == omega { return exp(-beta * t) * (1 + abs(velocity - beta) * t) }
        let root = (beta * beta - omega * omega).squareRoot()
        let slow = -beta + root
        let fast = -beta - root
        let a = (velocity + fast) / (slow - fast)
        return abs(a) * exp(slow * t) + abs(1 + a) * exp(fast * t)
    }

    /// The time after which the value stays within 0.1 % of the distance, in seconds, at most 60.
    var settlingDuration: Double {
        let threshold = 0.001
        let maximumDuration = 60.0
        var high = 1 / omega
        while envelope(high) > threshold {
            high *= 2
            if high >= maximumDuration { return maximumDuration }
        }
        var low = 0.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if envelope(middle) > threshold { low = middle } else { high = middle }
        }
        return high
    }
}
