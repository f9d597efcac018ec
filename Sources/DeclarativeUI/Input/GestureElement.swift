import CGTK
import Foundation
import MediaCore

struct GestureModifier: ElementModifier {
    let make: @MainActor () -> [_Recognizer]
    func makeElement() -> GestureElement { GestureElement() }
    func update(_ element: GestureElement, _ fiber: _Fiber) {
        element.isEnabled = fiber.environment.isEnabled
        element.set(make())
    }
}

/// Recognises gestures on its content: a widget of its own, which lies behind the content (so that the content's
/// controls come first) and takes what meets something of it.
final class GestureElement: WrapperElement, WidgetOwner {
    private var widget: UnsafeMutablePointer<GtkWidget>?
    private var recognizers: [_Recognizer] = []
    private var controllers: [GestureController] = []
    var isEnabled = true

    func set(_ new: [_Recognizer]) {
        // The same kinds in the same order: what they tell is all that changed.
        let same = new.count == recognizers.count && zip(new, recognizers).allSatisfy { $0.kind == $1.kind && $0.isSimultaneous == $1.isSimultaneous }
        recognizers = new
        if same {
            for (controller, recognizer) in zip(controllers, new) { controller.recognizer = recognizer }
        } else if let widget {
            install(on: widget)
        }
    }

    override func attached(to host: any ElementHost) {
        guard let container = host.container, let raw = ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_PRESENTATION, owner: self) else { return }
        widget = raw
        gtk_widget_set_parent(raw, container)
        install(on: raw)
    }

    override func detached(from host: any ElementHost) {
        for controller in controllers { controller.remove() }
        controllers = []
        if let widget { gtk_widget_unparent(widget) }
        widget = nil
    }

    private func install(on widget: UnsafeMutablePointer<GtkWidget>) {
        for controller in controllers { controller.remove() }
        controllers = recognizers.compactMap { GestureController($0, on: widget, of: self) }
    }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        if let widget { host?.position(widget, transform, size) }
    }

    override func draw(_ context: DrawContext, _ size: CGSize) { drawChildren(context) }

    func widgetContains(_ x: Double, _ y: Double) -> Bool { isEnabled && !isInert && contains(CGPoint(x: x, y: y)) }

    /// A point of this element in another space.
    func point(_ p: CGPoint, in space: CoordinateSpace) -> CGPoint {
        let origin = GeometryProxy(size: frame.size, element: self).frame(in: space).origin
        return space == .local ? p : CGPoint(x: p.x + origin.x, y: p.y + origin.y)
    }
}

/// A GTK gesture and the recogniser it serves.
@MainActor
final class GestureController {
    var recognizer: _Recognizer
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let gesture: OpaquePointer
    private weak var element: GestureElement?
    private var start = CGPoint.zero
    private var last: (point: CGPoint, time: Double)?
    private var velocity = CGSize.zero
    private var hasBegun = false

    init?(_ recognizer: _Recognizer, on widget: UnsafeMutablePointer<GtkWidget>, of element: GestureElement) {
        self.recognizer = recognizer
        self.widget = widget
        self.element = element
        let raw: OpaquePointer? = switch recognizer.kind {
        case .tap: gtk_gesture_click_new()
        case .longPress: gtk_gesture_long_press_new()
        case .drag: gtk_gesture_drag_new()
        case .magnify: gtk_gesture_zoom_new()
        }
        guard let raw else { return nil }
        gesture = raw
        if case .longPress(let seconds, _) = recognizer.kind {
            // GTK takes a factor of its own half second, 0.5…2.
            gtk_gesture_long_press_set_delay_factor(raw, seconds.isNaN ? 1 : min(2, max(0.5, seconds / 0.5)))
        }
        gtk_widget_add_controller(widget, raw)
        connect()
    }

    func remove() {
        g_signal_handlers_disconnect_matched(UnsafeMutableRawPointer(gesture), G_SIGNAL_MATCH_DATA, 0, 0, nil, nil, Unmanaged.passUnretained(self).toOpaque())
        gtk_widget_remove_controller(widget, gesture)
    }

