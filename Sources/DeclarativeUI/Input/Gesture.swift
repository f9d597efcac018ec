import CGTK
import Foundation

/// Something done with pointer or finger. SwiftUI's protocol.
@MainActor @preconcurrency
public protocol Gesture<Value> {
    associatedtype Value
    /// Not for apps: what recognises it, telling what it has recognised.
    func _recognizers(changed: (@MainActor (Value) -> Void)?, ended: (@MainActor (Value) -> Void)?) -> [_Recognizer]
}

/// Not for apps: one recogniser and what it tells.
@MainActor
public final class _Recognizer {
    enum Kind: Equatable {
        case tap(count: Int)
        case longPress(seconds: Double, distance: CGFloat)
        case drag(distance: CGFloat, space: CoordinateSpace)
        case magnify
    }
    let kind: Kind
    var isSimultaneous = false
    /// A tap's or a press' place.
    var onPoint: ((CGPoint) -> Void)?
    /// A long press begins (true) and ends before its time (false).
    var onPressing: ((Bool) -> Void)?
    var onDrag: ((DragGesture.Value, _ isOver: Bool) -> Void)?
    var onMagnify: ((CGFloat, _ isOver: Bool) -> Void)?
    var onCancel: (() -> Void)?
    init(_ kind: Kind) { self.kind = kind }
}

extension Gesture {
    /// Called whenever the gesture's value changes.
    public func onChanged(_ action: @escaping @MainActor (Value) -> Void) -> some Gesture<Value> { HandledGesture(base: self, changed: action, ended: nil) }
    /// Called when the gesture has been done.
    public func onEnded(_ action: @escaping @MainActor (Value) -> Void) -> some Gesture<Value> { HandledGesture(base: self, changed: nil, ended: action) }
    /// Keeps a state up to date while the gesture is done; after it the state is what it was at first.
    public func updating<State>(_ state: GestureState<State>, body: @escaping @MainActor (Value, inout State, inout Transaction) -> Void) -> some Gesture<Value> {
        UpdatingGesture(base: self, state: state, update: body)
    }
    /// Both may be recognised at once.
    public func simultaneously<Other: Gesture>(with other: Other) -> some Gesture<Value> { PairGesture(first: self, second: other) }
}

struct HandledGesture<Base: Gesture>: Gesture {
    let base: Base
    let changed: (@MainActor (Base.Value) -> Void)?
    let ended: (@MainActor (Base.Value) -> Void)?
    func _recognizers(changed outer: (@MainActor (Base.Value) -> Void)?, ended outerEnded: (@MainActor (Base.Value) -> Void)?) -> [_Recognizer] {
        base._recognizers(changed: both(changed, outer), ended: both(ended, outerEnded))
    }
    private func both(_ a: (@MainActor (Base.Value) -> Void)?, _ b: (@MainActor (Base.Value) -> Void)?) -> (@MainActor (Base.Value) -> Void)? {
        guard let a else { return b }
        guard let b else { return a }
        return { value in
            a(value)
            b(value)
        }
    }
}

struct UpdatingGesture<Base: Gesture, S>: Gesture {
    let base: Base
    let state: GestureState<S>
    let update: @MainActor (Base.Value, inout S, inout Transaction) -> Void
    func _recognizers(changed: (@MainActor (Base.Value) -> Void)?, ended: (@MainActor (Base.Value) -> Void)?) -> [_Recognizer] {
        let all = base._recognizers(changed: { value in
            var now = state.wrappedValue, transaction = Transaction()
            update(value, &now, &transaction)
            let next = now
            withTransaction(transaction) { state.set(next) }
            changed?(value)
        }, ended: { value in
            state.reset()
            ended?(value)
        })
        for one in all { one.onCancel = { state.reset() } }
        return all
    }
}

struct PairGesture<First: Gesture, Second: Gesture>: Gesture {
    let first: First
    let second: Second
    func _recognizers(changed: (@MainActor (First.Value) -> Void)?, ended: (@MainActor (First.Value) -> Void)?) -> [_Recognizer] {
        let all = first._recognizers(changed: changed, ended: ended) + second._recognizers(changed: nil, ended: nil)
        for one in all { one.isSimultaneous = true }
        return all
    }
}

