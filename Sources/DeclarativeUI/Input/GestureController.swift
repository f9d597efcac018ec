import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// A GTK gesture and the recognizer to which it reports.
@MainActor
final class GestureController {
    /// The element that declares the gesture: `element` itself or an element around it.
    private(set) weak var source: GestureElement?
    private weak var element: GestureElement?
    private weak var arena: GestureArena?
    private let index: Int
    /// The version of the source's gestures to which `index` refers.
    private let version: Int
    private let kind: _Recognizer.Kind
    private let widget: GTKWidget
    private let gesture: GTKGesture
    private let signals = Signals()
    /// The position at which a drag began: in the widget's space, in the source's space, and in the host's space.
    ///
    /// For a gesture of two fingers, `start` is the center between the fingers in the source's space.
    private var start = CGPoint.zero, startOwn = CGPoint.zero, startInHost = CGPoint.zero
    private var press = GesturePress()
    private var motion = FingerMotion()

    /// Creates the GTK gesture for one recognizer of `source`; ``add()`` attaches it to `widget`.
    /// - Parameter index: The index in the recognizers of `source`.
    init(
        _ source: GestureElement, _ index: Int, on widget: GTKWidget, of element: GestureElement,
        in arena: GestureArena
    ) {
        let recognizer = source.recognizers[index]
        let newGesture: any GTKGestureObject =
            switch recognizer.kind {
            case .tap: GTKClickGesture()
            case .longPress: GTKLongPressGesture()
            case .drag: GTKDragGesture()
            case .magnify: GTKZoomGesture()
            case .rotate: GTKRotateGesture()
            }
        self.source = source
        self.index = index
        version = source.version
        self.element = element
        self.arena = arena
        self.widget = widget
        kind = recognizer.kind
        gesture = GTKGesture(newGesture.pointer)
        if case .longPress(let seconds, _) = recognizer.kind {
            // GTK expects a factor of its default delay of half a second, between 0.5 and 2.
            (newGesture as? GTKLongPressGesture)?.setDelay(factor: seconds.isNaN ? 1 : min(2, max(0.5, seconds / 0.5)))
        }
    }

    /// The current recognizer, or nil if the source has got other gestures since this object was created.
    var recognizer: _Recognizer? {
        guard let source, source.version == version else { return nil }
        return source.recognizers[index]
    }
    var isEnabled: Bool { source.map { $0.isEnabled && !$0.isInert } ?? false }

    /// Attaches the gesture to the widget.
    func add() {
        widget.add(gesture)
        connect()
    }

    func remove() {
        signals.disconnect()
        widget.remove(gesture)
        // GTK can't report the end of the press any more. The closures may change state, which is not possible during
        // an update that removes the view or changes its gestures.
        if press.mustReportEnd { OnMain.later { self.endPress() } }
    }

    /// Groups two gestures of the widget, so that a claim or denial of a touch sequence applies to both.
    func join(_ other: GestureController) { gesture.join(other.gesture) }

    /// Claims the touch sequence: gestures of the widgets around this one no longer receive it.
    func claim() { gesture.claim() }

    // MARK: GTK's signals

    private func connect() {
        switch kind {
        case .tap:
            signals.on(gesture, "pressed") { [weak self] (count: Int32) in self?.arena?.pressed(count: Int(count)) }
            signals.on(gesture, "released") { [weak self] (count: Int32, x: Double, y: Double) in
                self?.released(Int(count), CGPoint(x: x, y: y))
            }
        case .longPress:
            signals.on(gesture, "pressed") { [weak self] (x: Double, y: Double) in
                self?.pressedLong(CGPoint(x: x, y: y))
            }
        case .drag:
            signals.on(gesture, "drag-begin") { [weak self] (x: Double, y: Double) in
                self?.dragBegan(CGPoint(x: x, y: y))
            }
            signals.on(gesture, "drag-update") { [weak self] (x: Double, y: Double) in
                self?.dragged(x, y, isOver: false)
            }
            signals.on(gesture, "drag-end") { [weak self] (x: Double, y: Double) in
                self?.dragged(x, y, isOver: true)
            }
        case .magnify:
            signals.on(gesture, "scale-changed") { [weak self] (factor: Double) in
                self?.magnified(factor, isOver: false)
            }
        case .rotate:
            signals.on(gesture, "angle-changed") { [weak self] (angle: Double) in self?.rotated(angle) }
        }
        signals.on(gesture, "begin") { [weak self] in self?.began() }
        signals.on(gesture, "end") { [weak self] in self?.ended() }
        signals.on(gesture, "cancel") { [weak self] in self?.press.cancel() }
    }

    private func began() {
        arena?.began(self)
        press.begin(isOpen: recognizer?.isOpen() == true)
        motion = FingerMotion()
        switch kind {
        case .longPress:
            guard isEnabled, press.wasOpen else { return }
            let current = recognizer
            press.notifyAtEnd(current)
            current?.onPressing?(true)
        case .drag: press.notifyAtEnd(recognizer)
        case .magnify, .rotate:
            press.notifyAtEnd(recognizer)
            if let center = gesture.center { start = sourcePoint(center) }
        case .tap: break
        }
    }

