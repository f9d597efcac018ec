import Foundation

/// The movement of the fingers during one press: their velocity and their rotation.
struct FingerMotion {
    private var rates = (x: SmoothedRate(), y: SmoothedRate())
    private var track = AngleTrack()

    /// The total rotation in radians.
    var rotation: Double { track.total }
    /// The velocity of the rotation, in radians per second.
    var rotationVelocity: Double { rates.x.value }

    /// Returns the velocity of a drag that has reached `point`, in points per second.
    /// - Parameter now: The current time, in seconds.
    mutating func velocity(at point: CGPoint, _ now: Double) -> CGSize {
        CGSize(width: rates.x.take(point.x, now), height: rates.y.take(point.y, now))
    }

    /// Returns the velocity of a magnification that has reached `factor`, in units per second.
    mutating func velocity(atFactor factor: Double, _ now: Double) -> Double { rates.x.take(factor, now) }

    /// Records the current angle between the fingers, in radians.
    mutating func turn(to angle: Double, _ now: Double) {
        track.take(angle)
        _ = rates.x.take(track.total, now)
    }
}

/// The rate of change of a number, in units per second, smoothed over 0.05 s.
struct SmoothedRate {
    private var last: (value: Double, time: Double)?
    private(set) var value = 0.0

    mutating func take(_ next: Double, _ now: Double) -> Double {
        if let last, now > last.time {
            let t = now - last.time
            value += ((next - last.value) / t - value) * min(1, t / 0.05)
        }
        last = (next, now)
        return value
    }
}

/// The total rotation in radians since the first angle, from angles that start again at 0 after each full rotation.
struct AngleTrack {
    private var last: Double?
    private(set) var total = 0.0

    mutating func take(_ angle: Double) {
        guard angle.isFinite else { return }
        if let last { total += (angle - last).remainder(dividingBy: 2 * .pi) }
        last = angle
    }
}
