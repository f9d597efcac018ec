import Foundation
@_spi(Graph) import ViewGraph

/// The destinations of a scroll area: the running animation, and the element to show.
@MainActor
struct ScrollGoals {
    struct Target {
        weak var element: Element?
        let anchor: UnitPoint?
        /// The animation, or nil to scroll at once.
        var animation: Animation?
    }
    private var animation: Animated<AnimatableNumbers>?
    /// The element to show as soon as it has a frame.
    private(set) var pending: Target?
    /// The element that the animation leads to, if its frame was only estimated.
    private var animationTarget: Target?

    var isGliding: Bool { animation != nil }

    mutating func setPending(_ target: Target) { pending = target }
    mutating func takePending() -> Target? {
        defer { pending = nil }
        return pending
    }

    mutating func glide(from start: CGPoint, to goal: CGPoint, _ animation: Animation, now: Double) {
        var started = Animated(AnimatableNumbers([start.x, start.y]))
        started.set(AnimatableNumbers([goal.x, goal.y]), animation, now: now)
        self.animation = started
    }
    mutating func stopGliding() { animation = nil }
    /// Sets the element to show again at the end of the animation.
    mutating func setAfterGliding(_ target: Target) { animationTarget = target }
    /// Cancels the animation and its destination, because the user has scrolled.
    mutating func interrupt() {
        animation = nil
        animationTarget = nil
    }

    /// Returns the offset at the time `now` and whether the animation continues after it, or nil if no animation runs.
    mutating func step(_ now: Double) -> (point: CGPoint, goesOn: Bool)? {
        guard let animation else { return nil }
        let goesOn = animation.isRunning(now)
        let values = animation.value(now).values
        if !goesOn { self.animation = nil }
        return values.count == 2 ? (CGPoint(x: values[0], y: values[1]), goesOn) : nil
    }

    /// Handles the end of the animation. Returns whether there is an element to show again.
    mutating func arrive() -> Bool {
        guard let target = animationTarget else { return false }
        animationTarget = nil
        pending = target
        return true
    }
}
