import Foundation
import MediaCore
import Testing

@testable import Filters
@testable import Overlays

@Suite("Animated values")
struct AnimationTests {
    /// Returns the layer's values `time` seconds after its animations began.
    private func shown(_ layer: CALayer, _ time: Double) -> LayerValues {
        let snapshot = LayerSnapshot(layer)
        var begins: [UInt64: Double] = [:]
        snapshot.visit { record, _ in begins[record.token] = 0 }
        return snapshot.presented(at: time, begins: begins).values
    }
    private func basic(_ keyPath: String, from: Any? = nil, to: Any? = nil, by: Any? = nil) -> CABasicAnimation {
        let animation = CABasicAnimation(keyPath: keyPath)
        animation.duration = 1
        animation.fromValue = from
        animation.toValue = to
        animation.byValue = by
        return animation
    }
    private func animated<L: CALayer>(_ layer: L, _ animations: CAAnimation...) -> L {
        for animation in animations { layer.add(animation, forKey: nil) }
        return layer
    }

    @Test("missing from, to and by values follow Apple's table")
    func ends() {
        let table: [(Any?, Any?, Any?, CGFloat, CGFloat)] = [
            (10, 20, nil, 10, 20), (10, nil, 4, 10, 14), (nil, 20, 4, 16, 20), (10, nil, nil, 10, 2),
            (nil, 20, nil, 2, 20), (nil, nil, 4, 2, 6), (nil, nil, nil, 2, 2),
        ]
        for (from, to, by, first, last) in table {
            let layer = CALayer()
            layer.cornerRadius = 2
            layer.add(basic("cornerRadius", from: from, to: to, by: by), forKey: nil)
            #expect(
                isNear(shown(layer, 0).cornerRadius, first)
                    && isNear(shown(layer, 0.5).cornerRadius, (first + last) / 2))
        }
    }

    @Test("animations accept any number type and every animatable property")
    func properties() {
        for value in [1, 1.0, 1 as Float, 1 as CGFloat, NSNumber(value: 1), UInt8(1)] as [Any] {
            #expect(isNear(shown(animated(CALayer(), basic("borderWidth", from: 0, to: value)), 0.5).border.width, 0.5))
        }
        let types: [AnimationValue.Kind: (Any, Any)] = [
            .number: (0.25, 0.75), .point: (CGPoint.zero, CGPoint(x: 1, y: 1)),
            .size: (CGSize.zero, CGSize(width: 1, height: 1)),
            .rect: (CGRect.zero, CGRect(x: 1, y: 1, width: 1, height: 1)), .color: (CGColor.red, CGColor.blue),
            .colors: ([CGColor.red], [CGColor.blue]),
            .numbers: ([0.0], [1.0]), .transform: (CATransform3DIdentity, CATransform3DMakeScale(3, 3, 1)),
            .path: (CGPath(rect: .zero), CGPath(rect: CGRect(x: 0, y: 0, width: 2, height: 2))),
        ]
        for (keyPath, property) in LayerProperty.all {
            guard let (from, to) = types[property.kind], let a = AnimationValue(from, as: property.kind),
                let b = AnimationValue(to, as: property.kind)
            else { continue }
            let layers: [CALayer] = [CALayer(), CAShapeLayer(), CATextLayer(), CAGradientLayer()]
            guard let layer = layers.first(where: { property.get($0.values) != nil }) else {
                Issue.record("nothing has \(keyPath)")
                continue
            }
            (layer as? CAGradientLayer)?.colors = [CGColor.red]
            layer.add(basic(keyPath, from: from, to: to), forKey: nil)
            let value = property.get(shown(layer, 0.5))
            let expected = AnimationValue.mixed(a, b, 0.5)
            #expect(
                value.map { $0 == expected || $0.distance(expected) < 1e-6 && $0.components != nil } == true,
                "\(keyPath): \(String(describing: value))")
        }
        #expect(LayerProperty.all.count >= 50)
    }

    @Test("parts of a transform animate independently and keep the rest")
    func transformParts() {
        let layer = CALayer()
        layer.setAffineTransform(CGAffineTransform(translationX: 7, y: 0))
        layer.add(basic("transform.scale.x", from: 0, to: -2), forKey: nil)
        layer.add(basic("transform.rotation.z", from: 0, to: Double.pi), forKey: nil)
        let t = shown(layer, 0.5).transform.shown.affine
        // Mirrored and rotated by a quarter turn: x becomes −y, and y becomes −x.
        #expect(isNear(t.a, 0) && isNear(t.b, -1) && isNear(t.c, -1) && isNear(t.d, 0) && isNear(t.tx, 7))
        let around = animated(CALayer(), basic("transform.rotation", from: 0, to: 4 * Double.pi))
        #expect(isNear(shown(around, 0.125).transform.shown.m12, 1))
        let narrow = animated(CALayer(), basic("transform.rotation.y", from: 0, to: Double.pi))
        #expect(isNear(shown(narrow, 1.0 / 3).transform.shown.m11, 0.5))
        let moved = animated(CALayer(), basic("transform.translation", from: CGSize.zero, to: CGPoint(x: 10, y: 20)))
        #expect(isNear(shown(moved, 0.5).matrix.tx, 5) && isNear(shown(moved, 0.5).matrix.ty, 10))
    }

    @Test("whole transforms rotate the shorter way and do not collapse")
    func transforms() {
        let layer = animated(
            CALayer(),
            basic("transform", from: CATransform3DMakeRotation(3, 0, 0, 1), to: CATransform3DMakeRotation(-3, 0, 0, 1)))
        let t = shown(layer, 0.5).transform.shown
        #expect(isNear(t.m11, -1, 1e-5) && isNear(t.m12, 0, 1e-5))
        let grown = animated(
            CALayer(),
            basic("transform", from: CGAffineTransform(scaleX: 0, y: 0), to: CGAffineTransform(rotationAngle: 1)))
        #expect(isNear(shown(grown, 0.5).transform.shown.m11, 0.5 * CGFloat(cos(1.0))))
    }

    @Test("paths of equal structure mix by point; others switch halfway")
    func paths() {
        let small = CGPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10))
        let large = CGPath(rect: CGRect(x: 10, y: 0, width: 30, height: 10))
        let layer = animated(shape(small), basic("path", from: small, to: large))
        #expect(shown(layer, 0.5).shape?.path?.controlBox == CGRect(x: 5, y: 0, width: 20, height: 10))
        let other = animated(
            shape(small),
            basic("path", from: small, to: UIBezierPath(ovalIn: CGRect(x: 0, y: 0, width: 50, height: 50))))
        #expect(
            shown(other, 0.49).shape?.path == small.data
                && shown(other, 0.51).shape?.path?.controlBox == CGRect(x: 0, y: 0, width: 50, height: 50))
    }

    @Test("colors mix; a color without a start fades in")
    func colors() {
        let layer = animated(
            shape(nil), basic("fillColor", from: CGColor.red, to: CGColor.blue), basic("strokeColor", to: CGColor.green)
        )
        #expect(shown(layer, 0.5).shape?.fillColor == CGColor(red: 0.5, green: 0, blue: 0.5, alpha: 1))
        #expect(shown(layer, 0.5).shape?.strokeColor == CGColor(red: 0, green: 1, blue: 0, alpha: 0.5))
        let gradient = CAGradientLayer()
        gradient.colors = [CGColor.red, CGColor.blue]
        _ = animated(
            gradient, basic("colors", to: [CGColor.blue, CGColor.red]), basic("locations", from: [0, 0], to: [0, 1]))
        #expect(shown(gradient, 0.5).gradient?.colors.first == CGColor(red: 0.5, green: 0, blue: 0.5, alpha: 1))
        #expect(shown(gradient, 0.5).gradient?.locations == [0, 0.5])
    }

    @Test("keyframes follow their times, by default evenly, with own timing functions")
    func keyframes() {
        let animation = CAKeyframeAnimation(keyPath: "position.x")
        animation.duration = 1
        animation.values = [0, 10, 30]
        let x: (Double) -> CGFloat = { shown(animated(CALayer(), animation), $0).position.x }
        #expect(isNear(x(0.25), 5) && isNear(x(0.5), 10) && isNear(x(0.75), 20))
        animation.keyTimes = [0, 0.2, 1]
        #expect(isNear(x(0.1), 5) && isNear(x(0.6), 20))
        animation.timingFunctions = [CAMediaTimingFunction(name: .linear), CAMediaTimingFunction(name: .easeIn)]
        #expect(isNear(x(0.1), 5) && isNear(x(0.6), 10 + 20 * CGFloat(TimingCurve(0.42, 0, 1, 1)(0.5))))
        animation.timingFunctions = nil
        animation.keyTimes = [0.25, 0.5, 0.75]
        #expect(isNear(x(0.1), 0) && isNear(x(0.375), 5) && isNear(x(0.9), 30))
        animation.keyTimes = [0, 0.9, 0.1]
        #expect(isNear(x(0.25), 5))
    }

    @Test("discrete keyframes jump, paced ones keep their pace, cubic ones are smooth")
    func calculation() {
        let animation = CAKeyframeAnimation(keyPath: "position")
        animation.duration = 1
        animation.values = [CGPoint(x: 0, y: 0), CGPoint(x: 30, y: 0), CGPoint(x: 30, y: 10)]
        let at: (Double) -> CGPoint = { shown(animated(CALayer(), animation), $0).position }
        animation.calculationMode = .discrete
        #expect(at(0.32) == .zero && at(0.34) == CGPoint(x: 30, y: 0) && at(0.99) == CGPoint(x: 30, y: 10))
        animation.keyTimes = [0, 0.1, 0.2, 1]
        #expect(at(0.05) == .zero && at(0.15) == CGPoint(x: 30, y: 0) && at(0.25) == CGPoint(x: 30, y: 10))
        animation.calculationMode = .paced
        #expect(
            isNear(at(0.5), CGPoint(x: 20, y: 0)) && isNear(at(0.75), CGPoint(x: 30, y: 0))
                && isNear(at(0.875), CGPoint(x: 30, y: 5)))
        animation.keyTimes = nil
        animation.calculationMode = .cubic
        #expect(isNear(at(0.5), CGPoint(x: 30, y: 0)))
        // A Catmull–Rom spline at one half is (−a + 9b + 9c − d) / 16. Points beyond the ends are extrapolated.
        #expect(isNear(at(0.25), CGPoint(x: (30 + 0 + 270 - 30) / 16.0, y: -10 / 16.0)))
        animation.calculationMode = .cubicPaced
        let steps = (0...100).map { at(Double($0) / 100 * 0.9999) }
        let lengths = zip(steps, steps.dropFirst()).map { $0.distance($1) }
        #expect((lengths.max() ?? 0) < 1.15 * (lengths.min() ?? 0))
    }

    @Test("a layer follows a path by keyframe or evenly, rotated if requested")
    func alongPath() {
        let animation = CAKeyframeAnimation(keyPath: "position")
        animation.duration = 1
        animation.path = line(.zero, CGPoint(x: 30, y: 0), CGPoint(x: 30, y: 10))
        let at: (Double) -> LayerValues = { shown(animated(CALayer(), animation), $0) }
        #expect(isNear(at(0.25).position, CGPoint(x: 15, y: 0)) && isNear(at(0.5).position, CGPoint(x: 30, y: 0)))
        #expect(at(0.75).transform.shown == CATransform3DIdentity)
        animation.calculationMode = .paced
        animation.rotationMode = .rotateAuto
        #expect(isNear(at(0.5).position, CGPoint(x: 20, y: 0)) && isNear(at(0.875).position, CGPoint(x: 30, y: 5)))
        #expect(isNear(at(0.875).transform.shown.m12, 1) && isNear(at(0.5).transform.shown.m11, 1))
        animation.rotationMode = .rotateAutoReverse
        #expect(isNear(at(0.875).transform.shown.m12, -1))
        animation.path = CGPath(ellipseIn: CGRect(x: -10, y: -10, width: 20, height: 20))
        for i in 0..<20 { #expect(isNear(at(Double(i) / 20).position.distance(.zero), 10, 0.01)) }
        #expect(isNear(at(0.125).position.x, 10 * CGFloat(0.5.squareRoot()), 0.02))
    }

    @Test("a group ends its animations together and applies its own timing")
    func groups() {
        let group = CAAnimationGroup()
        let long = basic("position.x", from: 0, to: 10)
        let late = basic("position.y", from: 0, to: 10)
        let own = basic("opacity", from: 0, to: 1)
        long.duration = 4
        late.beginTime = 1
        late.fillMode = .backwards
        own.duration = 0
        group.animations = [long, late, own]
        group.duration = 2
        let layer = animated(CALayer(), group)
        layer.position = CGPoint(x: 5, y: 5)
        let values = shown(layer, 1.5)
        #expect(isNear(values.position.x, 3.75) && isNear(values.position.y, 5) && isNear(values.opacity, 0.75))
        #expect(isNear(shown(layer, 0.5).position.y, 0))
        #expect(shown(layer, 2).position == CGPoint(x: 5, y: 5))
        group.speed = 2
        group.repeatCount = 3
        #expect(isNear(shown(animated(CALayer(), group), 1.5).position.x, 2.5))
        group.timingFunction = CAMediaTimingFunction(name: .easeIn)
        #expect(isNear(shown(animated(CALayer(), group), 0.5).position.x, 5 * CGFloat(TimingCurve(0.42, 0, 1, 1)(0.5))))
    }

    @Test("groups that contain each other are shown once, deep nesting ends")
    func nestedGroups() {
        func group(_ animations: CAAnimation...) -> CAAnimationGroup {
            let group = CAAnimationGroup()
            group.animations = animations
            group.duration = 1
            return group
        }
        let inner = group(basic("position.y", from: 0, to: 10))
        let outer = group(inner, basic("position.x", from: 0, to: 10))
        inner.animations?.append(outer)
        defer { inner.animations = nil }
        #expect(isNear(shown(animated(CALayer(), outer), 0.5).position, CGPoint(x: 5, y: 5)))
        func nested(_ depth: Int) -> CAAnimation {
            (0..<depth).reduce(basic("position.x", from: 0, to: 10) as CAAnimation) { animation, _ in group(animation) }
        }
        #expect(isNear(shown(animated(CALayer(), nested(16)), 0.5).position.x, 5))
        #expect(shown(animated(CALayer(), nested(1000)), 0.5).position.x == 0)
    }

    @Test("a spring overshoots its end value")
    func springs() {
        let spring = CASpringAnimation(keyPath: "position.x")
        spring.fromValue = 0
        spring.toValue = 100
        spring.damping = 5
        let layer = animated(CALayer(), spring)
        let curve = SpringCurve(mass: 1, stiffness: 100, damping: 5, velocity: 0)
        for t in [0.1, 0.3, 0.6, 1.0] { #expect(isNear(shown(layer, t).position.x, 100 * CGFloat(curve(t)), 1e-4)) }
        #expect((0..<20).contains { shown(layer, Double($0) / 20).position.x > 120 })
    }

    @Test("additive animations add to the layer's value, cumulative ones to earlier passes")
    func adding() {
        let layer = CALayer()
        layer.position.x = 100
        let shift = basic("position.x", from: 0, to: 10)
        shift.isAdditive = true
        #expect(isNear(shown(animated(layer, shift, shift), 0.5).position.x, 110))
        let on = basic("transform.rotation", from: 0, to: 1)
        on.isCumulative = true
        on.repeatCount = 3
        let turned = shown(animated(CALayer(), on), 2.5).transform.shown
        #expect(isNear(turned.m12, CGFloat(sin(2.5))))
    }

    @Test("overflowing values and tiny durations give finite results")
    func overflow() {
        let layer = CALayer()
        layer.position.x = 3
        let far = basic("position.x", from: -Double.greatestFiniteMagnitude, to: Double.greatestFiniteMagnitude)
        #expect(shown(animated(layer, far), 0.5).position.x == 3)
        let short = basic("borderWidth", from: 1, to: 2)
        short.duration = .leastNonzeroMagnitude
        short.repeatCount = .infinity
        let width = shown(animated(CALayer(), short), 1e6).border.width
        #expect(width >= 1 && width <= 2)
        let swing = CASpringAnimation(keyPath: "transform.scale")
        swing.initialVelocity = .greatestFiniteMagnitude
        swing.toValue = 1e300
        #expect(shown(animated(CALayer(), swing), 0.2).transform.shown.isFinite)
    }

    @Test("a key identifies an animation, replaces and removes it")
    func keys() {
        let layer = CALayer()
        let a = basic("opacity", to: 0)
        let b = basic("opacity", to: 0.5)
        layer.add(a, forKey: "fade")
        layer.add(a, forKey: nil)
        layer.add(b, forKey: "fade")
        #expect(layer.animationKeys() == ["fade"] && layer.animation(forKey: "fade") === b)
        layer.removeAnimation(forKey: "fade")
        #expect(layer.animationKeys() == nil && LayerSnapshot(layer).animations.count == 1)
        layer.removeAllAnimations()
        #expect(!LayerSnapshot(layer).hasAnimations)
    }

    @Test("changing a running animation has no effect")
    func copies() {
        let layer = CALayer()
        let a = basic("borderWidth", from: 0, to: 10)
        layer.add(a, forKey: "a")
        a.toValue = 1000
        #expect(isNear(shown(layer, 0.5).border.width, 5))
    }

    @Test("a stopped layer shows its time offset; a faster layer runs ahead")
    func layerTime() {
        let layer = animated(CALayer(), basic("borderWidth", from: 0, to: 10))
        let child = animated(CALayer(), basic("borderWidth", from: 0, to: 10))
        layer.addSublayer(child)
        child.speed = 2
        #expect(
            isNear(
                LayerSnapshot(layer).presented(
                    at: 0.25, begins: [layer, child].reduce(into: [:]) { $0[$1.attached[0].token] = 0 }
                ).sublayers[0].values.border.width, 5))
        layer.speed = 0
        layer.timeOffset = 0.75
        #expect(isNear(shown(layer, 123).border.width, 7.5))
    }
}
