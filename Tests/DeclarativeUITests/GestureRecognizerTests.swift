import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of how UIKit's gesture recognizers use DeclarativeUI's recognizers, without a pointer.
@MainActor @Suite("UIKit's gesture recognizers")
struct GestureRecognizerTests {
    private func primitives(_ view: UIView) -> [_Recognizer] {
        RecognizerGestures(recognizers: view.gestureRecognizers ?? [])._recognizers(_GestureMemory(), _GestureEvents())
    }
    /// A view of 50 × 50 points at (10, 20) in another view.
    private func inner() -> (outer: UIView, view: UIView) {
        let outer = UIView(frame: CGRect(x: 0, y: 0, width: 200, height: 200))
        let view = UIView(frame: CGRect(x: 10, y: 20, width: 50, height: 50))
        outer.addSubview(view)
        return (outer, view)
    }
    private func drag(_ from: CGPoint, _ to: CGPoint) -> DragGesture.Value {
        DragGesture.Value(time: Date(), location: to, startLocation: from, velocity: CGSize(width: 3, height: 0))
    }

    @Test("a tap is reported once, with its position in each view")
    func tap() throws {
        let (outer, view) = inner()
        var told: [CGPoint] = []
        let tap = UITapGestureRecognizer {
            #expect($0.state == .recognized)
            told += [$0.location(in: view), $0.location(in: outer)]
        }
        view.addGestureRecognizer(tap)
        #expect(tap.view === view && view.gestureRecognizers?.count == 1)
        try #require(primitives(view).first).onPoint?(CGPoint(x: 3, y: 4))
        #expect(told == [CGPoint(x: 3, y: 4), CGPoint(x: 13, y: 24)] && tap.state == .possible)
        view.removeGestureRecognizer(tap)
        #expect(tap.view == nil && view.gestureRecognizers == nil)
    }

    @Test("an element recognizes the gestures of its view")
    func element() throws {
        let (_, view) = inner()
        #expect(view.content == nil)
        view.addGestureRecognizer(UITapGestureRecognizer())
        let host = try #require(view.content?.host)
        func all(_ element: Element) -> [Element] { [element] + element.children.flatMap(all) }
        func recognizers() -> [_Recognizer] {
            host.graph.flush()
            host.surface.layOut(CGSize(width: 50, height: 50))
            return all(host.surface.root).compactMap { $0 as? GestureElement }.flatMap(\.recognizers)
        }
        #expect(recognizers().count == 1)
        view.addGestureRecognizer(UIPanGestureRecognizer())
        #expect(recognizers().count == 2 && view.content?.host === host)
    }

    @Test("a pan that moves its view reports the pointer's translation")
    func pan() throws {
        let (outer, view) = inner()
        var told: [(UIGestureRecognizer.State, CGFloat)] = []
        view.addGestureRecognizer(
            UIPanGestureRecognizer {
                let way = $0.translation(in: outer)
                told.append(($0.state, way.x))
                view.center.x += way.x
                $0.setTranslation(.zero, in: outer)
            })
        let one = try #require(primitives(view).first)
        let start = CGPoint(x: 5, y: 5)
        one.onDrag?(drag(start, CGPoint(x: 15, y: 5)), false)
        // The view moved with the pointer, so that the pointer is at the same point in the view as before.
        one.onDrag?(drag(start, CGPoint(x: 12, y: 5)), false)
        one.onDrag?(drag(start, CGPoint(x: 5, y: 5)), true)
        #expect(told.map(\.0) == [.began, .changed, .ended])
        #expect(told.map(\.1) == [10, 7, 0])
        #expect(view.frame.minX == 27)
    }

