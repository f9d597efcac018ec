import Foundation
import MediaCore
import Synchronization
import Testing

@testable import Filters
@testable import Overlays

/// A builder that returns the layer of a closure, and records its calls.
private final class Builder: ShapeLayerBuilderProtocol, @unchecked Sendable {
    // Used only on the main actor, like `build`.
    let id: UUID
    var asked: [(frame: CGRect, bounds: CGRect)] = []
    var make: @MainActor (CGRect) -> CAShapeLayer
    init(id: UUID = UUID(), _ make: @escaping @MainActor (CGRect) -> CAShapeLayer) {
        self.id = id
        self.make = make
    }
    func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer {
        asked.append(geometry)
        return make(geometry.bounds)
    }
}

@MainActor private final class Listener: CAAnimationDelegate {
    var told: [String] = []
    func animationDidStart(_ anim: CAAnimation) { told.append("start") }
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool) { told.append(flag ? "end" : "stop") }
}

@Suite("Vectors over a video") @MainActor
struct VectorOverlayTests {
    private let space = CGRect(x: 0, y: 0, width: 100, height: 100)
    private let geometry = OverlayGeometry(
        width: 100, height: 100, frameX: 0, frameY: 0, frameWidth: 100, frameHeight: 100, scale: 1)

    private func square(_ x: CGFloat, _ color: CGColor = .red) -> CAShapeLayer {
        shape(CGPath(rect: CGRect(x: x, y: 10, width: 20, height: 20)), fill: color)
    }
    private func fade(_ duration: Double = 1) -> CABasicAnimation {
        let animation = CABasicAnimation(keyPath: "opacity")
        animation.fromValue = 0
        animation.duration = duration
        return animation
    }
    /// Returns the content after committing pending changes, which an app's main loop would do. The tests' main actor
    /// has no main loop.
    private func content(_ overlay: VectorOverlay, _ time: Double = 0, _ geometry: OverlayGeometry? = nil)
        -> OverlayContent
    {
        overlay.commit()
        return overlay.content(at: .zero, hostTime: seconds(time), in: geometry ?? self.geometry)
    }
    /// Waits until the tasks that are enqueued on the main actor have run.
    private func settle() async { for _ in 0..<5 { await Task.yield() } }

    @Test("a builder is called once for each bounds, never without a size")
    func building() {
        let overlay = VectorOverlay()
        let builder = Builder { _ in self.square(10) }
        for empty in [
            CGRect.zero, .null, CGRect(x: 0, y: 0, width: 100, height: 0),
            CGRect(x: 0, y: 0, width: CGFloat.nan, height: 9), .infinite,
        ] where empty != .infinite {
            overlay.update(vectors: [builder], frame: space, bounds: empty)
            overlay.update(vectors: [builder], frame: empty, bounds: space)
        }
        #expect(builder.asked.isEmpty && content(overlay).bitmaps.isEmpty)
        overlay.update(vectors: [builder], frame: space, bounds: space)
        overlay.update(vectors: [builder], frame: space.offsetBy(dx: 9, dy: 9), bounds: space)
        overlay.update(vectors: [builder], frame: .zero, bounds: .zero)
        #expect(builder.asked.count == 1 && content(overlay).bitmaps.count == 1)
        let larger = CGRect(x: 0, y: 0, width: 200, height: 100)
        overlay.update(vectors: [builder], frame: larger, bounds: larger)
        #expect(builder.asked.count == 2 && builder.asked.last?.bounds == larger)
        // Another builder with the same id keeps the layer.
        let again = Builder(id: builder.id) { _ in self.square(50) }
        overlay.update(vectors: [again], frame: larger, bounds: larger)
        #expect(again.asked.isEmpty)
        overlay.update(vectors: [], frame: .zero, bounds: .zero)
        #expect(content(overlay).bitmaps.isEmpty)
        overlay.update(vectors: [again, again], frame: larger, bounds: larger)
        #expect(again.asked.count == 1 && content(overlay).bitmaps.count == 1)
    }

