import Foundation
@_spi(Graph) import ViewGraph

/// Something done with pointer or finger. SwiftUI's protocol.
///
/// A gesture of one's own consists of others: its `body`.
@MainActor @preconcurrency
public protocol Gesture<Value> {
    /// The type of what the gesture tells while it goes on and when it is done.
    associatedtype Value
    /// The type of the gesture that this one is made of.
    associatedtype Body: Gesture
    /// The gesture that this one is made of, for a type of one's own; the types here have none.
    var body: Body { get }
    /// Not for apps: what recognises it, telling what it has recognised.
    func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer]
}

extension Gesture where Body.Value == Value {
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        body._recognizers(memory, events)
    }
}

extension Gesture where Body == Never {
    public var body: Never { preconditionFailure("\(Self.self) has no body; it is a primitive gesture") }
}

extension Never: Gesture {
    /// Nothing can be told: there is no such gesture.
    public typealias Value = Never
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Never>) -> [_Recognizer] {
        switch self {}
    }
}

/// Not for apps: what gestures remember from one value of their view to the next, each at its place.
@MainActor
public final class _GestureMemory {
    private var slots: [AnyObject] = []
    private var next = 0
    init() {}

    /// The gestures are gone through from the first again.
    func rewind() { next = 0 }

    func slot<Slot: AnyObject>(_ make: () -> Slot) -> Slot {
        defer { next += 1 }
        if next < slots.count {
            if let kept = slots[next] as? Slot { return kept }
            // Another gesture stands here now, and who knows what after it.
            slots.removeSubrange(next...)
        }
        let fresh = make()
        slots.append(fresh)
        return fresh
    }
}

/// Not for apps: whom a gesture tells.
@MainActor
public struct _GestureEvents<Value> {
    var changed: @MainActor (Value) -> Void = { _ in }
    var ended: @MainActor (Value) -> Void = { _ in }
    /// It came to nothing, or was taken away.
    var cancelled: @MainActor () -> Void = {}
}

/// Not for apps: one recogniser and what it tells.
@MainActor
public final class _Recognizer {
    enum Kind: Equatable {
        case tap(count: Int, space: CoordinateSpace)
        case longPress(seconds: Double, distance: CGFloat)
        case drag(distance: CGFloat, space: CoordinateSpace)
        /// - Parameter least: how far from 1.
        case magnify(least: CGFloat)
        /// - Parameter least: radians.
        case rotate(least: Double)
    }
    let kind: Kind
    /// Beside those of other views.
    var isSimultaneous = false
    /// Before those of the views below.
    var isFirst = false
    /// Those that may be recognised in the same turn.
    var partners: Set<ObjectIdentifier> = []
    /// What must come first has come.
    var isOpen: () -> Bool = { true }
    /// A tap's or a press' place.
    var onPoint: ((CGPoint) -> Void)?
    /// A long press begins (true) and is over (false).
    var onPressing: ((Bool) -> Void)?
    var onDrag: ((DragGesture.Value, _ isOver: Bool) -> Void)?
    var onMagnify: ((MagnifyGesture.Value, _ isOver: Bool) -> Void)?
    var onRotate: ((RotateGesture.Value, _ isOver: Bool) -> Void)?
    /// It came to nothing, or was taken away.
    var onCancel: (() -> Void)?
    init(_ kind: Kind) { self.kind = kind }
}

/// Which gestures a view with a gesture takes. SwiftUI's type.
public struct GestureMask: OptionSet, Sendable {
    /// One bit a group of gestures: 1 is `gesture`, 2 is `subviews`.
    public let rawValue: UInt32
    /// Makes a set of raw bits; bits other than 1 and 2 mean nothing.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Neither the one that is added nor those of the views below.
    public static let none: GestureMask = []
    /// The one that is added.
    public static let gesture = GestureMask(rawValue: 1)
    /// Those of the views below. (Their controls answer all the same.)
    public static let subviews = GestureMask(rawValue: 2)
    /// The one that is added and those of the views below.
    public static let all: GestureMask = [.gesture, .subviews]
}

