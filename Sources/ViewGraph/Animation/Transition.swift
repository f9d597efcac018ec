import Foundation
import MediaCore

/// The way in which a view appears and disappears. Mirrors SwiftUI's type.
///
/// ```swift
/// VStack {
///     if showsControls {
///         Controls().transition(.move(edge: .bottom).combined(with: .opacity))
///     }
/// }
/// .animation(.easeOut(duration: 0.2), value: showsControls)
/// ```
public struct AnyTransition: Sendable {
    /// The appearance of a view before its insertion animation, or after its removal animation.
    struct Change: Hashable, Sendable {
        var opacity = 1.0
        var scale: CGFloat = 1
        var anchor = UnitPoint.center
        /// The distance as a multiple of the view's size. `offset` is a distance in points.
        var shift = UnitPoint.zero
        var offset = CGSize.zero
        /// The radius of the blur, in points.
        var blur: CGFloat = 0
    }
    var insertion: Change
    var removal: Change
    var animation: Animation?

    private init(_ change: Change) { self.init(insertion: change, removal: change) }
    init(insertion: Change, removal: Change) {
        self.insertion = insertion
        self.removal = removal
    }
    /// A transition that does not change the appearance of the view.
    public static let identity = AnyTransition(Change())
    /// A transition that fades the view in and out.
    public static let opacity = AnyTransition(Change(opacity: 0))
    /// A transition that scales an inserted view up from zero size and a removed view down to it, around the center.
    public static let scale = scale(scale: 0)
    /// Returns a transition that scales the view.
    /// - Parameters:
    ///   - scale: The scale factor at the start of the insertion and at the end of the removal. Clamped to ±10,000; a
    ///     value that is not a number counts as 1.
    ///   - anchor: The fixed point of the scaling.
    public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition {
        AnyTransition(Change(scale: scale.within(10_000, else: 1), anchor: anchor.sanitized))
    }
    /// Returns a transition that moves the view in from an edge and out to the same edge.
    ///
    /// In a right-to-left layout, the leading edge is the right one. This also applies to `slide` and `push(from:)`.
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
    /// Returns a transition that moves the view in from a distance, and out by the same distance.
    /// - Parameter offset: The distance from the view's position, in points.
    public static func offset(_ offset: CGSize) -> AnyTransition {
        AnyTransition(Change(offset: CGSize(width: offset.width.bounded, height: offset.height.bounded)))
    }
    /// Returns a transition that moves the view in from a distance, and out by the same distance.
    /// - Parameters:
    ///   - x: The horizontal distance from the view's position, in points.
    ///   - y: The vertical distance from the view's position, in points.
    public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> AnyTransition { offset(CGSize(width: x, height: y)) }
    /// A transition that moves the view in from the leading edge and out to the trailing edge.
    public static let slide = asymmetric(insertion: move(edge: .leading), removal: move(edge: .trailing))
    /// Returns a transition that moves the view in from `edge` and out to the opposite edge, and fades it on the way.
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
    /// Returns a transition with separate insertion and removal.
    ///
    /// The animation is that of `insertion`.
    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition {
        var result = insertion
        result.removal = removal.removal
        return result
    }
    /// Returns a transition that applies this transition and another one at the same time.
    ///
    /// Opacities and scale factors are multiplied; distances and blurs are added. The animation is that of this
    /// transition if it has one, or else that of `other`.
    public func combined(with other: AnyTransition) -> AnyTransition {
        let both: (Change, Change) -> Change = { a, b in
            Change(
                opacity: a.opacity * b.opacity, scale: a.scale * b.scale, anchor: b.scale != 1 ? b.anchor : a.anchor,
                shift: UnitPoint(x: a.shift.x + b.shift.x, y: a.shift.y + b.shift.y),
                offset: CGSize(width: a.offset.width + b.offset.width, height: a.offset.height + b.offset.height),
                blur: a.blur + b.blur)
        }
        var result = self
        result.insertion = both(insertion, other.insertion)
        result.removal = both(removal, other.removal)
        result.animation = animation ?? other.animation
        return result
    }
    /// This transition with the left and right edges exchanged, for right-to-left layouts.
    var mirrored: AnyTransition {
        with(self) {
            $0.insertion.shift.x.negate()
            $0.removal.shift.x.negate()
        }
    }
    /// Sets the animation of the transition.
    /// - Parameter animation: The animation. If nil, the animation of the state change applies.
    public func animation(_ animation: Animation?) -> AnyTransition { with(self) { $0.animation = animation } }
}