    @Test("each visible layer becomes one bitmap, the last one on top")
    func bitmaps() {
        let overlay = VectorOverlay()
        overlay.update(
            vectors: [
                Builder { _ in self.square(10) }, Builder { _ in self.square(500) },
                Builder { _ in self.square(60, .blue) },
            ], frame: space, bounds: space)
        let bitmaps = content(overlay).bitmaps
        #expect(bitmaps.count == 2 && bitmaps.allSatisfy { $0.width == 22 && $0.height == 22 })
        #expect(
            LayerCanvas(bitmaps.first, width: 100, height: 100)[15, 15] == .red
                && LayerCanvas(bitmaps.last, width: 100, height: 100)[65, 15] == .blue)
        let twice = OverlayGeometry(
            width: 200, height: 200, frameX: 0, frameY: 0, frameWidth: 200, frameHeight: 200, scale: 2)
        #expect(content(overlay, 0, twice).bitmaps.first?.width == 42)
        let nowhere = OverlayGeometry(
            width: 0, height: 0, frameX: 0, frameY: 0, frameWidth: 0, frameHeight: 0, scale: .nan)
        #expect(content(overlay, 0, nowhere).bitmaps.isEmpty)
    }

    @Test("nothing is redrawn while nothing changes, for each display")
    func stillness() {
        let overlay = VectorOverlay()
        overlay.update(
            vectors: [Builder { _ in self.square(10) }, Builder { _ in self.square(60) }], frame: space, bounds: space)
        let first = content(overlay)
        let small = OverlayGeometry(
            width: 50, height: 50, frameX: 0, frameY: 0, frameWidth: 50, frameHeight: 50, scale: 0.5)
        let other = content(overlay, 0, small)
        for i in 1...100 {
            let next = content(overlay, Double(i))
            #expect(next.version == first.version && next.bitmaps.elementsEqual(first.bitmaps, by: ===))
            #expect(content(overlay, Double(i), small).version == other.version)
        }
        #expect(overlay.drawCount == 4 && !overlay.isAnimating(at: seconds(5)) && first.version != other.version)
        overlay.update(vectors: [], frame: space, bounds: space)
        let empty = content(overlay)
        #expect(empty.bitmaps.isEmpty && empty.version != first.version && content(overlay, 9).version == empty.version)
    }

    @Test("a layer change notifies once and redraws only that layer")
    func changes() async {
        let overlay = VectorOverlay()
        let layer = square(10)
        overlay.update(
            vectors: [Builder { _ in layer }, Builder { _ in self.square(60) }], frame: space, bounds: space)
        let before = content(overlay)
        let told = Mutex(0)
        overlay.onChange { told.withLock { $0 += 1 } }
        layer.fillColor = .blue
        layer.opacity = 0.5
        await settle()
        #expect(told.withLock { $0 } == 1)
        let after = content(overlay)
        #expect(
            after.version != before.version && after.bitmaps.last === before.bitmaps.last
                && after.bitmaps.first !== before.bitmaps.first)
        #expect(
            overlay.drawCount == 3
                && LayerCanvas(after.bitmaps.first, width: 100, height: 100)[15, 15].isNear(Pixel(0, 0, 128, 128)))
        let child = CALayer()
        layer.addSublayer(child)
        overlay.commit()
        _ = content(overlay)
        child.frame = CGRect(x: 0, y: 50, width: 10, height: 10)
        child.backgroundColor = .green
        overlay.commit()
        #expect(
            told.withLock { $0 } == 3
                && LayerCanvas(content(overlay).bitmaps.first, width: 100, height: 100)[5, 55].a > 100)
        overlay.onChange(nil)
        child.backgroundColor = nil
        #expect(LayerCanvas(content(overlay).bitmaps.first, width: 100, height: 100)[5, 55].a == 0)
        // A removed layer is not observed.
        overlay.update(vectors: [], frame: space, bounds: space)
        layer.opacity = 1
        #expect(layer.observers.isEmpty)
    }

    @Test("a running animation draws each time and rests after its end")
    func animating() async {
        let overlay = VectorOverlay()
        let layer = square(10)
        layer.add(fade(), forKey: "fade")
        overlay.update(
            vectors: [Builder { _ in layer }, Builder { _ in self.square(60) }], frame: space, bounds: space)
        #expect(overlay.isAnimating(at: seconds(100)))
        let alpha: (Double) -> Int = {
            LayerCanvas(self.content(overlay, $0).bitmaps.first { $0.x < 50 }, width: 100, height: 100)[15, 15].a
        }
        // The animation begins when the layer is first shown.
        #expect(alpha(100) == 0 && abs(alpha(100.25) - 64) <= 1)
        let half = content(overlay, 100.5)
        #expect(content(overlay, 100.5).version == half.version && content(overlay, 100.6).version != half.version)
        #expect(overlay.isAnimating(at: seconds(100.9)) && overlay.isAnimating(at: seconds(101.1)))
        let drawn = overlay.drawCount
        let end = content(overlay, 101.1)
        #expect(
            LayerCanvas(end.bitmaps.first, width: 100, height: 100)[15, 15] == .red && overlay.drawCount == drawn + 1)
        #expect(!overlay.isAnimating(at: seconds(101.2)) && content(overlay, 102).version == end.version)
        await settle()
        #expect(
            layer.animationKeys() == nil && content(overlay, 103).version == end.version
                && overlay.drawCount == drawn + 1)
    }

    /// Returns a layer with a still square, a moving one far from it, and two adjacent still ones.
    private func holder() -> CAShapeLayer {
        let root = CAShapeLayer()
        let moving = square(70)
        moving.add(fade(), forKey: nil)
        root.frame = space
        for layer in [square(5), moving, square(40), square(61, .green)] {
            if layer !== moving && layer.path?.boundingBox.minX != 5 { layer.position.y = 50 }
            root.addSublayer(layer)
        }
        return root
    }

    @Test("moving and still parts of a layer are separate bitmaps")
    func parts() {
        let overlay = VectorOverlay(beginning: .zero)
        overlay.update(vectors: [Builder { _ in self.holder() }], frame: space, bounds: space)
        let first = content(overlay, 0.25)
        let next = content(overlay, 0.5)
        #expect(first.bitmaps.map(\.width) == [22, 22, 43] && overlay.drawCount == 4)
        #expect(
            first.bitmaps[0] === next.bitmaps[0] && first.bitmaps[1] !== next.bitmaps[1]
                && first.bitmaps[2] === next.bitmaps[2])
        // The bitmaps together equal the whole tree drawn as one bitmap.
        let whole = LayerCanvas(holder(), at: 0.5)
        let together = LayerCanvas(next.bitmaps, width: 100, height: 100)
        for y in 0..<100 { for x in 0..<100 { #expect(together[x, y].isNear(whole[x, y], 1)) } }
        let end = content(overlay, 2)
        #expect(
            end.bitmaps.count == 3 && content(overlay, 3).version == end.version
                && LayerCanvas(end.bitmaps, width: 100, height: 100)[75, 15] == .red)
    }

    @Test("overlapping layers and layers with shared effects become one bitmap")
    func together() {
        let changes: [@MainActor (CALayer) -> Void] = [
            { $0.opacity = 0.5 }, { $0.masksToBounds = true }, { $0.mask = self.square(5) }, { $0.shadowOpacity = 1 },
            { $0.borderWidth = 1 },
            { $0.sublayers?.first?.zPosition = 1 },
            { layer in
                layer.sublayers?.dropFirst().forEach { $0.removeFromSuperlayer() }
                layer.addSublayer(self.square(15))
            },
        ]
        for change in changes {
            let overlay = VectorOverlay(beginning: .zero)
            let root = holder()
            change(root)
            overlay.update(vectors: [Builder { _ in root }], frame: space, bounds: space)
            #expect(content(overlay, 0.5).bitmaps.count == 1)
        }
    }

    @Test("an overlay is still before a delayed animation and for stopped layers")
    func waiting() {
        let overlay = VectorOverlay(beginning: seconds(50))
        let layer = square(10)
        let still = square(60)
        overlay.update(
            vectors: [
                Builder { _ in
                    let late = self.fade()
                    late.beginTime = CACurrentMediaTime() + 3
                    layer.add(late, forKey: nil)
                    still.add(self.fade(), forKey: nil)
                    still.speed = 0
                    still.timeOffset = 0.5
                    layer.addSublayer(still)
                    return layer
                }
            ], frame: space, bounds: space)
        let first = content(overlay, 50)
        #expect(!overlay.isAnimating(at: seconds(51)) && content(overlay, 52.9).version == first.version)
        #expect(overlay.isAnimating(at: seconds(53.5)))
        #expect(
            LayerCanvas(content(overlay, 53.5).bitmaps.first, width: 100, height: 100)[15, 15].isNear(
                Pixel(128, 0, 0, 128)))
    }

    @Test("an export's animations start at zero and repeat identically")
    func determinism() {
        func run() -> [[UInt32]] {
            let overlay = VectorOverlay(beginning: .zero)
            let layer = square(10)
            let spring = CASpringAnimation(keyPath: "position.x")
            spring.byValue = 30
            overlay.update(
                vectors: [
                    Builder { _ in
                        layer.add(spring, forKey: nil)
                        return layer
                    }
                ], frame: space, bounds: space)
            // The first requested frame is not the first of the export.
            return (1..<20).map { content(overlay, Double($0) / 25).bitmaps.first?.pixels ?? [] }
        }
        let first = run()
        #expect(first == run())
        let expected = 10 + 30 * SpringCurve(mass: 1, stiffness: 100, damping: 10, velocity: 0)(0.2)
        let overlay = VectorOverlay(beginning: .zero)
        let layer = square(10)
        let spring = CASpringAnimation(keyPath: "position.x")
        spring.byValue = 30
        layer.add(spring, forKey: nil)
        overlay.update(vectors: [Builder { _ in layer }], frame: space, bounds: space)
        #expect(
            abs(Double(LayerCanvas(content(overlay, 0.2).bitmaps.first, width: 100, height: 100).box.minX) - expected)
                < 1)
    }

    @Test("delegates receive start and end; completion blocks run after all animations")
    func delegates() async {
        let overlay = VectorOverlay()
        let layer = square(10)
        let listener = Listener()
        let done = Mutex(0)
        overlay.update(vectors: [Builder { _ in layer }], frame: space, bounds: space)
        CATransaction.begin()
        CATransaction.setCompletionBlock { done.withLock { $0 += 1 } }
        for (key, duration) in [("a", 1.0), ("b", 2.0), ("c", 100.0)] {
            let animation = fade(duration)
            animation.delegate = listener
            layer.add(animation, forKey: key)
        }
        CATransaction.commit()
        _ = content(overlay, 10)
        await settle()
        #expect(listener.told == ["start", "start", "start"] && done.withLock { $0 } == 0)
        _ = content(overlay, 11.5)
        await settle()
        #expect(listener.told.suffix(1) == ["end"] && layer.animationKeys() == ["b", "c"])
        layer.removeAnimation(forKey: "c")
        _ = content(overlay, 11.6)
        await settle()
        #expect(listener.told.suffix(1) == ["stop"] && done.withLock { $0 } == 0)
        overlay.update(vectors: [], frame: space, bounds: space)
        await settle()
        #expect(listener.told.count == 6 && listener.told.last == "stop" && done.withLock { $0 } == 1)
        CATransaction.begin()
        CATransaction.setCompletionBlock { done.withLock { $0 += 1 } }
        CATransaction.commit()
        await settle()
        #expect(done.withLock { $0 } == 2)
    }

    @Test("another completion block does not drop the first")
    func completionBlocks() async {
        let layer = square(10)
        let done = Mutex<[String]>([])
        CATransaction.begin()
        CATransaction.setCompletionBlock { done.withLock { $0.append("empty") } }
        CATransaction.setCompletionBlock { done.withLock { $0.append("first") } }
        layer.add(fade(1), forKey: "a")
        CATransaction.setCompletionBlock { done.withLock { $0.append("second") } }
        layer.add(fade(1), forKey: "b")
        CATransaction.setCompletionBlock(nil)
        layer.add(fade(1), forKey: "c")
        CATransaction.commit()
        await settle()
        #expect(done.withLock { $0 } == ["empty"])
        layer.removeAnimation(forKey: "b")
        await settle()
        #expect(done.withLock { $0 } == ["empty", "second"])
        layer.removeAnimation(forKey: "a")
        await settle()
        #expect(done.withLock { $0 } == ["empty", "second", "first"])
    }

    @Test("an invalid animation is ignored and logged once")
    func problems() {
        let log = LogLines()
        let overlay = VectorOverlay(logger: log.logger)
        let layer = square(10)
        layer.name = "badge"
        for _ in 0..<3 {
            layer.add(CABasicAnimation(keyPath: "frame"), forKey: nil)
            let wrong = CABasicAnimation(keyPath: "fillColor")
            wrong.toValue = "red"
            layer.add(wrong, forKey: nil)
            let endless = CABasicAnimation(keyPath: "opacity")
            endless.toValue = Double.nan
            layer.add(endless, forKey: nil)
            layer.add(CAKeyframeAnimation(keyPath: "opacity"), forKey: nil)
            layer.add(CAAnimationGroup(), forKey: nil)
            layer.add(CABasicAnimation(keyPath: "fontSize"), forKey: nil)
        }
        overlay.update(vectors: [Builder { _ in layer }], frame: space, bounds: space)
        #expect(
            log.all.count == 6 && log.all.contains { $0.contains("badge") && $0.contains("frame") }, "\(log.all)")
        layer.opacity = 0.9
        overlay.commit()
        #expect(log.all.count == 6)
        layer.opacity = 1
        #expect(
            !overlay.isAnimating(at: seconds(1))
                && LayerCanvas(content(overlay, 1).bitmaps.first, width: 100, height: 100)[15, 15] == .red)
    }

    @Test("an extremely deep layer tree is cut off without a crash")
    func depth() {
        let root = square(10)
        var layer: CALayer = root
        for _ in 0..<1000 {
            let next = CALayer()
            layer.addSublayer(next)
            layer = next
        }
        let overlay = VectorOverlay()
        overlay.update(vectors: [Builder { _ in root }], frame: space, bounds: space)
        #expect(content(overlay).bitmaps.count == 1)
    }

    @Test("layers are drawn on other threads while the main thread changes them")
    func threads() async {
        let overlay = VectorOverlay()
        let layer = square(10)
        let geometry = geometry
        layer.add(
            {
                let a = fade(1000)
                a.repeatCount = .infinity
                return a
            }(), forKey: nil)
        overlay.update(vectors: [Builder { _ in layer }], frame: space, bounds: space)
        let drawing = Task.detached { () -> Int in
            var seen: Set<UInt64> = []
            for i in 0..<300 {
                seen.insert(
                    overlay.content(at: .zero, hostTime: HostTime(nanoseconds: Int64(i) * 10_000_000), in: geometry)
                        .version)
            }
            return seen.count
        }
        for i in 0..<100 {
            layer.position.x = CGFloat(i % 50)
            layer.lineWidth = CGFloat(i)
            overlay.commit()
            await Task.yield()
        }
        #expect(await drawing.value == 300)
        layer.removeAllAnimations()
        layer.position.x = 7
        #expect(LayerCanvas(content(overlay, 99).bitmaps.first, width: 100, height: 100).box.minX == 17)
    }
}
