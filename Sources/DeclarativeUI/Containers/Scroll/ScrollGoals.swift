import Foundation
@_spi(Graph) import ViewGraph

/// The destinations of a scroll area: the running animation, and the element to show.
@MainActor
struct ScrollGoals {
    struct Target {
        weak var element: Element?
        let anchor: UnitPoint?
    }
    private var way: Animated<AnimatableNumbers>?
    /// The element to show as soon as it has a frame.
    private(set) var pending: Target?
    /// The element that the animation leads to, if its frame was only estimated.
    private var afterWay: Target?

    var isGliding: Bool { way != nil }

    mutating func setPending(_ target: Target) { pending = target }
    mutating func takePending() -> Target? {
        defer { pending = nil }
        return pending
    }

    mutating func glide(from start: CGPoint, to goal: CGPoint, _ animation: Animation, now: Double) {
        var way = Animated(AnimatableNumbers([start.x, start.y]))
        way.set(AnimatableNumbers([goal.x, goal.y]), animation, now: now)
        self.way = way
    }
    mutating func stopGliding() { way = nil }
    /// Sets the element to show again at the end of the animation.
    mutating func setAfterGliding(_ target: Target) { afterWay = target }
    /// Cancels the animation and its destination, because the user has scrolled.
    mutating func interrupt() {
        way = nil
        afterWay = nil
    }

    /// Returns the offset at the time `now` and whether the animation continues after it, or nil if no animation runs.
    mutating func step(_ now: Double) -> (point: CGPoint, goesOn: Bool)? {
        guard let way else { return nil }
        let goesOn = way.isRunning(now)
        let values = way.value(now).values
        if !goesOn { self.way = nil }
        return values.count == 2 ? (CGPoint(x: values[0], y: values[1]), goesOn) : nil
    }

    /// Handles the end of the animation. Returns whether there is an element to show again.
    mutating func arrive() -> Bool {
        guard let target = afterWay else { return false }
        afterWay = nil
        pending = target
        return true
    }
}