extension View {
    private func recognizing<G: Gesture>(
        _ gesture: G, _ mask: GestureMask, _ change: @escaping @MainActor (_Recognizer) -> Void = { _ in }
    ) -> some View {
        elementModifier(
            GestureModifier(allowsBelow: mask.contains(.subviews)) { memory in
                guard mask.contains(.gesture) else { return [] }
                let all = gesture._recognizers(memory, _GestureEvents())
                all.forEach(change)
                return all
            })
    }

    /// Recognises `gesture` on this view, after the gestures of the views below: what one of them has recognised this
    /// one does not.
    public func gesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View {
        recognizing(gesture, mask)
    }
    /// - Parameter isEnabled: false: it is not recognised.
    public func gesture<T: Gesture>(_ gesture: T, isEnabled: Bool) -> some View {
        recognizing(gesture, isEnabled ? .all : .subviews)
    }
    /// Recognised beside those of the views below.
    public func simultaneousGesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View {
        recognizing(gesture, mask) { $0.isSimultaneous = true }
    }
    /// Recognised beside those of the views below.
    /// - Parameter isEnabled: false: it is not recognised.
    public func simultaneousGesture<T: Gesture>(_ gesture: T, isEnabled: Bool) -> some View {
        simultaneousGesture(gesture, including: isEnabled ? .all : .subviews)
    }
    /// Recognised before those of the views below. (Controls below come first all the same: GTK asks them first.)
    public func highPriorityGesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View {
        recognizing(gesture, mask) { $0.isFirst = true }
    }
    /// Recognised before those of the views below.
    /// - Parameter isEnabled: false: it is not recognised.
    public func highPriorityGesture<T: Gesture>(_ gesture: T, isEnabled: Bool) -> some View {
        highPriorityGesture(gesture, including: isEnabled ? .all : .subviews)
    }

    /// - Parameter count: clicks in a row, at least 1.
    public func onTapGesture(count: Int = 1, perform action: @escaping @MainActor () -> Void) -> some View {
        gesture(TapGesture(count: count).onEnded { action() })
    }
    /// Tells where, in this view's space unless said otherwise.
    public func onTapGesture(
        count: Int = 1, coordinateSpace: CoordinateSpace = .local,
        perform action: @escaping @MainActor (CGPoint) -> Void
    ) -> some View {
        gesture(SpatialTapGesture(count: count, coordinateSpace: coordinateSpace).onEnded { action($0.location) })
    }
    /// Called when this view has been held down for a while.
    /// - Parameters: `minimumDuration` in seconds, of which GTK takes 0.25…1; `maximumDistance` in points that it may
    ///   move meanwhile, for which GTK's own threshold of a drag holds; `onPressingChanged` is told true when it begins
    ///   and false when it is over.
    public func onLongPressGesture(
        minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10, perform action: @escaping @MainActor () -> Void,
        onPressingChanged: (@MainActor (Bool) -> Void)? = nil
    ) -> some View {
        elementModifier(
            GestureModifier(allowsBelow: true) { _ in
                let one = _Recognizer(.longPress(seconds: max(0, minimumDuration), distance: maximumDistance))
                one.onPoint = { _ in action() }
                one.onPressing = onPressingChanged
                return [one]
            })
    }
    /// Called when the pointer comes over this view, and when it goes.
    public func onHover(perform action: @escaping @MainActor (Bool) -> Void) -> some View {
        elementModifier(HoverModifier(action: action))
    }
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
    override func contains(_ point: CGPoint) -> Bool {
        path?(bounds).contains(point) ?? false
    }
}

struct HitTesting: ElementModifier {
    let isEnabled: Bool
    func makeElement() -> HitTestingElement { HitTestingElement() }
    func update(_ element: HitTestingElement, _ fiber: _Fiber) { element.isEnabled = isEnabled }
}
final class HitTestingElement: WrapperElement {
    /// Widgets in it hear of it: GTK asks them, not us.
    var isEnabled = true { didSet { if isEnabled != oldValue { pointerChanged() } } }
    override var letsPointerThrough: Bool { !isEnabled }
}
