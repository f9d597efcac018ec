import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@Suite("Goals of a scrolled area") @MainActor
struct ScrollGoalsTests {
    private let target = ScrollGoals.Target(element: nil, anchor: .top)

    @Test("an animated scroll passes the points between, then ends")
    func glide() {
        var goals = ScrollGoals()
        goals.glide(from: .zero, to: CGPoint(x: 0, y: 100), .linear(duration: 1), now: 0)
        let half = goals.step(0.5)
        #expect(abs((half?.point.y ?? 0) - 50) < 0.001 && half?.point.x == 0 && half?.goesOn == true && goals.isGliding)
        let end = goals.step(1.5)
        #expect(end?.point == CGPoint(x: 0, y: 100) && end?.goesOn == false && !goals.isGliding)
        let after = goals.step(2)
        #expect(after == nil)
    }

    @Test("the target of a scroll animation is pending when it ends")
    func arrival() {
        var goals = ScrollGoals()
        goals.setAfterGliding(target)
        let first = goals.arrive()
        let again = goals.arrive()
        let pending = goals.takePending()
        #expect(first && !again && pending?.anchor == .top && goals.pending == nil)
    }

    @Test("scrolling by the user ends an animation and discards its target")
    func interruption() {
        var goals = ScrollGoals()
        goals.glide(from: .zero, to: CGPoint(x: 0, y: 100), .linear(duration: 1), now: 0)
        goals.setAfterGliding(target)
        goals.interrupt()
        let arrived = goals.arrive()
        #expect(!goals.isGliding && !arrived && goals.pending == nil)
    }
}
