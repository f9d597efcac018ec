import Foundation
@_spi(Graph) import ViewGraph

/// Where a scrolled area is to go: the way there, and what is to be shown.
@MainActor
struct ScrollGoals {
    struct Target {
        weak var element: Element?
        let anchor: UnitPoint?
    }
    private var way: Animated<AnimatableNumbers>?
    /// What is to be shown once it has a place.
    private(set) var pending: Target?
    /// What the way leads to, when its place was only guessed.
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
    /// Shows `target` once more at the end of the way.
    mutating func setAfterGliding(_ target: Target) { afterWay = target }
    /// The user's hand wins over the way and what it leads to.
    mutating func interrupt() {
        way = nil
        afterWay = nil
    }

    /// The point of the way at `now`, and whether it goes on after that; nil if there is no way.
    mutating func step(_ now: Double) -> (point: CGPoint, goesOn: Bool)? {
        guard let way else { return nil }
        let goesOn = way.isRunning(now)
        let values = way.value(now).values
        if !goesOn { self.way = nil }
        return values.count == 2 ? (CGPoint(x: values[0], y: values[1]), goesOn) : nil
    }

    /// The way is at its end. True if there is something to show again.
    mutating func arrive() -> Bool {
        guard let target = afterWay else { return false }
        afterWay = nil
        pending = target
        return true
    }
}