    private static func from(_ raw: UnsafeMutableRawPointer?) -> GestureController? {
        raw.map { Unmanaged<GestureController>.fromOpaque($0).takeUnretainedValue() }
    }

    private func on(_ signal: String, _ handler: GCallback) {
        g_signal_connect_data(UnsafeMutableRawPointer(gesture), signal, handler, Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(0))
    }

    private typealias Pressed = @convention(c) (UnsafeMutableRawPointer?, gint, gdouble, gdouble, UnsafeMutableRawPointer?) -> Void
    private typealias Point = @convention(c) (UnsafeMutableRawPointer?, gdouble, gdouble, UnsafeMutableRawPointer?) -> Void
    private typealias Number = @convention(c) (UnsafeMutableRawPointer?, gdouble, UnsafeMutableRawPointer?) -> Void
    private typealias Sequence = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
    private typealias Plain = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void

    private func connect() {
        switch recognizer.kind {
        case .tap:
            let released: Pressed = { _, count, x, y, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated { GestureController.from(me)?.released(Int(count), x, y) }
            }
            on("released", unsafeBitCast(released, to: GCallback.self))
        case .longPress:
            let pressed: Point = { _, x, y, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated {
                    guard let controller = GestureController.from(me) else { return }
                    controller.claim()
                    controller.recognizer.onPoint?(CGPoint(x: x, y: y))
                }
            }
            on("pressed", unsafeBitCast(pressed, to: GCallback.self))
            let begin: Sequence = { _, _, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated { GestureController.from(me)?.recognizer.onPressing?(true) }
            }
            on("begin", unsafeBitCast(begin, to: GCallback.self))
            let end: Sequence = { _, _, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated { GestureController.from(me)?.recognizer.onPressing?(false) }
            }
            on("end", unsafeBitCast(end, to: GCallback.self))
        case .drag:
            let begin: Point = { _, x, y, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated { GestureController.from(me)?.dragBegan(x, y) }
            }
            on("drag-begin", unsafeBitCast(begin, to: GCallback.self))
            let update: Point = { _, x, y, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated { GestureController.from(me)?.dragged(x, y, isOver: false) }
            }
            on("drag-update", unsafeBitCast(update, to: GCallback.self))
            let end: Point = { _, x, y, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated { GestureController.from(me)?.dragged(x, y, isOver: true) }
            }
            on("drag-end", unsafeBitCast(end, to: GCallback.self))
        case .magnify:
            let scale: Number = { _, factor, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated { GestureController.from(me)?.recognizer.onMagnify?(factor, false) }
            }
            on("scale-changed", unsafeBitCast(scale, to: GCallback.self))
            let end: Sequence = { _, _, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated {
                    guard let controller = GestureController.from(me) else { return }
                    controller.recognizer.onMagnify?(gtk_gesture_zoom_get_scale_delta(controller.gesture), true)
                }
            }
            on("end", unsafeBitCast(end, to: GCallback.self))
        }
        let cancel: Sequence = { _, _, me in
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated { GestureController.from(me)?.recognizer.onCancel?() }
        }
        on("cancel", unsafeBitCast(cancel, to: GCallback.self))
    }

    /// The gestures of views above do not see it any more.
    private func claim() {
        if !recognizer.isSimultaneous { gtk_gesture_set_state(gesture, GTK_EVENT_SEQUENCE_CLAIMED) }
    }

    private func released(_ count: Int, _ x: Double, _ y: Double) {
        guard case .tap(let wanted) = recognizer.kind, count % wanted == 0, count >= wanted else { return }
        guard let element, CGRect(origin: .zero, size: element.frame.size).contains(CGPoint(x: x, y: y)) else { return }
        claim()
        recognizer.onPoint?(CGPoint(x: x, y: y))
    }

    private func dragBegan(_ x: Double, _ y: Double) {
        start = CGPoint(x: x, y: y)
        last = nil
        velocity = .zero
        hasBegun = false
    }

