import Foundation
import MediaCore
import Testing

@testable import Overlays

@Suite("Layer trees")
struct LayerTreeTests {
    @Test("frame, bounds, position and anchor point agree")
    func geometry() {
        let layer = CALayer()
        #expect(
            layer.frame == .zero && layer.anchorPoint == CGPoint(x: 0.5, y: 0.5) && layer.opacity == 1
                && layer.sublayers == nil)
        layer.frame = CGRect(x: 10, y: 20, width: 30, height: 40)
        #expect(layer.bounds == CGRect(x: 0, y: 0, width: 30, height: 40) && layer.position == CGPoint(x: 25, y: 40))
        layer.anchorPoint = .zero
        #expect(layer.frame == CGRect(x: 25, y: 40, width: 30, height: 40))
        layer.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
        #expect(layer.position == .zero)
        layer.anchorPoint = CGPoint(x: 0.5, y: 0.5)
        layer.position = CGPoint(x: 50, y: 50)
        layer.setAffineTransform(CGAffineTransform(scaleX: 2, y: 3))
        #expect(isNear(layer.frame, CGRect(x: 40, y: 35, width: 20, height: 30)))
        layer.frame = CGRect(x: 0, y: 0, width: 40, height: 60)
        #expect(isNear(layer.frame, CGRect(x: 0, y: 0, width: 40, height: 60)) && isNear(layer.bounds.width, 20))
    }

    @Test("non-finite numbers change nothing; other numbers are clamped")
    func nonsense() {
        let layer = CAShapeLayer()
        layer.frame = CGRect(x: 1, y: 2, width: 3, height: 4)
        layer.frame = CGRect(x: 0, y: 0, width: CGFloat.nan, height: 1)
        layer.frame = .null
        layer.bounds = CGRect(x: 0, y: 0, width: CGFloat.infinity, height: 1)
        layer.position.x = .nan
        layer.anchorPoint = CGPoint(x: CGFloat.infinity, y: 0)
        layer.setAffineTransform(CGAffineTransform(scaleX: .nan, y: 1))
        layer.speed = .nan
        layer.timeOffset = .infinity
        layer.strokeEnd = .nan
        layer.lineWidth = .infinity
        #expect(
            layer.frame == CGRect(x: 1, y: 2, width: 3, height: 4) && layer.strokeEnd == 1 && layer.lineWidth == 1
                && layer.speed == 1 && layer.timeOffset == 0)
        layer.opacity = 7
        layer.lineWidth = -3
        layer.strokeStart = -1
        layer.lineDashPattern = [1, -1]
        #expect(layer.opacity == 1 && layer.lineWidth == 0 && layer.strokeStart == 0 && layer.lineDashPattern == nil)
    }

    @Test("a replacement takes the place of the replaced layer, or changes nothing")
    func replacement() {
        let outer = CALayer()
        let root = CALayer()
        outer.addSublayer(root)
        let all = (0..<4).map { _ in CALayer() }
        root.sublayers = all
        root.replaceSublayer(all[2], with: all[0])
        #expect(root.sublayers?.map(ObjectIdentifier.init) == [all[1], all[0], all[3]].map(ObjectIdentifier.init))
        root.replaceSublayer(all[1], with: all[3])
        #expect(root.sublayers?.map(ObjectIdentifier.init) == [all[3], all[0]].map(ObjectIdentifier.init))
        for new in [outer, root, all[3]] { root.replaceSublayer(all[3], with: new) }
        root.replaceSublayer(all[1], with: all[2])
        #expect(root.sublayers?.map(ObjectIdentifier.init) == [all[3], all[0]].map(ObjectIdentifier.init))
        #expect(root.superlayer === outer && all[2].superlayer == nil)
        // The replacement is a sublayer of the layer that it replaces.
        all[3].addSublayer(all[2])
        root.replaceSublayer(all[3], with: all[2])
        #expect(root.sublayers?.map(ObjectIdentifier.init) == [all[2], all[0]].map(ObjectIdentifier.init))
    }

    @Test("each layer has one place in the tree, never inside itself")
    func order() {
        let root = CALayer()
        let a = CALayer()
        let b = CALayer()
        let c = CALayer()
        root.addSublayer(a)
        root.addSublayer(b)
        root.insertSublayer(c, at: 0)
        #expect(root.sublayers?.map(ObjectIdentifier.init) == [c, a, b].map(ObjectIdentifier.init))
        root.insertSublayer(c, above: a)
        #expect(root.sublayers?.map(ObjectIdentifier.init) == [a, c, b].map(ObjectIdentifier.init))
        root.insertSublayer(b, below: c)
        root.insertSublayer(a, at: 99)
        #expect(root.sublayers?.map(ObjectIdentifier.init) == [b, c, a].map(ObjectIdentifier.init))
        c.addSublayer(a)
        #expect(root.sublayers?.count == 2 && a.superlayer === c)
        a.addSublayer(root)
        a.addSublayer(a)
        root.mask = root
        #expect(root.superlayer == nil && a.sublayers == nil && root.mask == nil)
        root.replaceSublayer(b, with: a)
        #expect(root.sublayers?.first === a && b.superlayer == nil && c.sublayers == nil)
        a.removeFromSuperlayer()
        root.sublayers = nil
        #expect(root.sublayers == nil && c.superlayer == nil)
    }

    @Test("a tiny transform is undone by conversions, frames and hit tests")
    func tiny() {
        let layer = CALayer()
        layer.setAffineTransform(CGAffineTransform(scaleX: 1e-7, y: 1e-7))
        layer.frame = CGRect(x: 0, y: 0, width: 2, height: 2)
        #expect(abs(layer.bounds.width - 2e7) < 1 && abs(layer.frame.width - 2) < 1e-6)
        #expect(abs(layer.convert(CGPoint(x: 1.5, y: 1), from: nil).x - 1.5e7) < 1)
        #expect(layer.hitTest(CGPoint(x: 1, y: 1)) === layer)
        layer.setAffineTransform(CGAffineTransform(scaleX: 1e-300, y: 1e-5))
        layer.frame = CGRect(x: 0, y: 0, width: 1e10, height: 2)
        #expect(layer.bounds.size == CGSize(width: 1e10, height: 2), "an overflow is ignored")
    }

    @Test("a layer masks only one layer, or is a sublayer of one")
    func sharedMask() {
        let (first, second, mask) = (CALayer(), CALayer(), CALayer())
        first.mask = mask
        second.mask = mask
        #expect(first.mask == nil && second.mask === mask)
        first.mask = nil
        let revision = second.treeRevision
        mask.opacity = 0.5
        #expect(second.treeRevision != revision, "a change of the mask redraws the layer that it masks")
        first.addSublayer(mask)
        #expect(second.mask == nil && mask.superlayer === first)
        second.mask = mask
        #expect(first.sublayers == nil && second.mask === mask && mask.superlayer == nil)
    }

    @Test("points and rectangles convert between rotated and scrolled layers")
    func conversion() {
        let root = CALayer()
        let a = CALayer()
        let b = CALayer()
        root.frame = CGRect(x: 0, y: 0, width: 200, height: 200)
        a.frame = CGRect(x: 20, y: 30, width: 100, height: 100)
        a.bounds.origin = CGPoint(x: 5, y: 6)
        b.frame = CGRect(x: 15, y: 16, width: 20, height: 20)
        b.setAffineTransform(CGAffineTransform(rotationAngle: .pi / 2))
        root.addSublayer(a)
        a.addSublayer(b)
        #expect(isNear(b.convert(.zero, to: root), CGPoint(x: 50, y: 40)))
        #expect(isNear(b.convert(CGPoint(x: 50, y: 40), from: root), .zero))
        #expect(isNear(a.convert(CGPoint(x: 15, y: 16), to: b), CGPoint(x: 0, y: 20)))
        #expect(isNear(b.convert(b.bounds, to: root), CGRect(x: 30, y: 40, width: 20, height: 20)))
        #expect(b.contains(CGPoint(x: 19, y: 19)) && !b.contains(CGPoint(x: 21, y: 0)))
        #expect(
            root.hitTest(CGPoint(x: 40, y: 50)) === b && root.hitTest(CGPoint(x: 100, y: 100)) === a
                && root.hitTest(CGPoint(x: 300, y: 0)) == nil)
        b.isHidden = true
        #expect(root.hitTest(CGPoint(x: 40, y: 50)) === a)
    }

    @Test("layer time follows the superlayers' speed and offsets")
    func time() {
        let root = CALayer()
        let child = CALayer()
        root.addSublayer(child)
        root.speed = 2
        root.beginTime = 10
        child.timeOffset = 3
        #expect(child.convertTime(15, from: nil) == 13)
        #expect(child.convertTime(13, to: nil) == 15)
        #expect(child.convertTime(13, to: root) == 10)
        child.speed = 0
        #expect(child.convertTime(100, from: nil) == 3)
    }

    @Test("defaults match Core Animation")
    func defaults() {
        let layer = CALayer()
        let shape = CAShapeLayer()
        let text = CATextLayer()
        let gradient = CAGradientLayer()
        #expect(
            layer.shadowOpacity == 0 && layer.shadowOffset == CGSize(width: 0, height: -3) && layer.shadowRadius == 3)
        #expect(
            layer.borderColor == .black && layer.borderWidth == 0 && layer.backgroundColor == nil
                && !layer.masksToBounds)
        #expect(
            shape.fillColor == .black && shape.strokeColor == nil && shape.lineWidth == 1 && shape.miterLimit == 10
                && shape.path == nil)
        #expect(
            shape.fillRule == .nonZero && shape.lineCap == .butt && shape.lineJoin == .miter && shape.strokeEnd == 1)
        #expect(
            text.fontSize == 36 && text.foregroundColor == .white && text.alignmentMode == .natural && !text.isWrapped)
        #expect(
            gradient.startPoint == CGPoint(x: 0.5, y: 0) && gradient.endPoint == CGPoint(x: 0.5, y: 1)
                && gradient.type == .axial)
        #expect(CABasicAnimation(keyPath: "opacity").isRemovedOnCompletion && CABasicAnimation().fillMode == .removed)
        #expect(
            CASpringAnimation().stiffness == 100 && CASpringAnimation().damping == 10 && CASpringAnimation().mass == 1)
    }
}
