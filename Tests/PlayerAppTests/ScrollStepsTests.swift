import Testing

@testable import PlayerApp

/// Tests of the steps that a wheel and a touchpad make over a player's video.
@Suite("Scroll steps")
struct ScrollStepsTests {
    /// Adds movements of two fingers, and returns the steps along each axis.
    private func steps(_ moves: [(x: Double, y: Double)], isPrecise: Bool, in scrolling: inout ScrollSteps) -> [Int] {
        var sums = [0, 0]
        for move in moves {
            guard let steps = scrolling.add(move.x, move.y, isPrecise: isPrecise) else { continue }
            sums[steps.axis == .horizontal ? 0 : 1] += steps.count
        }
        return sums
    }

    @Test("ten points of a touchpad are one step")
    func points() {
        var scrolling = ScrollSteps()
        #expect(steps([(0, 4), (0, 4), (0, 4), (0, 9)], isPrecise: true, in: &scrolling) == [0, 2])
        #expect(steps([(0, -4), (0, -4), (0, -2)], isPrecise: true, in: &scrolling) == [0, -1])
    }

    @Test("two fingers keep their first direction until they are lifted")
    func direction() {
        var scrolling = ScrollSteps()
        #expect(steps([(1, 3), (30, 7), (20, 0), (0, 10)], isPrecise: true, in: &scrolling) == [0, 2])
        scrolling.reset()
        #expect(steps([(-6, 2), (-4, 40)], isPrecise: true, in: &scrolling) == [-1, 0])
    }

    @Test("the end of a movement discards its incomplete step")
    func rest() {
        var scrolling = ScrollSteps()
        #expect(steps([(0, 9)], isPrecise: true, in: &scrolling) == [0, 0])
        scrolling.reset()
        #expect(steps([(0, 9)], isPrecise: true, in: &scrolling) == [0, 0])
    }

    @Test("a wheel counts notches, parts of notches, and both directions")
    func wheel() {
        var scrolling = ScrollSteps()
        #expect(steps([(0, 1), (0, -1), (0, -1)], isPrecise: false, in: &scrolling) == [0, -1])
        #expect(steps([(1, 0), (0.5, 0), (0.5, 0), (0, 2)], isPrecise: false, in: &scrolling) == [2, 2])
        // A wheel keeps its axis while an event moves along both.
        #expect(steps([(0.75, 0.5), (0.75, 0.5)], isPrecise: false, in: &scrolling) == [0, 1])
    }

    @Test("values that are not finite or much too large do no harm")
    func odd() {
        var scrolling = ScrollSteps()
        #expect(steps([(.nan, 1), (0, .infinity), (0, 0)], isPrecise: false, in: &scrolling) == [0, 0])
        #expect(steps([(0, 1e300)], isPrecise: true, in: &scrolling) == [0, 10])
    }
}
