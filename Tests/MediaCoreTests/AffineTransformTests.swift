import Foundation
import Testing

@testable import MediaCore

@Suite("Affine transforms")
struct AffineTransformTests {
    private static let turned = CGAffineTransform(rotationAngle: .pi / 6).scaledBy(x: 2, y: -0.5).translatedBy(
        x: 30, y: -7)

    @Test("concatenating applies the left transform first; …By functions prepend their step")
    func order() {
        let point = CGPoint(x: 3, y: 5)
        let moveThenScale = CGAffineTransform(translationX: 1, y: 2).concatenating(CGAffineTransform(scaleX: 10, y: 10))
        #expect(point.applying(moveThenScale) == CGPoint(x: 40, y: 70))
        #expect(
            CGAffineTransform(scaleX: 10, y: 10).translatedBy(x: 1, y: 2) == moveThenScale)
    }

    @Test("an inverse undoes its transform; degenerate transforms have none")
    func inverses() throws {
        let inverse = try #require(AffineTransformTests.turned.inverse)
        let back = CGPoint(x: 11, y: -4).applying(AffineTransformTests.turned).applying(inverse)
        #expect(abs(back.x - 11) < 1e-9 && abs(back.y + 4) < 1e-9)
        for dead in [
            CGAffineTransform(scaleX: 0, y: 1), CGAffineTransform(scaleX: 1e-200, y: 1e-200),
            CGAffineTransform(scaleX: .leastNonzeroMagnitude, y: 1),
            CGAffineTransform(a: 1e-300, b: 0, c: 0, d: 1, tx: 1e300, ty: 0),
            CGAffineTransform(a: 1, b: 2, c: 2, d: 4, tx: 0, ty: 0), CGAffineTransform(translationX: .nan, y: 0),
            CGAffineTransform(scaleX: .infinity, y: 1),
        ] {
            #expect(dead.inverse == nil && !dead.isDrawable)
        }
        let flat = CGAffineTransform(scaleX: 0, y: 1)
        #expect(flat.inverted() == flat)
    }

    @Test("a tiny scale has an inverse, although it can draw nothing")
    func tiny() {
        let tiny = CGAffineTransform(scaleX: 1e-7, y: 1e-7).translatedBy(x: 3, y: 5)
        let point = CGPoint(x: 1, y: 2).applying(tiny).applying(tiny.inverted())
        #expect(abs(point.x - 1) < 1e-6 && abs(point.y - 2) < 1e-6)
        #expect(!tiny.isDrawable && AffineTransformTests.turned.isDrawable)
        #expect(!CGAffineTransform(scaleX: .infinity, y: 1).isDrawable)
    }

    @Test("a transformed rectangle is the bounding box of its corners")
    func rectangles() {
        let rect = CGRect(x: 1, y: 2, width: 3, height: 4)
        #expect(rect.applying(CGAffineTransform(translationX: 5, y: 6)) == rect.offsetBy(dx: 5, dy: 6))
        #expect(
            rect.applying(CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0))
                == CGRect(x: -6, y: 1, width: 4, height: 3))
        #expect(CGRect.null.applying(AffineTransformTests.turned).isNull)
    }
}
