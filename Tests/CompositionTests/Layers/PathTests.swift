import Foundation
import MediaCore
import Testing

@testable import Filters
@testable import Overlays

@Suite("Paths")
struct PathTests {
    @Test("a path returns the bounds of its points and its outline")
    func boxes() {
        let path = CGMutablePath()
        #expect(path.isEmpty && path.boundingBox.isNull && path.boundingBoxOfPath.isNull && path.currentPoint == .zero)
        path.move(to: .zero)
        path.addCurve(to: CGPoint(x: 100, y: 0), control1: CGPoint(x: 0, y: 40), control2: CGPoint(x: 100, y: 40))
        #expect(isNear(path.boundingBox, CGRect(x: 0, y: 0, width: 100, height: 40)))
        // y = 3 · 40 · t(1 − t) is highest at t = ½, where it is 30.
        #expect(isNear(path.boundingBoxOfPath, CGRect(x: 0, y: 0, width: 100, height: 30)))
        let circle = CGPath(ellipseIn: CGRect(x: 10, y: 20, width: 30, height: 40), transform: nil)
        #expect(isNear(circle.boundingBoxOfPath, CGRect(x: 10, y: 20, width: 30, height: 40)))
        let quad = CGMutablePath()
        quad.move(to: .zero)
        quad.addQuadCurve(to: CGPoint(x: 10, y: 0), control: CGPoint(x: 5, y: 10))
        #expect(isNear(quad.boundingBoxOfPath, CGRect(x: 0, y: 0, width: 10, height: 5)))
    }

    @Test("a path contains points by winding or even-odd rule, also open")
    func contains() {
        let ring = CGMutablePath()
        ring.addRect(CGRect(x: 0, y: 0, width: 10, height: 10))
        ring.addRect(CGRect(x: 3, y: 3, width: 4, height: 4))
        #expect(ring.contains(CGPoint(x: 5, y: 5)))
        #expect(!ring.contains(CGPoint(x: 5, y: 5), using: .evenOdd))
        #expect(ring.contains(CGPoint(x: 1, y: 5), using: .evenOdd))
        #expect(!ring.contains(CGPoint(x: 11, y: 5)) && !ring.contains(CGPoint(x: CGFloat.nan, y: 5)))
        let open = line(.zero, CGPoint(x: 10, y: 0), CGPoint(x: 0, y: 10))
        #expect(open.contains(CGPoint(x: 2, y: 2)) && !open.contains(CGPoint(x: 8, y: 8)))
        let circle = CGPath(ellipseIn: CGRect(x: 0, y: 0, width: 20, height: 20))
        #expect(circle.contains(CGPoint(x: 3.2, y: 3.2)) && !circle.contains(CGPoint(x: 2.7, y: 2.7)))
        #expect(circle.contains(CGPoint(x: 1, y: 1), transform: CGAffineTransform(translationX: 9, y: 9)))
    }

    /// In Core Graphics, clockwise means decreasing angles. In UIKit it means clockwise as displayed.
    @Test("each arc function uses its framework's meaning of clockwise")
    func arcs() {
        let quarter = CGMutablePath()
        quarter.addArc(center: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: false)
        #expect(isNear(quarter.boundingBoxOfPath, CGRect(x: 0, y: 0, width: 10, height: 10), 0.01))
        #expect(isNear(quarter.currentPoint, CGPoint(x: 0, y: 10)))
        let rest = CGMutablePath()
        rest.addArc(center: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: true)
        #expect(isNear(rest.boundingBoxOfPath, CGRect(x: -10, y: -10, width: 20, height: 20), 0.01))
        #expect(isNear(rest.data.length, 15 * .pi, 0.05))
        let seen = UIBezierPath(arcCenter: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: true)
        #expect(isNear(seen.bounds, CGRect(x: 0, y: 0, width: 10, height: 10), 0.01))
        let whole = UIBezierPath(
            arcCenter: .zero, radius: 10, startAngle: -.pi / 2, endAngle: 1.5 * .pi, clockwise: true)
        #expect(isNear(whole.cgPath.data.length, 20 * .pi, 0.05))
        let degrees = NSBezierPath()
        degrees.appendArc(withCenter: .zero, radius: 10, startAngle: 0, endAngle: 90)
        #expect(isNear(degrees.currentPoint, CGPoint(x: 0, y: 10)))
        let relative = CGMutablePath()
        relative.addRelativeArc(center: .zero, radius: 10, startAngle: 0, delta: -.pi)
        #expect(isNear(relative.boundingBoxOfPath, CGRect(x: -10, y: -10, width: 20, height: 10), 0.01))
    }

