import Foundation

/// A damped spring that is let go one unit away from its rest: `m·x″ + c·x′ + k·x = 0`, in closed form.
struct SpringCurve: Sendable, Equatable {
    /// Half the damping over the mass, and the undamped angular frequency; 1/s.
    private let beta: Double, omega: Double
    private let velocity: Double

    /// - Parameters:
    ///   - mass: above 0. - stiffness: above 0. - damping: 0 and more; what is not is taken as the default.
    ///   - velocity: at the beginning, in whole ways a second, towards the rest.
    init(mass: Double, stiffness: Double, damping: Double, velocity: Double) {
        let m = mass.isFinite && mass > 0 ? mass : 1
        let k = stiffness.isFinite && stiffness > 0 ? stiffness : 100
        let c = damping.isFinite && damping >= 0 ? damping : 10
        beta = c / (2 * m)
        omega = (k / m).squareRoot()
        self.velocity = velocity.isFinite ? velocity : 0
    }

    /// 0 at the beginning, 1 at rest. `t` seconds.
    func callAsFunction(_ t: Double) -> Double { 1 + displacement(max(0, t)) }

    /// From the rest, −1 at the beginning.
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
    /// Never below the displacement's amount, and falling in the end.
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

    /// From when on it stays within a thousandth of the way; seconds. An undamped one never does: 60.
    var settlingDuration: Double {
        let threshold = 0.001
        let most = 60.0
        var high = 1 / omega
        while envelope(high) > threshold {
            high *= 2
            if high >= most { return most }
        }
        var low = 0.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if envelope(middle) > threshold { low = middle } else { high = middle }
        }
        return high
    }
}
