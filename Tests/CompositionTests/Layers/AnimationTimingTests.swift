import Foundation
import Testing

@testable import Overlays

@Suite("Timing of animations")
struct AnimationTimingTests {
    /// Returns the value of a cubic Bézier curve at `time`. Finds the parameter by bisection.
    private func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ time: Double) -> Double {
        let at: (Double, Double, Double) -> Double = { s, a, b in
            3 * (1 - s) * (1 - s) * s * a + 3 * (1 - s) * s * s * b + s * s * s
        }
        var low = 0.0
        var high = 1.0
        for _ in 0..<200 {
            let middle = (low + high) / 2
            if at(middle, x1, x2) < time { low = middle } else { high = middle }
        }
        return at((low + high) / 2, y1, y2)
    }

    @Test(
        "timing functions follow their Bézier curves",
        arguments: [
            (CAMediaTimingFunctionName.linear, [0, 0, 1, 1]), (.easeIn, [0.42, 0, 1, 1]), (.easeOut, [0, 0, 0.58, 1]),
            (.easeInEaseOut, [0.42, 0, 0.58, 1]), (.default, [0.25, 0.1, 0.25, 1]),
        ] as [(CAMediaTimingFunctionName, [Double])])
    func paces(name: CAMediaTimingFunctionName, points: [Double]) {
        let function = CAMediaTimingFunction(name: name)
        for i in 0...50 {
            let t = Double(i) / 50
            #expect(abs(function.curve(t) - bezier(points[0], points[1], points[2], points[3], t)) < 1e-6)
        }
        var control: [Float] = [0, 0]
        function.getControlPoint(at: 2, values: &control)
        #expect(control == [Float(points[2]), Float(points[3])])
    }

    @Test("timing functions overshoot, may be vertical, and default to linear")
    func extremes() {
        let over = CAMediaTimingFunction(controlPoints: 0.5, 1.8, 0.5, 1)
        #expect(abs(over.curve(0.5) - bezier(0.5, Double(Float(1.8)), 0.5, 1, 0.5)) < 1e-6 && over.curve(0.5) > 1)
        let steep = CAMediaTimingFunction(controlPoints: 0, 1, 0, 1)
        #expect(abs(steep.curve(0.1) - bezier(0, 1, 0, 1, 0.1)) < 1e-6)
        let upright = CAMediaTimingFunction(controlPoints: 1, 0, 0, 1)
        #expect(
            abs(upright.curve(0.5) - 0.5) < 1e-6 && upright.curve(0) == 0 && upright.curve(1) == 1
                && upright.curve(-3) == 0 && upright.curve(7) == 1)
        #expect(abs(CAMediaTimingFunction(controlPoints: .nan, 0, 1, 1).curve(0.3) - 0.3) < 1e-9)
    }

    /// Integrates the spring's equation with the fourth-order Runge–Kutta method.
    private func integrated(_ m: Double, _ k: Double, _ c: Double, _ v0: Double, until end: Double) -> Double {
        var x = -1.0
        var v = v0
        let n = 4000
        let h = end / Double(n)
        let acceleration: (Double, Double) -> Double = { -(k * $0 + c * $1) / m }
        for _ in 0..<n {
            let (a1, b1) = (v, acceleration(x, v))
            let (a2, b2) = (v + h / 2 * b1, acceleration(x + h / 2 * a1, v + h / 2 * b1))
            let (a3, b3) = (v + h / 2 * b2, acceleration(x + h / 2 * a2, v + h / 2 * b2))
            let (a4, b4) = (v + h * b3, acceleration(x + h * a3, v + h * b3))
            x += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
            v += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
        }
        return 1 + x
    }

    @Test(
        "springs follow their equation: underdamped, critically damped and overdamped",
        arguments: [
            (1.0, 100.0, 10.0, 0.0), (2, 50, 3, 5), (1, 100, 20, 0), (1, 100, 20, 30), (1, 100, 60, 0),
            (0.5, 200, 80, -10),
        ])
    func springs(mass: Double, stiffness: Double, damping: Double, velocity: Double) {
        let spring = SpringCurve(mass: mass, stiffness: stiffness, damping: damping, velocity: velocity)
        #expect(spring(0) == 0)
        for t in [0.05, 0.2, 0.5, 1.3] {
            #expect(abs(spring(t) - integrated(mass, stiffness, damping, velocity, until: t)) < 1e-6)
        }
        let settled = spring.settlingDuration
        for i in 0..<100 { #expect(abs(spring(settled + Double(i) * 0.02) - 1) <= 0.001 + 1e-9) }
        // The settling duration is not much too long: between 50 % and 70 % of it, the spring still moves.
        #expect((0..<100).contains { abs(spring(settled * 0.5 + Double($0) / 100 * settled * 0.2) - 1) > 0.001 })
    }

    @Test("an undamped spring ends after a minute; invalid numbers are defaults")
    func oddSprings() {
        #expect(SpringCurve(mass: 1, stiffness: 100, damping: 0, velocity: 0).settlingDuration == 60)
        #expect(
            SpringCurve(mass: -1, stiffness: .nan, damping: -.infinity, velocity: .nan)
                == SpringCurve(mass: 1, stiffness: 100, damping: 10, velocity: 0))
        let bouncy = CASpringAnimation(perceptualDuration: 0.5, bounce: 0)
        #expect(abs(Double(bouncy.stiffness) - pow(4 * .pi, 2)) < 1e-6 && abs(Double(bouncy.damping) - 8 * .pi) < 1e-6)
    }

    private func opacity(_ time: Double, _ set: (CABasicAnimation) -> Void) -> Double {
        let layer = CALayer()
        let animation = CABasicAnimation(keyPath: "opacity")
        layer.opacity = 0.9
        animation.fromValue = 0
        animation.toValue = 0.5
        animation.duration = 2
        set(animation)
        layer.add(animation, forKey: nil)
        let snapshot = LayerSnapshot(layer)
        var begins: [UInt64: Double] = [:]
        snapshot.visit { record, _ in begins[record.token] = 10 }
        return Double(snapshot.presented(at: time, begins: begins).values.opacity)
    }

    @Test("an animation without repeats changes only its own time range")
    func once() {
        let plain: (CABasicAnimation) -> Void = { _ in }
        for (time, expected) in [(9.9, 0.9), (10, 0), (11, 0.25), (11.999, 0.49975), (12, 0.9), (1000, 0.9)] {
            #expect(abs(opacity(time, plain) - expected) < 1e-6)
        }
    }

    @Test("fill modes extend before and after unless removed on completion")
    func filling() {
        let both: (CABasicAnimation) -> Void = {
            $0.fillMode = .both
            $0.isRemovedOnCompletion = false
        }
        #expect(opacity(5, both) == 0 && opacity(50, both) == 0.5)
        #expect(opacity(50) { $0.fillMode = .forwards } > 0.8)
        #expect(opacity(5) { $0.fillMode = .backwards } == 0)
        #expect(opacity(5) { $0.fillMode = .forwards } > 0.8)
    }

    @Test("repeats count whole or partial passes, or last a duration")
    func repeats() {
        let twice: (CABasicAnimation) -> Void = {
            $0.repeatCount = 2
            $0.fillMode = .forwards
            $0.isRemovedOnCompletion = false
        }
        for (time, expected) in [(11.0, 0.25), (13, 0.25), (12, 0), (13.96, 0.49), (14, 0.5), (15, 0.5)] {
            #expect(abs(opacity(time, twice) - expected) < 1e-6)
        }
        let part: (CABasicAnimation) -> Void = {
            $0.repeatCount = 1.5
            $0.fillMode = .forwards
            $0.isRemovedOnCompletion = false
        }
        #expect(abs(opacity(20, part) - 0.25) < 1e-6)
        let timed: (CABasicAnimation) -> Void = { $0.repeatDuration = 5 }
        #expect(abs(opacity(14.5, timed) - 0.125) < 1e-6 && opacity(15, timed) > 0.8)
        let endless: (CABasicAnimation) -> Void = { $0.repeatCount = .infinity }
        #expect(abs(opacity(10 + 2_000_001, endless) - 0.25) < 1e-6)
    }

    @Test("an autoreversing animation returns to its start value")
    func autoreverse() {
        let back: (CABasicAnimation) -> Void = {
            $0.autoreverses = true
            $0.fillMode = .forwards
            $0.isRemovedOnCompletion = false
        }
        for (time, expected) in [(11.0, 0.25), (12, 0.5), (13, 0.25), (13.5, 0.125), (14, 0), (99, 0)] {
            #expect(abs(opacity(time, back) - expected) < 1e-6)
        }
        let thrice: (CABasicAnimation) -> Void = {
            $0.autoreverses = true
            $0.repeatCount = 3
        }
        #expect(abs(opacity(20.5, thrice) - 0.375) < 1e-6 && opacity(22, thrice) > 0.8)
    }

    @Test("speed, begin time and time offset shift an animation")
    func speeds() {
        #expect(abs(opacity(10.5) { $0.speed = 2 } - 0.25) < 1e-6)
        #expect(opacity(11) { $0.speed = 2 } > 0.8)
        #expect(abs(opacity(10.5) { $0.speed = -1 } - 0.375) < 1e-6)
        #expect(
            abs(
                opacity(500) {
                    $0.speed = 0
                    $0.timeOffset = 1
                } - 0.25) < 1e-6)
        #expect(abs(opacity(21) { $0.beginTime = 20 } - 0.25) < 1e-6)
        #expect(opacity(19) { $0.beginTime = 20 } > 0.8)
        // The part before the offset is played at the end.
        #expect(abs(opacity(10) { $0.timeOffset = 1.5 } - 0.375) < 1e-6)
        #expect(abs(opacity(11) { $0.timeOffset = 1.5 } - 0.125) < 1e-6)
        #expect(
            abs(
                opacity(11) { $0.timingFunction = CAMediaTimingFunction(name: .easeIn) } - 0.5
                    * bezier(0.42, 0, 1, 1, 0.5)) < 1e-6)
    }

    @Test("a missing duration is the transaction's; a spring runs until settled")
    func durations() {
        func total(_ animation: CAAnimation) -> Double? {
            let layer = CALayer()
            layer.add(animation, forKey: "a")
            return LayerSnapshot(layer).animations.first?.timing.total
        }
        let basic = CABasicAnimation(keyPath: "opacity")
        let spring = CASpringAnimation(keyPath: "opacity")
        #expect(total(basic) == 0.25 && total(spring) == spring.settlingDuration)
        CATransaction.begin()
        CATransaction.setAnimationDuration(3)
        CATransaction.begin()
        #expect(CATransaction.animationDuration() == 3 && total(basic) == 3 && total(spring) == spring.settlingDuration)
        CATransaction.commit()
        CATransaction.commit()
        #expect(total(basic) == 0.25)
        CATransaction.commit()
        basic.duration = .nan
        #expect(total(basic) == nil)
    }
}