/// A state that lives as long as a gesture. SwiftUI's property wrapper.
@propertyWrapper
public struct GestureState<Value>: DynamicProperty {
    let state: State<Value>
    nonisolated public init(wrappedValue: Value) { state = State(wrappedValue: wrappedValue) }
    @MainActor public var wrappedValue: Value { state.wrappedValue }
    public var projectedValue: GestureState<Value> { self }
    @MainActor func set(_ value: Value) { state.wrappedValue = value }
    @MainActor func reset() { state.wrappedValue = state.box.initial }
}

/// A click or a touch, or several in a row.
public struct TapGesture: Gesture {
    let count: Int
    /// - Parameter count: at least 1.
    nonisolated public init(count: Int = 1) { self.count = max(1, count) }
    public func _recognizers(changed: (@MainActor (()) -> Void)?, ended: (@MainActor (()) -> Void)?) -> [_Recognizer] {
        let one = _Recognizer(.tap(count: count))
        one.onPoint = { _ in ended?(()) }
        return [one]
    }
}

/// A tap that tells where.
public struct SpatialTapGesture: Gesture {
    public struct Value: Equatable, Sendable {
        /// In the view's space, points.
        public var location: CGPoint
    }
    let count: Int
    nonisolated public init(count: Int = 1) { self.count = max(1, count) }
    public func _recognizers(changed: (@MainActor (Value) -> Void)?, ended: (@MainActor (Value) -> Void)?) -> [_Recognizer] {
        let one = _Recognizer(.tap(count: count))
        one.onPoint = { ended?(Value(location: $0)) }
        return [one]
    }
}

/// Held down for a while.
public struct LongPressGesture: Gesture {
    let seconds: Double
    let distance: CGFloat
    /// - Parameters:
    ///   - minimumDuration: seconds.
    ///   - maximumDistance: points that it may move meanwhile.
    nonisolated public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        seconds = max(0, minimumDuration)
        distance = maximumDistance
    }
    public func _recognizers(changed: (@MainActor (Bool) -> Void)?, ended: (@MainActor (Bool) -> Void)?) -> [_Recognizer] {
        let one = _Recognizer(.longPress(seconds: seconds, distance: distance))
        one.onPoint = { _ in ended?(true) }
        one.onPressing = { if $0 { changed?(true) } }
        return [one]
    }
}

/// Moved while held down.
public struct DragGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var time: Date
        /// In the space the gesture asked for, points.
        public var location: CGPoint
        public var startLocation: CGPoint
        /// Points a second.
        public var velocity: CGSize
        public var translation: CGSize { CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y) }
        /// Where it would come to rest, a quarter of a second on.
        public var predictedEndLocation: CGPoint { CGPoint(x: location.x + velocity.width / 4, y: location.y + velocity.height / 4) }
        public var predictedEndTranslation: CGSize {
            CGSize(width: predictedEndLocation.x - startLocation.x, height: predictedEndLocation.y - startLocation.y)
        }
    }
    let distance: CGFloat
    nonisolated(unsafe) let space: CoordinateSpace  // immutable; what names a space is only compared
    /// - Parameter minimumDistance: points before it begins.
    nonisolated public init(minimumDistance: CGFloat = 10, coordinateSpace: CoordinateSpace = .local) {
        distance = max(0, minimumDistance)
        space = coordinateSpace
    }
    public func _recognizers(changed: (@MainActor (Value) -> Void)?, ended: (@MainActor (Value) -> Void)?) -> [_Recognizer] {
        let one = _Recognizer(.drag(distance: distance, space: space))
        one.onDrag = { value, isOver in isOver ? ended?(value) : changed?(value) }
        return [one]
    }
}

