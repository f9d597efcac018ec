import Zoetrope

/// The gestures of fingers and the pointer on the video, which are reported to observers.
///
/// ```swift
/// subscription = context.gesture.observe(.doubleTap(.right)) { [weak context] _ in
///     guard let context else { return }
///     PlaybackControl(context.render.player).seek(by: 10)
/// }
/// ```
public class GestureService: Service {
    /// A gesture that is recognized.
    public enum Gesture: Equatable, Sendable {
        /// A half of the container.
        public enum Location: Equatable, Sendable {
            /// Both halves; the left half; the right half.
            case all, left, right
            /// Returns whether two locations match. `.all` matches every location.
            ///
            /// This is not an equivalence relation. Use it only to select events.
            public static func == (a: Location, b: Location) -> Bool {
                switch (a, b) {
                case (.left, .right), (.right, .left): false
                default: true
                }
            }
        }
        /// The direction of a drag, which is determined when the drag begins and does not change.
        public enum Direction: Equatable, Sendable {
            /// A drag that moves more horizontally than vertically.
            case horizontal
            /// A vertical drag that began in a half of the container.
            case vertical(Location)
        }
        /// A tap in a half of the container.
        case tap(Location)
        /// A double tap in a half of the container.
        case doubleTap(Location)
        /// A drag in a direction.
        case drag(Direction)
        /// A long press; a rotation or a pinch with two fingers; the pointer over the container. They have no half.
        case longPress, rotate, pinch, hover
    }

    /// An event of a gesture.
    public struct GestureEvent {
        /// The phase of a gesture.
        public enum Action {
            /// The gesture is in progress. Sent with each change of a drag, a pinch or a rotation, and when the pointer
            /// enters.
            case start
            /// The gesture has ended, or the pointer has left. A tap, a double tap and a long press send only this
            /// phase.
            case end
        }
        /// The value of a gesture. Positions are in the container, in points.
        public enum Value {
            /// The position of the tap.
            case tap(CGPoint)
            /// The position of the double tap.
            case doubleTap(CGPoint)
            /// The start and the current position of the drag.
            case drag(DragGesture.Value)
            /// A long press, without a value.
            case longPress
            /// The angle of the rotation.
            case rotate(RotationGesture.Value)
            /// The magnification; 1 at the start.
            case pinch(MagnificationGesture.Value)
            /// The pointer, without a value.
            case hover
        }
        /// The gesture.
        public let gesture: Gesture
        /// The phase of the gesture.
        public let action: Action
        /// The value of the gesture.
        public let value: Value
    }

    /// Whether the gesture layer is on. Default: true.
    @Published public private(set) var enabled = true

    /// The app's own drag over the whole container, which is recognized together with the built-in one. Default: nil,
    /// as for the app's other gestures.
    @Published public var simultaneousDragGesture: _EndedGesture<_ChangedGesture<DragGesture>>?
    /// The app's own tap, which is recognized together with the built-in one.
    @Published public var simultaneousTapGesture: _EndedGesture<SpatialTapGesture>?
    /// The app's own double tap, which is recognized together with the built-in one.
    @Published public var simultaneousDoubleTapGesture: _EndedGesture<SpatialTapGesture>?
    /// The app's own long press, which is recognized together with the built-in one.
    @Published public var simultaneousLongPressGesture: _EndedGesture<LongPressGesture>?
    /// The app's own pinch, which is recognized together with the built-in one.
    @Published public var simultaneousPinchGesture: _EndedGesture<_ChangedGesture<MagnificationGesture>>?
    /// The app's own rotation, which is recognized together with the built-in one.
    @Published public var simultaneousRotationGesture: _EndedGesture<_ChangedGesture<RotationGesture>>?

    private let observers = GestureObservers()
    /// The drag in progress: its start, its direction and its last value.
    private var drag: (start: CGPoint, direction: Gesture.Direction, last: DragGesture.Value)?

    /// Turns the gesture layer on or off, including the app's own gestures. `.hover` is reported in either case.
    public func configure(_ onOrOff: Bool) { enabled = onOrOff }