    private func dragged(_ dx: Double, _ dy: Double, isOver: Bool) {
        guard case .drag(let distance, let space) = recognizer.kind, let element else { return }
        if !hasBegun {
            guard hypot(dx, dy) >= distance, !isOver || distance == 0 else { return }
            hasBegun = true
            claim()
        }
        // The element may move under the pointer meanwhile; GTK counts from where it was.
        let now = element.host?.now ?? 0, point = CGPoint(x: start.x + dx, y: start.y + dy)
        if let last, now > last.time {
            let t = now - last.time, mix = min(1, t / 0.05)
            velocity.width += ((point.x - last.point.x) / t - velocity.width) * mix
            velocity.height += ((point.y - last.point.y) / t - velocity.height) * mix
        }
        last = (point, now)
        let value = DragGesture.Value(time: Date(), location: element.point(point, in: space), startLocation: element.point(start, in: space), velocity: velocity)
        recognizer.onDrag?(value, isOver)
    }
}

struct HoverModifier: ElementModifier {
    let action: @MainActor (Bool) -> Void
    func makeElement() -> HoverElement { HoverElement() }
    func update(_ element: HoverElement, _ fiber: _Fiber) { element.action = action }
}

/// Tells when the pointer is over its content. The host's own motion is watched, so that controls in between
/// do not hide it.
final class HoverElement: WrapperElement {
    var action: @MainActor (Bool) -> Void = { _ in }
    private var isOver = false
    private var motion: MotionController?

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        motion = MotionController(container) { [weak self] point in self?.moved(point) }
    }
    override func detached(from host: any ElementHost) {
        motion?.remove()
        motion = nil
        if isOver {
            isOver = false
            action(false)
        }
    }
    private func moved(_ point: CGPoint?) {
        let rect = frameInHost
        let over = point.map { rect.contains($0) && contains(CGPoint(x: $0.x - rect.minX, y: $0.y - rect.minY)) } ?? false
        guard over != isOver else { return }
        isOver = over
        action(over)
    }
}

/// The pointer's place in a widget; nil when it has left.
@MainActor
final class MotionController {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let controller: OpaquePointer
    private let moved: (CGPoint?) -> Void

    init?(_ widget: UnsafeMutablePointer<GtkWidget>, _ moved: @escaping (CGPoint?) -> Void) {
        guard let raw = gtk_event_controller_motion_new() else { return nil }
        self.widget = widget
        self.moved = moved
        controller = raw
        // Before the children see it, and whatever they make of it.
        gtk_event_controller_set_propagation_phase(raw, GTK_PHASE_CAPTURE)
        gtk_widget_add_controller(widget, raw)
        let me = Unmanaged.passUnretained(self).toOpaque()
        let motion: @convention(c) (UnsafeMutableRawPointer?, gdouble, gdouble, UnsafeMutableRawPointer?) -> Void = { _, x, y, me in
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated {
                if let me { Unmanaged<MotionController>.fromOpaque(me).takeUnretainedValue().moved(CGPoint(x: x, y: y)) }
            }
        }
        let leave: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { _, me in
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated {
                if let me { Unmanaged<MotionController>.fromOpaque(me).takeUnretainedValue().moved(nil) }
            }
        }
        for signal in ["motion", "enter"] {
            g_signal_connect_data(UnsafeMutableRawPointer(raw), signal, unsafeBitCast(motion, to: GCallback.self), me, nil, GConnectFlags(0))
        }
        g_signal_connect_data(UnsafeMutableRawPointer(raw), "leave", unsafeBitCast(leave, to: GCallback.self), me, nil, GConnectFlags(0))
    }

    func remove() {
        g_signal_handlers_disconnect_matched(UnsafeMutableRawPointer(controller), G_SIGNAL_MATCH_DATA, 0, 0, nil, nil, Unmanaged.passUnretained(self).toOpaque())
        gtk_widget_remove_controller(widget, controller)
    }
}
