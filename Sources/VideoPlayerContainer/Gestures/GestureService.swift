import Zoetrope

/// What fingers and the pointer do on the picture, as events for whoever observes them.
public class GestureService: Service {
    /// What is recognised.
    public enum Gesture: Equatable, Sendable {
        /// Which half of the container.
        public enum Location: Equatable, Sendable {
            /// Both halves, or one of them.
            case all, left, right
            /// `.all` is equal to everything; so this is no equivalence, and only for telling which events are meant.
            public static func == (a: Location, b: Location) -> Bool {
                switch (a, b) {
                case (.left, .right), (.right, .left): false
                default: true
                }
            }
        }
        /// Which way a drag goes, decided when it begins and kept.
        public enum Direction: Equatable, Sendable {
            /// More to a side than up or down.
            case horizontal
            /// By the half in which it began.
            case vertical(Location)
        }
        /// Pressed and let go.
        case tap(Location)
        /// Twice in a row.
        case doubleTap(Location)
        /// Pressed and moved.
        case drag(Direction)
        /// Held; turned or spread with two fingers; the pointer over the container. Of these no half is told.
        case longPress, rotate, pinch, hover
    }

    /// One change of a gesture.
    public struct GestureEvent {
        /// How far the gesture is.
        public enum Action {
            /// It goes on: each change of a drag, a pinch or a rotation; the pointer has come.
            case start
            /// It has been done; the pointer has gone.
            case end
        }
        /// What was recognised, with where it is.
        public enum Value {
            /// Where, in the container, points.
            case tap(CGPoint)
            /// Where, in the container, points.
            case doubleTap(CGPoint)
            /// Where it began and is now, in the container, points.
            case drag(DragGesture.Value)
            /// It was held.
            case longPress
            /// By how much it is turned.
            case rotate(RotationGesture.Value)
            /// By how much it is spread; 1 is as at the beginning.
            case pinch(MagnificationGesture.Value)
            /// The pointer has come or gone.
            case hover
        }
        /// Which gesture.
        public let gesture: Gesture
        /// Whether it goes on or has been done.
        public let action: Action
        /// What came with it.
        public let value: Value
    }

    /// Whether the container's own gestures are recognised. Default: true.
    @Published public private(set) var enabled = true

    /// An app's own gesture over the whole container, recognised beside the built-in one of its kind.
    @Published public var simultaneousDragGesture: _EndedGesture<_ChangedGesture<DragGesture>>?
    /// An app's own tap, beside the built-in one.
    @Published public var simultaneousTapGesture: _EndedGesture<SpatialTapGesture>?
    /// An app's own double tap, beside the built-in one.
    @Published public var simultaneousDoubleTapGesture: _EndedGesture<SpatialTapGesture>?
    /// An app's own long press, beside the built-in one.
    @Published public var simultaneousLongPressGesture: _EndedGesture<LongPressGesture>?
    /// An app's own pinch, beside the built-in one.
    @Published public var simultaneousPinchGesture: _EndedGesture<_ChangedGesture<MagnificationGesture>>?
    /// An app's own rotation, beside the built-in one.
    @Published public var simultaneousRotationGesture: _EndedGesture<_ChangedGesture<RotationGesture>>?

    private let observers = GestureObservers()
    /// The drag under way: where it began, which way it goes, and what was told last.
    private var drag: (start: CGPoint, direction: Gesture.Direction, last: DragGesture.Value)?

    /// The whole built-in gesture layer on or off, the app's own gestures with it.
    public func configure(_ onOrOff: Bool) { enabled = onOrOff }

    /// Calls the handler for events of a gesture until what is returned is cancelled or let go. `.left` and `.right`
    /// are halves of the container, `.all` is both.
    public func observe(_ gesture: Gesture, handler: @escaping (GestureEvent) -> Void) -> AnyCancellable {
        let number = observers.add(gesture) { handler($0) }
        // Whoever holds it may let it go anywhere.
        return AnyCancellable { @Sendable [weak observers] in observers?.remove(number) }
    }

    /// Whether anybody observes such a gesture.
    func isObserved(_ gesture: Gesture) -> Bool { observers.numbers.contains { observers[$0]?.gesture == gesture } }