    @Test("a delegate can refuse a gesture")
    func refused() throws {
        final class No: UIGestureRecognizerDelegate {
            func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { false }
        }
        let (_, view) = inner()
        let no = No()
        var count = 0
        let pan = UIPanGestureRecognizer { _ in count += 1 }
        pan.delegate = no
        view.addGestureRecognizer(pan)
        let one = try #require(primitives(view).first)
        one.onDrag?(drag(.zero, CGPoint(x: 20, y: 0)), false)
        one.onDrag?(drag(.zero, CGPoint(x: 30, y: 0)), true)
        #expect(count == 0)
        pan.delegate = nil
        one.onDrag?(drag(.zero, CGPoint(x: 20, y: 0)), false)
        pan.isEnabled = false
        #expect(count == 2 && primitives(view).isEmpty)
    }

    @Test("a tap waits for a double tap only when required to")
    func doubleTap() throws {
        let (_, view) = inner()
        let (single, double) = (UITapGestureRecognizer(), UITapGestureRecognizer())
        double.numberOfTapsRequired = 2
        view.addGestureRecognizer(single)
        view.addGestureRecognizer(double)
        var all = primitives(view)
        #expect(all.map(\.kind) == [.tap(count: 2, space: .local), .tap(count: 1, space: .local)])
        #expect(all[1].partners == [ObjectIdentifier(all[0])])
        single.require(toFail: double)
        all = primitives(view)
        #expect(all.allSatisfy { $0.partners.isEmpty })
    }

    @Test(
        "a swipe is a long movement in one direction",
        arguments: [
            (80.0, 5.0, UISwipeGestureRecognizer.Direction.right), (-80, 5, .left), (3, -90, .up), (3, 90, .down),
        ])
    func swipe(x: Double, y: Double, direction: UISwipeGestureRecognizer.Direction) throws {
        let (_, view) = inner()
        var count = 0
        let swipe = UISwipeGestureRecognizer { _ in count += 1 }
        swipe.direction = direction
        view.addGestureRecognizer(swipe)
        let one = try #require(primitives(view).first)
        for (end, told) in [(CGPoint(x: x, y: y), 1), (CGPoint(x: -x, y: -y), 1), (CGPoint(x: 60, y: 60), 1)] {
            one.onDrag?(drag(.zero, end), true)
            #expect(count == told)
        }
        one.onDrag?(drag(.zero, CGPoint(x: x / 4, y: y / 4)), true)
        #expect(count == 1)
    }

    @Test("a long press begins and ends; a short one reports nothing")
    func press() throws {
        let (_, view) = inner()
        var told: [UIGestureRecognizer.State] = []
        view.addGestureRecognizer(UILongPressGestureRecognizer { told.append($0.state) })
        let one = try #require(primitives(view).first)
        one.onPressing?(true)
        one.onPressing?(false)
        one.onCancel?()
        #expect(told.isEmpty)
        one.onPressing?(true)
        one.onPoint?(.zero)
        one.onPressing?(false)
        #expect(told == [.began, .ended])
    }

    @Test("a pinch and a rotation continue from values the app sets")
    func pinch() throws {
        let (_, view) = inner()
        var (scales, angles): ([CGFloat], [CGFloat]) = ([], [])
        view.addGestureRecognizer(
            UIPinchGestureRecognizer {
                scales.append($0.scale)
                $0.scale = 1
            })
        view.addGestureRecognizer(
            UIRotationGestureRecognizer {
                angles.append($0.rotation)
                $0.rotation = 0
            })
        let all = primitives(view)
        for (factor, isOver) in [(2.0, false), (3.0, false), (3.0, true)] {
            all[0].onMagnify?(
                MagnifyGesture.Value(
                    time: Date(), magnification: factor, velocity: 0, startAnchor: .center, startLocation: .zero),
                isOver)
            all[1].onRotate?(
                RotateGesture.Value(
                    time: Date(), rotation: .radians(factor), velocity: .zero, startAnchor: .center,
                    startLocation: .zero), isOver)
        }
        #expect(scales == [2, 1.5, 1] && angles == [2, 1, 0])
    }
}