    @Test("a rounded corner is the circle that touches both sides", arguments: [1.0, -1.0])
    func tangents(side: Double) {
        let path = CGMutablePath()
        path.move(to: .zero)
        path.addArc(tangent1End: CGPoint(x: 10, y: 0), tangent2End: CGPoint(x: 10, y: 10 * side), radius: 4)
        #expect(isNear(path.currentPoint, CGPoint(x: 10, y: 4 * side)))
        // A line to (6, 0) and a quarter circle.
        #expect(isNear(path.data.length, 6 + 2 * .pi, 0.01))
        let straight = CGMutablePath()
        straight.move(to: .zero)
        straight.addArc(tangent1End: CGPoint(x: 10, y: 0), tangent2End: CGPoint(x: 20, y: 0), radius: 4)
        #expect(straight.currentPoint == CGPoint(x: 10, y: 0))
    }

    @Test("every method applies its transform; copies are independent")
    func transforms() throws {
        var twice = CGAffineTransform(scaleX: 2, y: 2)
        #expect(
            CGPath(rect: CGRect(x: 1, y: 1, width: 2, height: 2), transform: &twice).boundingBox
                == CGRect(x: 2, y: 2, width: 4, height: 4))
        let path = CGMutablePath()
        path.move(to: CGPoint(x: 1, y: 1), transform: twice)
        path.addLine(to: CGPoint(x: 2, y: 1), transform: twice)
        path.addRect(CGRect(x: 3, y: 3, width: 1, height: 1), transform: twice)
        let copy = try #require(path.copy())
        let moved = try #require(path.copy(using: &twice))
        path.addEllipse(in: CGRect(x: 100, y: 100, width: 1, height: 1))
        #expect(copy.boundingBox == CGRect(x: 2, y: 2, width: 6, height: 6))
        #expect(moved.boundingBox == CGRect(x: 4, y: 4, width: 12, height: 12))
        #expect(copy != path && copy == copy.copy())
        let bezier = UIBezierPath(rect: CGRect(x: 0, y: 0, width: 1, height: 1))
        bezier.apply(CGAffineTransform(translationX: 5, y: 0))
        let outline = bezier.cgPath
        bezier.append(UIBezierPath(ovalIn: CGRect(x: 0, y: 0, width: 50, height: 50)))
        #expect(outline.boundingBox == CGRect(x: 5, y: 0, width: 1, height: 1))
        bezier.removeAllPoints()
        #expect(bezier.isEmpty && bezier.bounds == .zero)
    }

    @Test("a trimmed path has the exact length and keeps whole subpaths closed")
    func trimming() {
        let square = CGPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10)).data
        let half = square.trimmed(from: 0, to: 0.5)
        #expect(isNear(half.length, 20) && half.currentPoint == CGPoint(x: 10, y: 10))
        #expect(square.trimmed(from: 0, to: 1) == square)
        #expect(square.trimmed(from: 0.5, to: 0.5).isEmpty && square.trimmed(from: 0.8, to: 0.2).isEmpty)
        let circle = CGPath(ellipseIn: CGRect(x: 0, y: 0, width: 20, height: 20)).data
        for (from, to) in [(0.1, 0.35), (0, 0.77), (0.6, 1)] as [(CGFloat, CGFloat)] {
            #expect(isNear(circle.trimmed(from: from, to: to).length, (to - from) * circle.length, 0.01))
        }
        var two = square
        two.rect(CGRect(x: 20, y: 0, width: 10, height: 10))
        let most = two.trimmed(from: 0, to: 0.75)
        #expect(most.elements.filter { $0 == .close }.count == 1 && isNear(most.length, 60))
    }

    @Test("non-finite elements are skipped, the rest stays")
    func nonsense() {
        let path = CGMutablePath()
        path.move(to: CGPoint(x: CGFloat.nan, y: 0))
        path.addLine(to: CGPoint(x: 1, y: 1))
        path.addLine(to: CGPoint(x: CGFloat.infinity, y: 1))
        path.addCurve(to: CGPoint(x: 2, y: 2), control1: CGPoint(x: 0, y: -CGFloat.infinity), control2: .zero)
        path.addRect(.null)
        path.addRect(CGRect(x: 0, y: 0, width: CGFloat.nan, height: 1))
        path.addEllipse(in: CGRect(x: CGFloat.infinity, y: 0, width: 1, height: 1))
        path.addArc(center: .zero, radius: .nan, startAngle: 0, endAngle: 1, clockwise: true)
        path.addArc(center: .zero, radius: 1, startAngle: .infinity, endAngle: 1, clockwise: true)
        path.addArc(tangent1End: CGPoint(x: CGFloat.nan, y: 0), tangent2End: .zero, radius: 2)
        path.addLine(to: CGPoint(x: 3, y: 3), transform: CGAffineTransform(scaleX: .infinity, y: 1))
        path.addLine(to: CGPoint(x: 4, y: 4))
        #expect(path.boundingBox == CGRect(x: 1, y: 1, width: 3, height: 3))
        #expect(path.data.elements == [.move(CGPoint(x: 1, y: 1)), .line(CGPoint(x: 4, y: 4))])
    }
}

