import Foundation
import MediaCore
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of the search for the receiver of input, and of coordinates of views, without a pointer.
@MainActor @Suite("UIKit's hit testing")
struct UIViewHitTests {
    /// A view that lets input through, except to its subviews.
    private final class PassingView: UIView {
        override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
            let hit = super.hitTest(point, with: event)
            return hit === self ? nil : hit
        }
    }
    /// A view whose area is 10 points larger on each side.
    private final class WideView: UIView {
        override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
            bounds.insetBy(dx: -10, dy: -10).contains(point)
        }
    }
    private let root = UIView(frame: CGRect(x: 0, y: 0, width: 200, height: 200))
    private func add<V: UIView>(_ view: V, _ x: CGFloat, _ y: CGFloat, _ size: CGFloat, to parent: UIView? = nil) -> V {
        view.frame = CGRect(x: x, y: y, width: size, height: size)
        (parent ?? root).addSubview(view)
        return view
    }
    private func hit(_ x: CGFloat, _ y: CGFloat) -> UIView? { root.hitTest(CGPoint(x: x, y: y), with: nil) }

    @Test("the view in front receives the input")
    func front() {
        let back = add(UIView(), 0, 0, 100), front = add(UIView(), 50, 50, 100)
        let inner = add(UIView(), 10, 10, 20, to: front)
        #expect(hit(20, 20) === back && hit(70, 70) === inner && hit(90, 90) === front)
        #expect(hit(180, 20) === root && hit(250, 20) == nil)
    }

    @Test("hidden, transparent and disabled views let input through, with their subviews")
    func ignored() {
        let back = add(UIView(), 0, 0, 100), front = add(UIView(), 0, 0, 100)
        let inner = add(UIView(), 0, 0, 50, to: front)
        #expect(hit(20, 20) === inner)
        front.isHidden = true
        #expect(hit(20, 20) === back)
        (front.isHidden, front.alpha) = (false, 0.001)
        #expect(hit(20, 20) === back)
        front.alpha = 0.01
        #expect(hit(20, 20) === inner)
        (front.alpha, front.isUserInteractionEnabled) = (1, false)
        #expect(hit(20, 20) === back)
    }

    @Test("overrides let input through and enlarge areas")
    func overridden() {
        let back = add(UIView(), 0, 0, 100)
        let passing = add(PassingView(), 0, 0, 200)
        let wide = add(WideView(), 120, 120, 20, to: passing)
        #expect(hit(20, 20) === back && hit(112, 112) === wide && hit(108, 108) === root)
        // The enlarged area ends at the superview.
        let small = add(UIView(), 100, 0, 50)
        let cut = add(WideView(), 30, 0, 20, to: small)
        #expect(hit(122, 5) === cut && hit(155, 5) === root)
    }

    @Test("points and rectangles are converted between views")
    func converted() {
        let outer = add(UIView(), 10, 20, 100), inner = add(UIView(), 5, 5, 50, to: outer)
        let other = add(UIView(), 100, 100, 50)
        #expect(inner.convert(CGPoint(x: 1, y: 2), to: root) == CGPoint(x: 16, y: 27))
        #expect(inner.convert(CGPoint(x: 16, y: 27), from: root) == CGPoint(x: 1, y: 2))
        #expect(inner.convert(CGPoint.zero, to: other) == CGPoint(x: -85, y: -75))
        #expect(inner.convert(CGPoint.zero, to: nil) == CGPoint(x: 15, y: 25))
        #expect(
            inner.convert(inner.bounds, to: root) == CGRect(x: 15, y: 25, width: 50, height: 50)
                && root.convert(inner.bounds, from: inner) == CGRect(x: 15, y: 25, width: 50, height: 50))
        inner.transform = CGAffineTransform(scaleX: 2, y: 2)
        #expect(inner.convert(inner.bounds, to: outer) == CGRect(x: -20, y: -20, width: 100, height: 100))
    }

    @Test("a press beside a button highlights it and clicks when released nearby")
    func besideButton() {
        let button = UIButton(frame: CGRect(x: 0, y: 0, width: 50, height: 20))
        var events: [String] = []
        button.addAction(UIAction { _ in events.append("down") }, for: .touchDown)
        button.addAction(UIAction { _ in events.append("up") }, for: .touchUpInside)
        button.follow(.moved(CGPoint(x: -5, y: 5)))
        #expect(button.isHighlighted)
        button.follow(.moved(CGPoint(x: -200, y: 5)))
        #expect(!button.isHighlighted)
        button.follow(.moved(CGPoint(x: -20, y: 5)))
        button.follow(.ended(CGPoint(x: -20, y: 5)))
        #expect(events == ["down", "up"] && !button.isHighlighted && !button.isTracking)
        button.isEnabled = false
        button.follow(.moved(.zero))
        button.follow(.ended(.zero))
        #expect(events.count == 2)
    }

    @Test("a press beside a slider moves the knob to the point")
    func besideSlider() {
        let slider = UISlider(frame: CGRect(x: 0, y: 0, width: 124, height: 30))
        var events: [String] = []
        slider.addAction(UIAction { [unowned slider] _ in events.append("\(slider.value)") }, for: .valueChanged)
        slider.addAction(UIAction { _ in events.append("up") }, for: .touchUpInside)
        slider.follow(.moved(CGPoint(x: 62, y: 50)))
        #expect(slider.isTracking)
        slider.follow(.moved(CGPoint(x: 500, y: 50)))
        slider.follow(.ended(CGPoint(x: 500, y: 50)))
        #expect(events == ["0.5", "1.0", "up"] && !slider.isTracking)
        slider.follow(.moved(CGPoint(x: 62, y: 50)))
        slider.windowChanged()
        #expect(!slider.isTracking)
    }
}

/// Tests of overridden hit testing in a window, by the pointer.
@Suite("UIKit's hit testing in a window", .serialized)
struct UIViewHitWindowTests {
    @Test("the pointer follows overridden hit testing")
    func pointer() async throws {
        let probe = try await ControlProbe(["uikit-hit"])
        func click(_ x: Double, _ y: Double) throws { try probe.click("panel", x / 300, y / 120) }
        // The left half of the veil lets the pointer through to the button behind.
        try click(40, 20)
        try await probe.expect("back=touchUpInside")
        try click(110, 20)
        try await probe.expect("veil=tap")
        try click(40, 20)
        try await probe.expect("back=touchUpInside")
        // A subview of the veil lets the pointer through to the veil.
        try click(135, 20)
        try await probe.expect("veil=tap")
        // Beside the button's frame, in its enlarged area.
        try click(190, 30)
        try await probe.expect("wide=touchUpInside")
        try click(220, 30)
        try await probe.expect("wide=touchUpInside")
        // Below the slider, in its enlarged area.
        try click(220, 117)
        try await probe.expect("slider=middle")
        // An empty view covers a button, and the recognizer of the superview receives the tap.
        try click(50, 80)
        try await probe.expect("panel=tap")
        #expect(!probe.said.contains("covered=touchUpInside"))
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }
}