    /// Observes a gesture until the returned object is canceled or released.
    ///
    /// ```swift
    /// subscription = context.gesture.observe(.pinch) { [weak context] event in
    ///     guard event.action == .end, case .pinch(let scale) = event.value else { return }
    ///     context?.render.layer.videoGravity = scale > 1 ? .resizeAspectFill : .resizeAspect
    /// }
    /// ```
    /// - Parameters:
    ///   - gesture: The gesture. Its half can be `.left`, `.right`, or `.all` for both.
    ///   - handler: Called on the main actor with each event of the gesture. Handlers are called in the order in which
    ///     they were added.
    /// - Returns: An object that ends the observation when it is canceled or released.
    public func observe(_ gesture: Gesture, handler: @escaping (GestureEvent) -> Void) -> AnyCancellable {
        let number = observers.add(gesture) { handler($0) }
        // The object may be released on any thread.
        return AnyCancellable { @Sendable [weak observers] in observers?.remove(number) }
    }

    /// Returns whether the gesture has an observer.
    func isObserved(_ gesture: Gesture) -> Bool { observers.numbers.contains { observers[$0]?.gesture == gesture } }

    private func send(_ gesture: Gesture, _ action: GestureEvent.Action, _ value: GestureEvent.Value) {
        let event = GestureEvent(gesture: gesture, action: action, value: value)
        // Observers are called in the order in which they were added. A handler may add observers, or remove any of
        // them.
        for number in observers.numbers {
            guard let observer = observers[number], event.gesture == observer.gesture else { continue }
            observer.handler(event)
        }
    }

    // MARK: The built-in gestures, for widgets that cover the video and pass their gestures on:
    // `.simultaneousGesture(context.gesture.tapGesture)`.

    /// A gesture that handles a tap on a widget as a tap on the video.
    public private(set) lazy var tapGesture: some Zoetrope.Gesture = SpatialTapGesture(coordinateSpace: .containerSpace)
        .onEnded { [weak self] in
            self?.tap(at: $0.location)
        }
    /// A gesture that handles a double tap on a widget as one on the video.
    public private(set) lazy var doubleTapGesture: some Zoetrope.Gesture =
        SpatialTapGesture(count: 2, coordinateSpace: .containerSpace).onEnded { [weak self] in
            self?.doubleTap(at: $0.location)
        }
    /// A gesture that handles a long press on a widget as one on the video.
    public private(set) lazy var longPressGesture: some Zoetrope.Gesture = LongPressGesture().onEnded { [weak self] _ in
        self?.longPress()
    }
    /// A gesture that handles a drag on a widget as one on the video.
    public private(set) lazy var dragGesture: some Zoetrope.Gesture = DragGesture(coordinateSpace: .containerSpace)
        .onChanged { [weak self] in self?.dragChanged($0) }.onEnded { [weak self] in self?.dragEnded($0) }
    /// A gesture that handles a pinch on a widget as one on the video.
    public private(set) lazy var pinchGesture: some Zoetrope.Gesture = MagnificationGesture()
        .onChanged { [weak self] in self?.pinch(.start, $0) }.onEnded { [weak self] in self?.pinch(.end, $0) }
    /// A gesture that handles a rotation on a widget as one on the video.
    public private(set) lazy var rotationGesture: some Zoetrope.Gesture = RotationGesture()
        .onChanged { [weak self] in self?.rotate(.start, $0) }.onEnded { [weak self] in self?.rotate(.end, $0) }

    // MARK: Events of the layer

    func tap(at point: CGPoint) { send(.tap(half(point)), .end, .tap(point)) }
    func doubleTap(at point: CGPoint) {
        let gesture = Gesture.doubleTap(half(point))
        // This is checked before the event is sent, because a handler may remove its observer.
        let hasHandler = simultaneousDoubleTapGesture != nil || isObserved(gesture)
        send(gesture, .end, .doubleTap(point))
        if !hasHandler { context?.own(WindowService.self).doubleTapped() }
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
    /// Ends a drag that the system or another gesture has canceled, so that observers always receive the end.
    func dragStopped() {
        guard let drag else { return }
        dragEnded(drag.last)
    }

    /// Returns the direction of a drag, which its first change determines.
    private func direction(of value: DragGesture.Value) -> Gesture.Direction {
        if let drag, drag.start == value.startLocation { return drag.direction }
        let (dx, dy) = (abs(value.translation.width), abs(value.translation.height))
        return dx > dy ? .horizontal : .vertical(half(value.startLocation))
    }

    private func half(_ point: CGPoint) -> Gesture.Location {
        point.x < (context?.own(ViewSizeService.self).width ?? 0) / 2 ? .left : .right
    }
}