@Suite("Transforms and colors")
struct TransformTests {
    @Test("an affine transform and its inverse return the same point")
    func affine() {
        let t = CGAffineTransform(translationX: 3, y: 4).rotated(by: 0.7).scaledBy(x: 2, y: -3)
        let p = CGPoint(x: 5, y: 6)
        #expect(isNear(p.applying(t).applying(t.inverted()), p))
        #expect(isNear(CGPoint(x: 1, y: 0).applying(CGAffineTransform(rotationAngle: .pi / 2)), CGPoint(x: 0, y: 1)))
        // The scale is applied first, then the rotation, then the translation.
        #expect(
            isNear(
                CGPoint(x: 1, y: 0).applying(
                    CGAffineTransform(translationX: 10, y: 0).rotated(by: .pi / 2).scaledBy(x: 2, y: 1)),
                CGPoint(x: 10, y: 2)))
        let flat = CGAffineTransform(scaleX: 0, y: 1)
        #expect(flat.inverted() == flat)
        #expect(
            isNear(
                CGRect(x: 0, y: 0, width: 2, height: 1).applying(CGAffineTransform(rotationAngle: .pi / 2)),
                CGRect(x: -1, y: 0, width: 1, height: 2)))
    }

    @Test("a 3D transform inverts and matches its affine part")
    func space() {
        let t = CATransform3DRotate(CATransform3DTranslate(CATransform3DMakeScale(2, 3, 4), 1, 2, 3), 0.4, 1, 2, 3)
        let product = CATransform3DConcat(t, CATransform3DInvert(t))
        #expect(zip(product.entries, CATransform3DIdentity.entries).allSatisfy { isNear($0, $1) })
        let turn = CATransform3DGetAffineTransform(CATransform3DMakeRotation(0.3, 0, 0, 1))
        let plane = CGAffineTransform(rotationAngle: 0.3)
        #expect(
            isNear(turn.a, plane.a) && isNear(turn.b, plane.b) && isNear(turn.c, plane.c) && isNear(turn.d, plane.d))
        #expect(
            CATransform3DIsIdentity(CATransform3DIdentity)
                && CATransform3DIsAffine(CATransform3DMakeAffineTransform(plane)))
        #expect(!CATransform3DIsAffine(CATransform3DMakeRotation(1, 1, 0, 0)))
        #expect(CATransform3DInvert(CATransform3D()) == CATransform3D())
    }

    @Test("a transform's parts recombine to the same transform")
    func parts() {
        for t in [
            CGAffineTransform(a: 2, b: 1, c: -0.5, d: 3, tx: 7, ty: 8), CGAffineTransform(scaleX: -1, y: 2),
            CGAffineTransform(rotationAngle: 2.5).scaledBy(x: 0.1, y: -4), CGAffineTransform(scaleX: 0, y: 5),
            CGAffineTransform(scaleX: 0, y: 0),
        ] {
            let again = TransformParts(CATransform3D(t)).transform
            #expect(zip(again.entries, CATransform3D(t).entries).allSatisfy { isNear($0, $1) })
        }
    }

    @Test("colors clamp, list their components and compare by appearance")
    func colors() {
        #expect(CGColor(red: 2, green: -1, blue: .nan, alpha: 0.5).components == [1, 0, 0, 0.5])
        #expect(CGColor(gray: 0.25, alpha: 1).components == [0.25, 1])
        #expect(CGColor.white == CGColor(red: 1, green: 1, blue: 1, alpha: 1))
        #expect(CGColor.clear.alpha == 0 && CGColor.black != CGColor.clear)
        #expect(CGColor.red.copy(alpha: 0.5) == CGColor(red: 1, green: 0, blue: 0, alpha: 0.5))
    }
}
