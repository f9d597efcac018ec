import Foundation
import MediaCore

/// How a view comes and goes. SwiftUI's type.
public struct AnyTransition: Sendable {
    /// What is done to a view that is not there yet, or no more.
    struct Change: Hashable, Sendable {
        var opacity = 1.0
        var scale: CGFloat = 1
        var anchor = UnitPoint.center
        /// In the view's own sizes, and in points.
        var shift = UnitPoint.zero
        var offset = CGSize.zero
    }
    var insertion: Change
    var removal: Change
    var animation: Animation?

    private init(_ change: Change) {
        insertion = change
        removal = change
    }
    /// Comes and goes without a change of looks.
    public static let identity = AnyTransition(Change())
    /// Fades in and out.
    public static let opacity = AnyTransition(Change(opacity: 0))
    /// Grows from nothing about its middle, and shrinks to nothing.
    public static let scale = scale(scale: 0)
    /// Grows from `scale` times its size about `anchor`, and shrinks to it; the factor is clamped to ±10 000, and one
    /// that is not a number is 1.
    public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition {
        AnyTransition(Change(scale: scale.within(10_000, else: 1), anchor: anchor.proper))
    }
    /// Comes from an edge and goes to it.
    public static func move(edge: Edge) -> AnyTransition {
        let shift: UnitPoint =
            switch edge {
            case .top: UnitPoint(x: 0, y: -1)
            case .bottom: UnitPoint(x: 0, y: 1)
            case .leading: UnitPoint(x: -1, y: 0)
            case .trailing: UnitPoint(x: 1, y: 0)
            }
        return AnyTransition(Change(shift: shift))
    }
    /// Comes from a place `offset` away, in points, and goes there.
    public static func offset(_ offset: CGSize) -> AnyTransition {
        AnyTransition(Change(offset: CGSize(width: offset.width.bounded, height: offset.height.bounded)))
    }
    /// Comes from a place `x` and `y` points away, and goes there.
    public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> AnyTransition { offset(CGSize(width: x, height: y)) }
    /// Comes from the leading edge, goes to the trailing one.
    public static let slide = asymmetric(insertion: move(edge: .leading), removal: move(edge: .trailing))
    /// Comes in from `edge` and goes out by the opposite one, fading on the way.
    public static func push(from edge: Edge) -> AnyTransition {
        let other: Edge =
            switch edge {
            case .top: .bottom
            case .bottom: .top
            case .leading: .trailing
            case .trailing: .leading
            }
        return asymmetric(
            insertion: move(edge: edge).combined(with: .opacity), removal: move(edge: other).combined(with: .opacity))
    }
    /// Comes as `insertion` does and goes as `removal` does; the animation is `insertion`'s.
    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition {
        var result = insertion
        result.removal = removal.removal
        return result
    }
    /// Does both at once: factors are multiplied, distances added. The animation is this one's, else the other's.
    public func combined(with other: AnyTransition) -> AnyTransition {
        let both: (Change, Change) -> Change = { a, b in
            Change(
                opacity: a.opacity * b.opacity, scale: a.scale * b.scale, anchor: b.scale != 1 ? b.anchor : a.anchor,
                shift: UnitPoint(x: a.shift.x + b.shift.x, y: a.shift.y + b.shift.y),
                offset: CGSize(width: a.offset.width + b.offset.width, height: a.offset.height + b.offset.height))
        }
        var result = self
        result.insertion = both(insertion, other.insertion)
        result.removal = both(removal, other.removal)
        result.animation = animation ?? other.animation
        return result
    }
    /// Comes and goes by `animation` instead of the one of the change; nil takes that of the change.
    public func animation(_ animation: Animation?) -> AnyTransition { with(self) { $0.animation = animation } }
}

/// A view on its way in or out.
package struct Presence {
    private let change: AnyTransition.Change
    private let isLeaving: Bool
    private let animation: Animation
    private let start: Double

    init(transition: AnyTransition, isLeaving: Bool, animation: Animation, now: Double) {
        change = isLeaving ? transition.removal : transition.insertion
        self.isLeaving = isLeaving
        self.animation = animation
        start = now
    }

    package func isRunning(_ now: Double) -> Bool { !animation.progress(at: now - start).isOver }

    /// How much of the change holds, 1 for all of it.
    private func amount(_ now: Double) -> Double {
        let progress = animation.progress(at: now - start).value
        return isLeaving ? progress : 1 - progress
    }

    package func transform(_ size: CGSize, _ now: Double) -> CGAffineTransform {
        let amount = amount(now)
        let scale = 1 + (change.scale - 1) * amount
        return CGAffineTransform(scaleX: scale, y: scale)
            .around(change.anchor, CGRect(origin: .zero, size: size))
            .concatenating(
                CGAffineTransform(
                    translationX: (change.shift.x * size.width + change.offset.width) * amount,
                    y: (change.shift.y * size.height + change.offset.height) * amount))
    }

    package func opacity(_ now: Double) -> Double { min(1, max(0, 1 + (change.opacity - 1) * amount(now))) }
}

/// `animation(_:value:)`: what changes below with `value` is animated.
struct AnimationScope<Value: Equatable>: FiberModifier {
    let animation: Animation?
    let value: Value
    final class Place {
        var value: Value
        var isChanging = false
        init(_ value: Value) { self.value = value }
    }
    func makePlace(_ fiber: _Fiber) -> Place { Place(value) }
    func updated(_ place: inout Place, _ fiber: _Fiber) {
        place.isChanging = place.value != value
        place.value = value
        // The layout that follows moves things with it too.
        if place.isChanging, !fiber.graph.transaction.disablesAnimations {
            fiber.graph.layoutAnimation = Motion.honoured(animation)
        }
    }
    func transaction(_ place: Place, _ transaction: Transaction) -> Transaction? {
        guard place.isChanging, !transaction.disablesAnimations else { return nil }
        return with(transaction) { $0.animation = animation }
    }
}

struct AlwaysAnimated: FiberModifier {
    let animation: Animation?
    func makePlace(_ fiber: _Fiber) {}
    func transaction(_ place: Void, _ transaction: Transaction) -> Transaction? {
        transaction.disablesAnimations ? nil : with(transaction) { $0.animation = animation }
    }
}

struct TransactionChange: FiberModifier {
    let change: (inout Transaction) -> Void
    func makePlace(_ fiber: _Fiber) {}
    func transaction(_ place: Void, _ transaction: Transaction) -> Transaction? { with(transaction, change) }
}

extension View {
    /// What changes below when `value` becomes another one goes there by `animation`; nil: at once.
    public func animation(_ animation: Animation?, value: any Equatable) -> some View {
        fiberModifier(AnimationScope(animation: animation, value: WatchedValue(value)))
    }
    /// All that changes below goes there by `animation`.
    public func animation(_ animation: Animation?) -> some View { fiberModifier(AlwaysAnimated(animation: animation)) }
    /// Changes the transaction with which everything below is updated, before the views below see it.
    public func transaction(_ transform: @escaping (inout Transaction) -> Void) -> some View {
        fiberModifier(TransactionChange(change: transform))
    }
    /// How this view comes and goes when that is animated; without one it fades.
    public func transition(_ t: AnyTransition) -> some View { elementModifier(TraitModifier(value: t)) }
}
