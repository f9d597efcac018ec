import Foundation
@_spi(Graph) import ViewGraph

/// An action with a pointer or finger that a view recognizes. Modeled on SwiftUI's protocol.
///
/// An app's own gesture returns a combination of other gestures as its `body`.
@MainActor @preconcurrency
public protocol Gesture<Value> {
    /// The type of the value that the gesture reports while it continues and when it ends.
    associatedtype Value
    /// The type of the gesture that this one consists of.
    associatedtype Body: Gesture
    /// The gesture that this one consists of. Primitive gestures have no body.
    var body: Body { get }
    /// Returns the recognizers of the gesture, which report to `events`. Not for apps.
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
    /// The value of a gesture that can't exist.
    public typealias Value = Never
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Never>) -> [_Recognizer] {
        switch self {}
    }
}

/// The storage in which gestures keep their state when the view is evaluated again. Each gesture has a slot. Not for
/// apps.
@MainActor
public final class _GestureMemory {
    private var slots: [AnyObject] = []
    private var next = 0
    init() {}

    /// Starts again at the first slot, before the gestures are evaluated.
    func rewind() { next = 0 }

    func slot<Slot: AnyObject>(_ make: () -> Slot) -> Slot {
        defer { next += 1 }
        if next < slots.count {
            if let kept = slots[next] as? Slot { return kept }
            // A different gesture has this slot now, so the slots after it may belong to other gestures too.
            slots.removeSubrange(next...)
        }
        let newSlot = make()
        slots.append(newSlot)
        return newSlot
    }
}

/// The closures that a gesture calls. Not for apps.
@MainActor
public struct _GestureEvents<Value> {
    var changed: @MainActor (Value) -> Void = { _ in }
    var ended: @MainActor (Value) -> Void = { _ in }
    /// Called when the gesture failed or was interrupted.
    var cancelled: @MainActor () -> Void = {}
}

/// A recognizer and the closures that it calls. Not for apps.
@MainActor
public final class _Recognizer {
    enum Kind: Equatable {
        case tap(count: Int, space: CoordinateSpace)
        case longPress(seconds: Double, distance: CGFloat)
        case drag(distance: CGFloat, space: CoordinateSpace)
        /// A magnification that differs from 1 by at least `least`.
        case magnify(least: CGFloat)
        /// A rotation by at least `least` radians in either direction.
        case rotate(least: Double)

        /// Whether a gesture of this kind continues as one of the kind `other`. A movement does so with any parameters,
        /// because they are read at each event.
        func isSameGesture(as other: Kind) -> Bool {
            switch (self, other) {
            case (.drag, .drag), (.magnify, .magnify), (.rotate, .rotate): true
            default: self == other
            }
        }
    }
    let kind: Kind
    /// Whether the recognizer can succeed together with recognizers of other views.
    var isSimultaneous = false
    /// Whether the recognizer has precedence over the recognizers of the views inside.
    var isFirst = false
    /// The recognizers that can succeed during the same press as this one.
    var partners: Set<ObjectIdentifier> = []
    /// Returns whether the recognizer can succeed now. False while a preceding gesture of a sequence has not ended.
    var isOpen: () -> Bool = { true }
    /// Called with the position of a tap or a long press.
    var onPoint: ((CGPoint) -> Void)?
    /// Called with true when a long press begins, and with false when it ends.
    var onPressing: ((Bool) -> Void)?
    var onDrag: ((DragGesture.Value, _ isOver: Bool) -> Void)?
    var onMagnify: ((MagnifyGesture.Value, _ isOver: Bool) -> Void)?
    var onRotate: ((RotateGesture.Value, _ isOver: Bool) -> Void)?
    /// Called when the gesture failed or was interrupted.
    var onCancel: (() -> Void)?
    init(_ kind: Kind) { self.kind = kind }
}

/// A set of gestures that a view with an added gesture recognizes. Modeled on SwiftUI's type.
public struct GestureMask: OptionSet, Sendable {
    /// The bit mask of gestures: 1 is `gesture`, 2 is `subviews`.
    public let rawValue: UInt32
    /// Creates a set from a bit mask. Bits other than 1 and 2 have no effect.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Neither the added gesture nor the gestures of the views inside.
    public static let none: GestureMask = []
    /// The added gesture.
    public static let gesture = GestureMask(rawValue: 1)
    /// The gestures of the views inside. Controls inside always work.
    public static let subviews = GestureMask(rawValue: 2)
    /// The added gesture and the gestures of the views inside.
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