    private func send(_ gesture: Gesture, _ action: GestureEvent.Action, _ value: GestureEvent.Value) {
        let event = GestureEvent(gesture: gesture, action: action, value: value)
        // In the order they came; a handler may add or remove some, or one that is still to come.
        for number in observers.numbers {
            guard let observer = observers[number], event.gesture == observer.gesture else { continue }
            observer.handler(event)
        }
    }

    // MARK: The built-in ones, for widgets that cover the picture and want to pass on what they take:
    // `.simultaneousGesture(context.gesture.tapGesture)`.

    /// A tap on what has it is a tap on the picture.
    public private(set) lazy var tapGesture: some Zoetrope.Gesture = SpatialTapGesture(coordinateSpace: .containerSpace)
        .onEnded { [weak self] in
            self?.tap(at: $0.location)
        }
    /// A double tap on what has it is one on the picture.
    public private(set) lazy var doubleTapGesture: some Zoetrope.Gesture =
        SpatialTapGesture(count: 2, coordinateSpace: .containerSpace).onEnded { [weak self] in
            self?.doubleTap(at: $0.location)
        }
    /// A long press on what has it is one on the picture.
    public private(set) lazy var longPressGesture: some Zoetrope.Gesture = LongPressGesture().onEnded { [weak self] _ in
        self?.longPress()
    }
    /// A drag on what has it is one over the picture.
    public private(set) lazy var dragGesture: some Zoetrope.Gesture = DragGesture(coordinateSpace: .containerSpace)
        .onChanged { [weak self] in self?.dragChanged($0) }.onEnded { [weak self] in self?.dragEnded($0) }
    /// A pinch on what has it is one over the picture.
    public private(set) lazy var pinchGesture: some Zoetrope.Gesture = MagnificationGesture()
        .onChanged { [weak self] in self?.pinch(.start, $0) }.onEnded { [weak self] in self?.pinch(.end, $0) }
    /// A rotation on what has it is one over the picture.
    public private(set) lazy var rotationGesture: some Zoetrope.Gesture = RotationGesture()
        .onChanged { [weak self] in self?.rotate(.start, $0) }.onEnded { [weak self] in self?.rotate(.end, $0) }

    // MARK: What the layer tells

    func tap(at point: CGPoint) { send(.tap(half(point)), .end, .tap(point)) }
    func doubleTap(at point: CGPoint) {
        let gesture = Gesture.doubleTap(half(point))
        // Asked before: who observes it may go with it.
        let isTaken = simultaneousDoubleTapGesture != nil || isObserved(gesture)
        send(gesture, .end, .doubleTap(point))
        if !isTaken { context?.own(WindowService.self).doubleTapped() }
    }
    func longPress() { send(.longPress, .end, .longPress) }
    func hover(_ isInside: Bool) { send(.hover, isInside ? .start : .end, .hover) }
    func pinch(_ action: GestureEvent.Action, _ value: CGFloat) { send(.pinch, action, .pinch(value)) }
    func rotate(_ action: GestureEvent.Action, _ value: Angle) { send(.rotate, action, .rotate(value)) }

    func dragChanged(_ value: DragGesture.Value) {
        let direction = direction(of: value)
        drag = (value.startLocation, direction, value)
        send(.drag(direction), .start, .drag(value))
    }
    func dragEnded(_ value: DragGesture.Value) {
        let direction = direction(of: value)
        drag = nil
        send(.drag(direction), .end, .drag(value))
    }
    /// The drag was taken away (by the system, another gesture): whoever follows it must not be left in the middle.
    func dragStopped() {
        guard let drag else { return }
        dragEnded(drag.last)
    }

    /// Decided at the first change, and kept.
    private func direction(of value: DragGesture.Value) -> Gesture.Direction {
        if let drag, drag.start == value.startLocation { return drag.direction }
        let (dx, dy) = (abs(value.translation.width), abs(value.translation.height))
        return dx > dy ? .horizontal : .vertical(half(value.startLocation))
    }

    private func half(_ point: CGPoint) -> Gesture.Location {
        point.x < (context?.own(ViewSizeService.self).width ?? 0) / 2 ? .left : .right
    }
}
