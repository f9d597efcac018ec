import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@MainActor @Suite("UIKit's animations")
struct UIKitAnimationTests {
    @Test("without a window, changes apply at once and the completion follows")
    func withoutWindow() async {
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
        let finished = await withCheckedContinuation { continuation in
            UIView.animate(
                withDuration: 60, animations: { view.alpha = 0.5 },
                completion: { continuation.resume(returning: $0) })
            #expect(view.alpha == 0.5 && view.layer.animationKeys() == nil)
        }
        #expect(finished)
    }

    @Test("an animation's closure knows its duration, and nested ones inherit it")
    func durations() {
        var durations: [Double] = []
        UIView.animate(withDuration: 2) {
            durations.append(UIView.inheritedAnimationDuration)
            UIView.animate(withDuration: 5) { durations.append(UIView.inheritedAnimationDuration) }
            UIView.animate(
                withDuration: 5, delay: 0, options: .overrideInheritedDuration,
                animations: { durations.append(UIView.inheritedAnimationDuration) })
            UIView.performWithoutAnimation {
                durations.append(UIView.inheritedAnimationDuration)
                UIView.animate(withDuration: 5) { durations.append(UIView.inheritedAnimationDuration) }
            }
        }
        durations.append(UIView.inheritedAnimationDuration)
        #expect(durations == [2, 2, 5, 0, 0, 0] && UIView.areAnimationsEnabled)
    }

    @Test("a transition without a window runs its changes and completes")
    func transition() async {
        let view = UIView(frame: .zero)
        let finished = await withCheckedContinuation { continuation in
            UIView.transition(
                with: view, duration: 60, options: .transitionCrossDissolve, animations: { view.tag = 7 },
                completion: { continuation.resume(returning: $0) })
            #expect(view.tag == 7)
        }
        #expect(finished)
    }
}

/// Tests of UIKit's animations on a screen.
@Suite("UIKit's motion in a window", .serialized)
struct UIKitMotionWindowTests {
    @Test("views move, dissolve and are interrupted on the screen")
    func motion() async throws {
        let probe = try await ControlProbe(["uikit-motion"])
        let top = 20.0 / 120, middle = 75.0 / 120
        #expect(try await probe.shows([255, 0, 0], "panel", 0.1, top))
        #expect(try await probe.shows([255, 255, 255], "panel", 0.5, top))
        try probe.click("panel", 0.1, 0.9)
        // The view has its new size at once, and is drawn on the way.
        try await probe.expect("strip=300 true")
        #expect(try await probe.shows([255, 255, 255], "panel", 0.01, top))
        #expect(try await probe.shows([255, 0, 0], "panel", 0.25, top))
        try probe.click("panel", 0.1, 0.9)
        try await probe.expect("moved=false")
        try await probe.expect("settled=true")
        #expect(try await probe.shows([255, 0, 0], "panel", 0.9, top))
        #expect(try await probe.shows([255, 255, 255], "panel", 0.5, top))
        #expect(try await probe.shows([0, 0, 255], "panel", 0.9, 115.0 / 120))

        #expect(try await probe.shows([0, 0, 255], "panel", 0.1, middle))
        try probe.click("panel", 0.5, 0.4)
        #expect(
            try await probe.comes {
                let color = try probe.color("panel", 0.1, middle)
                return color[1] > 10 && color[2] > 10
            })
        try probe.click("panel", 0.5, 0.4)
        try await probe.expect("dissolved=true")
        #expect(try await probe.shows([0, 255, 0], "panel", 0.1, middle))

        try probe.click("panel", 0.9, 0.4)
        try await probe.expect("interrupted=false")
        // The layer of a removed view keeps no animation.
        try await probe.expect("removed=false true")
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }
}