    /// Adds a gesture to this view, with lower precedence than the gestures of the views inside.
    ///
    /// ```swift
    /// @State private var offset = CGSize.zero
    ///
    /// var body: some View {
    ///     Text("Drag me")
    ///         .offset(offset)
    ///         .gesture(DragGesture().onChanged { offset = $0.translation })
    /// }
    /// ```
    /// If a gesture of a view inside is recognized, `gesture` is not recognized.
    /// - Parameters:
    ///   - gesture: The gesture.
    ///   - mask: The gestures that are recognized.
    public func gesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View {
        recognizing(gesture, mask)
    }
    /// Adds a gesture to this view, with lower precedence than the gestures of the views inside.
    /// - Parameters:
    ///   - gesture: The gesture.
    ///   - isEnabled: Whether the gesture is recognized.
    public func gesture<T: Gesture>(_ gesture: T, isEnabled: Bool) -> some View {
        recognizing(gesture, isEnabled ? .all : .subviews)
    }
    /// Adds a gesture to this view that can be recognized together with the gestures of the views inside.
    /// - Parameters:
    ///   - gesture: The gesture.
    ///   - mask: The gestures that are recognized.
    public func simultaneousGesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View {
        recognizing(gesture, mask) { $0.isSimultaneous = true }
    }
    /// Adds a gesture to this view that can be recognized together with the gestures of the views inside.
    /// - Parameters:
    ///   - gesture: The gesture.
    ///   - isEnabled: Whether the gesture is recognized.
    public func simultaneousGesture<T: Gesture>(_ gesture: T, isEnabled: Bool) -> some View {
        simultaneousGesture(gesture, including: isEnabled ? .all : .subviews)
    }
    /// Adds a gesture to this view, with higher precedence than the gestures of the views inside.
    ///
    /// Controls inside still have precedence, because GTK delivers events to them first.
    /// - Parameters:
    ///   - gesture: The gesture.
    ///   - mask: The gestures that are recognized.
    public func highPriorityGesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View {
        recognizing(gesture, mask) { $0.isFirst = true }
    }
    /// Adds a gesture to this view, with higher precedence than the gestures of the views inside.
    /// - Parameters:
    ///   - gesture: The gesture.
    ///   - isEnabled: Whether the gesture is recognized.
    public func highPriorityGesture<T: Gesture>(_ gesture: T, isEnabled: Bool) -> some View {
        highPriorityGesture(gesture, including: isEnabled ? .all : .subviews)
    }

    /// Calls `action` when this view is tapped or clicked.
    ///
    /// ```swift
    /// ExtVideoPlayer(fileName: "film.mp4", command: $command)
    ///     .onTapGesture { command = command == .play ? .pause : .play }
    /// ```
    /// - Parameters:
    ///   - count: The number of taps in a row, at least 1.
    ///   - action: The closure to call. Runs on the main actor.
    public func onTapGesture(count: Int = 1, perform action: @escaping @MainActor () -> Void) -> some View {
        gesture(TapGesture(count: count).onEnded { action() })
    }
    /// Calls `action` with the position when this view is tapped or clicked.
    /// - Parameters:
    ///   - count: The number of taps in a row, at least 1.
    ///   - coordinateSpace: The space of the reported position.
    ///   - action: The closure to call, with the position in points. Runs on the main actor.
    public func onTapGesture(
        count: Int = 1, coordinateSpace: some CoordinateSpaceProtocol = .local,
        perform action: @escaping @MainActor (CGPoint) -> Void
    ) -> some View {
        onTapGesture(count: count, coordinateSpace: coordinateSpace.coordinateSpace, perform: action)
    }
    /// Calls `action` with the position when this view is tapped or clicked. This is an older form, with a
    /// `CoordinateSpace`.
    @_disfavoredOverload public func onTapGesture(
        count: Int = 1, coordinateSpace: CoordinateSpace, perform action: @escaping @MainActor (CGPoint) -> Void
    ) -> some View {
        gesture(SpatialTapGesture(count: count, coordinateSpace: coordinateSpace).onEnded { action($0.location) })
    }
    /// Calls `action` when this view has been pressed for a minimum duration.
    ///
    /// ```swift
    /// Text(title)
    ///     .onLongPressGesture { showsDetails = true }
    /// ```
    /// - Parameters:
    ///   - minimumDuration: The duration in seconds. GTK limits it to 0.25…1 s.
    ///   - maximumDistance: Has no effect. GTK's own drag threshold limits the movement.
    ///   - action: The closure to call. Runs on the main actor.
    ///   - onPressingChanged: Called with true when a press begins, and with false when it ends. Runs on the main
    ///     actor.
    public func onLongPressGesture(
        minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10, perform action: @escaping @MainActor () -> Void,
        onPressingChanged: (@MainActor (Bool) -> Void)? = nil
    ) -> some View {
        elementModifier(
            GestureModifier(allowsBelow: true) { _ in
                let recognizer = _Recognizer(.longPress(seconds: max(0, minimumDuration), distance: maximumDistance))
                recognizer.onPoint = { _ in action() }
                recognizer.onPressing = onPressingChanged
                return [recognizer]
            })
    }
    /// Calls `action` with true when the pointer enters this view, and with false when the pointer leaves.
    ///
    /// ```swift
    /// Image(systemName: "play.fill")
    ///     .foregroundStyle(isHovered ? .primary : .secondary)
    ///     .onHover { isHovered = $0 }
    /// ```
    /// If the view is removed while the pointer is over it, `action` is called with false.
    /// - Parameter action: The closure to call. Runs on the main actor.
    public func onHover(perform action: @escaping @MainActor (Bool) -> Void) -> some View {
        elementModifier(HoverModifier(action: action))
    }
    /// Sets the shape of this view that receives input, in place of the parts that the view draws.
    public func contentShape<S: Shape>(_ shape: S) -> some View { elementModifier(ContentShape(shape: shape)) }
    /// Sets whether this view receives input. With false, input reaches the views behind.
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
    /// Whether the content receives input. GTK delivers events to widgets in the content, so a change notifies them.
    var isEnabled = true { didSet { if isEnabled != oldValue { pointerChanged() } } }
    override var letsPointerThrough: Bool { !isEnabled }
}
