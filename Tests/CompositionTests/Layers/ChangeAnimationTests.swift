import Foundation
import MediaCore
import Testing

@testable import Filters
@testable import Overlays

@MainActor @Suite("Animations of changes")
struct ChangeAnimationTests {
    private final class Delegate: CAAnimationDelegate {}
    private let delegate = Delegate()
    private let layer = CALayer()

    /// Animates later changes of the layer with a timing.
    private func follow(
        begin: Double, duration: Double = 2, spring: ChangeTiming.Spring? = nil, repeats: Bool = false
    ) {
        let timing = ChangeTiming(
            begin: begin, duration: duration, curve: CAMediaTimingFunction(name: .linear), spring: spring,
            repeats: repeats)
        let delegate = delegate
        layer.valuesDidChange = { [unowned layer = self.layer] old in
            _ = layer.animateChanges(from: old, timing, delegate: delegate) { _ in }
        }
    }
    private func shown(_ time: Double) -> LayerValues {
        LayerSnapshot(layer).presented(at: time, begins: [:]).values
    }
    private func isNear(_ a: CGFloat, _ b: CGFloat) -> Bool { abs(a - b) < 0.001 }

    @Test("values move from old to new ones, and wait for a delay")
    func moves() {
        follow(begin: 1000)
        layer.position = CGPoint(x: 100, y: 0)
        layer.opacity = 0.5
        #expect(layer.position.x == 100)
        #expect(isNear(shown(999).position.x, 0) && isNear(shown(1000).position.x, 0))
        #expect(isNear(shown(1001).position.x, 50) && isNear(shown(1001).opacity, 0.75))
        #expect(isNear(shown(1003).position.x, 100) && isNear(shown(1003).opacity, 0.5))
    }

    @Test("a frame moves with its origin and its size")
    func frames() {
        layer.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
        follow(begin: 1000)
        layer.frame = CGRect(x: 20, y: 0, width: 30, height: 10)
        let half = shown(1001)
        #expect(half.bounds.applying(half.matrix) == CGRect(x: 10, y: 0, width: 20, height: 10))
    }

    @Test("a second change continues from the displayed value")
    func interrupted() {
        follow(begin: 1000)
        layer.position = CGPoint(x: 100, y: 0)
        follow(begin: 1001)
        layer.position = CGPoint(x: 200, y: 0)
        #expect(isNear(shown(1001).position.x, 50) && isNear(shown(1003).position.x, 200))
    }

    @Test("transforms and colors are animated between their values")
    func replaced() {
        let begin = CACurrentMediaTime()
        follow(begin: begin, duration: 100)
        layer.setAffineTransform(CGAffineTransform(scaleX: 3, y: 3))
        layer.backgroundColor = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
        let half = shown(begin + 50)
        #expect(isNear(half.transform.shown.affine.a, 2))
        #expect(isNear(half.backgroundColor?.alpha ?? 0, 0.5))
        #expect(layer.animationKeys()?.count == 2)
        layer.setAffineTransform(.identity)
        #expect(layer.animationKeys()?.count == 2)
    }

    @Test("the next animation of a property replaces one that repeats")
    func repeated() {
        let begin = CACurrentMediaTime()
        follow(begin: begin, duration: 100, repeats: true)
        layer.position = CGPoint(x: 100, y: 0)
        layer.position = CGPoint(x: 0, y: 0)
        #expect(layer.animationKeys()?.count == 1)
        follow(begin: begin, duration: 1)
        layer.position = CGPoint(x: 50, y: 0)
        #expect(layer.animationKeys()?.count == 1 && isNear(shown(begin + 2).position.x, 50))
    }

    @Test("a spring overshoots and comes to rest within the duration", arguments: [1.0, 200])
    func springs(duration: Double) {
        follow(begin: 1000, duration: duration, spring: ChangeTiming.Spring(dampingRatio: 0.4, velocity: 0))
        layer.position = CGPoint(x: 100, y: 0)
        let positions = (0..<100).map { shown(1000 + duration * Double($0) / 100).position.x }
        #expect((positions.max() ?? 0) > 110)
        #expect(abs((positions.last ?? 0) - 100) < 1)
    }

    @MainActor private final class Log {
        var lines: [String] = []
    }

    @Test("an animation that ends and is removed counts once for its transaction")
    func transactions() async {
        let log = Log()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let completion = TransactionCompletion {
                log.lines.append("block")
                continuation.resume()
            }
            completion.enter(1)
            completion.enter(2)
            completion.close()
            completion.leave(1)
            completion.leave(1)
            Task { @MainActor in
                log.lines.append("second")
                completion.leave(2)
            }
        }
        #expect(log.lines == ["second", "block"])
    }
}