    /// Called when all fingers are lifted or the sequence is canceled. GTK reports the result of a click or drag
    /// afterward.
    private func ended() {
        arena?.ended(self)
        // The source has other gestures by now, but the next placement has not replaced the arena yet.
        guard recognizer != nil else { return endPress() }
        defer { _ = press.end() }
        switch kind {
        case .longPress: endPress()
        case .magnify: magnified(gesture.as(GTKZoomGesture.self)?.scale ?? 1, isOver: true)
        case .rotate:
            guard press.isRecognized else {
                recognizer?.onCancel?()
                return
            }
            if press.isCancelled { recognizer?.onCancel?() } else { recognizer?.onRotate?(rotation, true) }
        case .tap, .drag: break
        }
    }

    /// Reports the end of a long press, or the interruption of another gesture, even if the view is disabled or removed
    /// by now.
    private func endPress() {
        guard let pressed = press.end() else { return }
        // If the view was updated during the press, its current recognizer has the current closures.
        let current = recognizer ?? pressed
        current.onPressing?(false)
        // A long press that was recognized has already ended successfully.
        if case .longPress = kind, press.isRecognized { return }
        current.onCancel?()
    }

    // MARK: recognized events

    /// Converts a point of the widget to the source's space.
    private func sourcePoint(_ point: CGPoint) -> CGPoint {
        guard let source, let element, source !== element, let back = source.transform.inverse else { return point }
        return point.applying(element.transform).applying(back)
    }

    private var now: Double { source?.host?.now ?? 0 }

    private func released(_ count: Int, _ widgetPoint: CGPoint) {
        guard case .tap(let requiredCount, let space) = kind, count % requiredCount == 0, count >= requiredCount else {
            return
        }
        let point = sourcePoint(widgetPoint)
        guard isEnabled, press.wasOpen, let source, source.bounds.contains(point) || source.contains(point) else {
            return
        }
        arena?.tapped(self, count: requiredCount) { [weak self] in
            self?.recognizer?.onPoint?(source.placedPoint(point, in: space))
        }
    }

    private func pressedLong(_ point: CGPoint) {
        guard isEnabled, press.wasOpen, arena?.tryToSucceed(self) == true else { return }
        press.recognize()
        recognizer?.onPoint?(sourcePoint(point))
    }

    private func dragBegan(_ point: CGPoint) {
        start = point
        startOwn = sourcePoint(point)
        startInHost = element.map { point.applying($0.transform) } ?? point
        if minimumDistance == 0 { dragged(0, 0, isOver: false) }
    }

    /// The distance in points after which a drag is recognized.
    ///
    /// If a tap with precedence is still possible, the distance is at least GTK's limit for the movement of a tap.
    private var minimumDistance: CGFloat {
        guard case .drag(let distance, _)? = recognizer?.kind else { return 0 }
        return arena?.mayBeTapBefore(self) == true ? max(GestureArena.tapDistance, distance) : distance
    }

    private func dragged(_ dx: Double, _ dy: Double, isOver: Bool) {
        guard let source, let recognizer, case .drag(_, let space) = recognizer.kind else { return }
        if !press.isRecognized {
            guard hypot(dx, dy) >= minimumDistance, !isOver, !press.isCancelled, isEnabled, recognizer.isOpen(),
                arena?.tryToSucceed(self) == true
            else {
                if isOver { recognizer.onCancel?() }
                return
            }
            press.recognize()
        }
        arena?.dragged(hypot(dx, dy))
        if isOver, press.isCancelled {
            recognizer.onCancel?()
            return
        }
        // The element may move under the pointer during the drag. GTK's point is in the widget's current space, so the
        // start point is converted to that space too.
        let point = sourcePoint(CGPoint(x: start.x + dx, y: start.y + dy))
        let first = space == .local ? startOwn : source.transform.inverse.map { startInHost.applying($0) } ?? startOwn
        let velocity = motion.velocity(at: point, now)
        recognizer.onDrag?(
            DragGesture.Value(
                time: Date(), location: source.placedPoint(point, in: space),
                startLocation: source.placedPoint(first, in: space),
                velocity: velocity), isOver)
    }

    private func magnified(_ factor: Double, isOver: Bool) {
        guard let recognizer, case .magnify(let least) = recognizer.kind else { return }
        if !press.isRecognized {
            guard !isOver, factor.isFinite, abs(factor - 1) >= least, isEnabled, recognizer.isOpen(),
                arena?.tryToSucceed(self) == true
            else {
                if isOver { recognizer.onCancel?() }
                return
            }
            press.recognize()
        }
        guard !isOver || !press.isCancelled else {
            recognizer.onCancel?()
            return
        }
        let velocity = motion.velocity(atFactor: factor, now)
        recognizer.onMagnify?(
            MagnifyGesture.Value(
                time: Date(), magnification: factor, velocity: velocity, startAnchor: anchor, startLocation: start),
            isOver)
    }

    private func rotated(_ angle: Double) {
        guard let recognizer, case .rotate(let least) = recognizer.kind else { return }
        motion.turn(to: angle, now)
        if !press.isRecognized {
            guard abs(motion.rotation) >= least, isEnabled, recognizer.isOpen(), arena?.tryToSucceed(self) == true
            else {
                return
            }
            press.recognize()
        }
        recognizer.onRotate?(rotation, false)
    }

    private var rotation: RotateGesture.Value {
        RotateGesture.Value(
            time: Date(), rotation: Angle(radians: motion.rotation), velocity: Angle(radians: motion.rotationVelocity),
            startAnchor: anchor, startLocation: start)
    }

    private var anchor: UnitPoint {
        guard let size = source?.frame.size, size.width > 0, size.height > 0 else { return .center }
        return UnitPoint(x: start.x / size.width, y: start.y / size.height)
    }
}