/// Two fingers apart or together; the value is the factor, 1 at the start.
public struct MagnificationGesture: Gesture {
    nonisolated public init(minimumScaleDelta: CGFloat = 0.01) {}
    public func _recognizers(changed: (@MainActor (CGFloat) -> Void)?, ended: (@MainActor (CGFloat) -> Void)?) -> [_Recognizer] {
        let one = _Recognizer(.magnify)
        one.onMagnify = { value, isOver in isOver ? ended?(value) : changed?(value) }
        return [one]
    }
}

/// The later name of `MagnificationGesture`.
public struct MagnifyGesture: Gesture {
    public struct Value: Equatable, Sendable { public var magnification: CGFloat }
    nonisolated public init(minimumScaleDelta: CGFloat = 0.01) {}
    public func _recognizers(changed: (@MainActor (Value) -> Void)?, ended: (@MainActor (Value) -> Void)?) -> [_Recognizer] {
        let one = _Recognizer(.magnify)
        one.onMagnify = { value, isOver in isOver ? ended?(Value(magnification: value)) : changed?(Value(magnification: value)) }
        return [one]
    }
}

extension View {
    /// Recognises `gesture` on this view.
    public func gesture<G: Gesture>(_ gesture: G) -> some View { elementModifier(GestureModifier(make: { gesture._recognizers(changed: nil, ended: nil) })) }
    /// Recognised beside those of the views below.
    public func simultaneousGesture<G: Gesture>(_ gesture: G) -> some View {
        elementModifier(GestureModifier(make: {
            let all = gesture._recognizers(changed: nil, ended: nil)
            for one in all { one.isSimultaneous = true }
            return all
        }))
    }
    /// - Parameter count: clicks in a row, at least 1.
    public func onTapGesture(count: Int = 1, perform action: @escaping @MainActor () -> Void) -> some View {
        gesture(TapGesture(count: count).onEnded { action() })
    }
    /// Tells where, in this view's space.
    public func onTapGesture(count: Int = 1, perform action: @escaping @MainActor (CGPoint) -> Void) -> some View {
        gesture(SpatialTapGesture(count: count).onEnded { action($0.location) })
    }
    public func onLongPressGesture(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10, perform action: @escaping @MainActor () -> Void,
        onPressingChanged: (@MainActor (Bool) -> Void)? = nil) -> some View {
        elementModifier(GestureModifier(make: {
            let one = _Recognizer(.longPress(seconds: max(0, minimumDuration), distance: maximumDistance))
            one.onPoint = { _ in action() }
            one.onPressing = onPressingChanged
            return [one]
        }))
    }
    /// Called when the pointer comes over this view, and when it goes.
    public func onHover(perform action: @escaping @MainActor (Bool) -> Void) -> some View { elementModifier(HoverModifier(action: action)) }
    /// What of this view is touched: a shape instead of what it draws.
    public func contentShape<S: Shape>(_ shape: S) -> some View { elementModifier(ContentShape(shape: shape)) }
    /// False: input goes through this view.
    public func allowsHitTesting(_ enabled: Bool) -> some View { elementModifier(HitTesting(isEnabled: enabled)) }
}

struct ContentShape<S: Shape>: ElementModifier {
    let shape: S
    func makeElement() -> ContentShapeElement { ContentShapeElement() }
    func update(_ element: ContentShapeElement, _ fiber: _Fiber) {
        let shape = shape
        element.path = { shape.path(in: $0) }
    }
}
final class ContentShapeElement: WrapperElement {
    var path: (@MainActor (CGRect) -> Path)?
    override func contains(_ point: CGPoint) -> Bool { path?(CGRect(origin: .zero, size: frame.size)).contains(point) ?? false }
}

struct HitTesting: ElementModifier {
    let isEnabled: Bool
    func makeElement() -> HitTestingElement { HitTestingElement() }
    func update(_ element: HitTestingElement, _ fiber: _Fiber) { element.isEnabled = isEnabled }
}
final class HitTestingElement: WrapperElement {
    var isEnabled = true
    override func contains(_ point: CGPoint) -> Bool { isEnabled && super.contains(point) }
}
