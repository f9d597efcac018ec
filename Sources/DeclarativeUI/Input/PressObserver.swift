import CGTK
import Foundation
import GTK

/// An observer of presses on a widget, by a pointer or a finger.
///
/// The observer reports the position, and the child to which GTK delivers the press. It reports every press, even if
/// the child handles it.
@MainActor
final class PressObserver {
    private let controller = GTKController.all()
    private let widget: GTKWidget
    private let signals = Signals()
    private let pressed: @MainActor (CGPoint, GTKWidget?) -> Void

    init(
        _ widget: GTKWidget,
        _ pressed: @escaping @MainActor (CGPoint, GTKWidget?) -> Void
    ) {
        self.widget = widget
        self.pressed = pressed
        // GTK cancels a gesture when another one claims the sequence. Raw events are not canceled.
        controller.setPhase(GTK_PHASE_CAPTURE)
        widget.add(controller)
        signals.on(controller, "event") { [weak self] (event: OpaquePointer?) in
            guard let event = event.map({ GDKEvent($0) }), [GDK_BUTTON_PRESS, GDK_TOUCH_BEGIN].contains(event.type)
            else { return }
            self?.handlePress(event)
        }
    }

    private func handlePress(_ event: GDKEvent) {
        if let point = event.position(in: widget) { pressed(point, widget.pick(point)) }
    }

    func end() {
        signals.disconnect()
        widget.remove(controller)
    }
}