/// The running insertion or removal of a view.
package struct Presence {
    private let change: AnyTransition.Change
    private let isLeaving: Bool
    private let animation: Animation
    private let start: Double
    private var zoom: Zoom?
    /// The amount at the beginning.
    private var first: Double

    init(transition: AnyTransition, isLeaving: Bool, animation: Animation, now: Double) {
        change = isLeaving ? transition.removal : transition.insertion
        self.isLeaving = isLeaving
        self.animation = animation
        start = now
        first = isLeaving ? 0 : 1
    }

    /// Creates a zoom, which starts where the zoom `old` is now.
    @MainActor init(_ zoom: Zoom, isLeaving: Bool, replacing old: Presence?, now: Double) {
        self.init(transition: .identity, isLeaving: isLeaving, animation: zoom.animation, now: now)
        self.zoom = zoom
        if let old, let earlier = old.zoom, earlier.slide == zoom.slide { first = old.amount(now) }
    }

    package func isRunning(_ now: Double) -> Bool { !animation.progress(at: now - start).isOver }

    /// Returns how much of the change applies: 1 for all of it.
    private func amount(_ now: Double) -> Double {
        let progress = animation.progress(at: now - start).value
        return first + ((isLeaving ? 1 : 0) - first) * progress
    }

    /// Returns the look of `element` if this is a zoom, or nil.
    @MainActor package func zoomed(_ element: Element, _ now: Double) -> ZoomedPlace? {
        guard let zoom else { return nil }
        if let slide = zoom.slide { return ZoomedPlace(element, sliding: slide, nearness: amount(now)) }
        return ZoomedPlace(element, from: zoom.source, nearness: amount(now))
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

    /// Returns the radius of the blur, in points.
    package func blur(_ now: Double) -> CGFloat { max(0, change.blur * amount(now)) }
    package func opacity(_ now: Double) -> Double { min(1, max(0, 1 + (change.opacity - 1) * amount(now))) }
}

/// The `animation(_:value:)` modifier, which animates changes of its content when `value` changes.
struct AnimationScope<Value: Equatable>: TransactionModifier {
    let animation: Animation?
    let value: Value
    @MainActor final class Storage {
        private let graph: ViewGraph
        private var value: Value
        /// The number of the update in which `value` changed; nil if it was the same in the modifier's last update.
        private var change: Int?
        /// Whether `value` changes in the current update. Views inside that the graph evaluates by itself are then
        /// animated too.
        var isChanging: Bool { change == graph.updateNumber }
        init(_ value: Value, _ graph: ViewGraph) {
            self.value = value
            self.graph = graph
        }
        func set(_ new: Value) {
            change = new != value ? graph.updateNumber : nil
            value = new
        }
    }
    func makeStorage(_ fiber: _Fiber) -> Storage { Storage(value, fiber.graph) }
    func updated(_ storage: inout Storage, _ fiber: _Fiber) {
        storage.set(value)
        // The layout that follows also moves views because of this change.
        if storage.isChanging, !fiber.graph.transaction.disablesAnimations {
            fiber.graph.layoutAnimation = Motion.honoured(animation)
        }
    }
    func transaction(_ storage: Storage, _ transaction: Transaction) -> Transaction? {
        guard storage.isChanging, !transaction.disablesAnimations else { return nil }
        return with(transaction) { $0.animation = animation }
    }
}

struct AlwaysAnimated: TransactionModifier {
    let animation: Animation?
    func makeStorage(_ fiber: _Fiber) {}
    func transaction(_ storage: Void, _ transaction: Transaction) -> Transaction? {
        transaction.disablesAnimations ? nil : with(transaction) { $0.animation = animation }
    }
}

struct TransactionChange: TransactionModifier {
    let change: (inout Transaction) -> Void
    func makeStorage(_ fiber: _Fiber) {}
    func transaction(_ storage: Void, _ transaction: Transaction) -> Transaction? { with(transaction, change) }
}

/// A modifier that animates the modifiers of a body, and whose `PlaceholderContentView` restores the transaction.
struct BodyAnimated: TransactionModifier {
    let animation: Animation?
    func makeStorage(_ fiber: _Fiber) {}
    func transaction(_ storage: Void, _ transaction: Transaction) -> Transaction? {
        with(transaction) {
            $0.outer.append(transaction)
            if !transaction.disablesAnimations { $0.animation = animation }
        }
    }
}
struct OuterTransaction: TransactionModifier {
    func makeStorage(_ fiber: _Fiber) {}
    func transaction(_ storage: Void, _ transaction: Transaction) -> Transaction? { transaction.outer.last }
}

/// The view to which the body of `animation(_:body:)` applies modifiers. Mirrors SwiftUI's type.
public struct PlaceholderContentView<Value>: View {
    let content: AnyView
    public var body: some View { content.fiberModifier(OuterTransaction()) }
}

extension View {
    /// Animates the modifiers that `body` applies to this view, but not the view itself.
    ///
    /// ```swift
    /// Image(systemName: "play.fill")
    ///     .animation(.easeOut) { $0.opacity(isActive ? 1 : 0.3) }
    /// ```
    /// If a modifier changes the layout, all views that move because of it are animated.
    /// - Parameters:
    ///   - animation: The animation. If nil, the modifiers change at once.
    ///   - body: Returns the view that it receives, with the modifiers to animate.
    public func animation<V: View>(
        _ animation: Animation?, @ViewBuilder body: (PlaceholderContentView<Self>) -> V
    ) -> some View {
        body(PlaceholderContentView(content: AnyView(self))).fiberModifier(BodyAnimated(animation: animation))
    }
    /// Animates changes of this view when `value` changes.
    /// - Parameters:
    ///   - animation: The animation. If nil, views change at once.
    ///   - value: The value to watch.
    public func animation(_ animation: Animation?, value: any Equatable) -> some View {
        fiberModifier(AnimationScope(animation: animation, value: WatchedValue(value)))
    }
    /// Animates all changes of this view with `animation`. If nil, views change at once.
    public func animation(_ animation: Animation?) -> some View { fiberModifier(AlwaysAnimated(animation: animation)) }
    /// Changes the transaction of each update of this view before the views inside it see the transaction.
    public func transaction(_ transform: @escaping (inout Transaction) -> Void) -> some View {
        fiberModifier(TransactionChange(change: transform))
    }
    /// Sets how this view appears and disappears in an animation. Without this modifier, a view fades.
    public func transition(_ t: AnyTransition) -> some View { elementModifier(TraitModifier(value: t)) }
}
