import CGTK
import Foundation
import GTK

/// Where a pointer or a finger goes down on a widget, and to which of its children GTK gives that; whatever they do
/// with it. Main actor.
@MainActor
final class PressPlace {
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
        // Gestures are cancelled when another claims the sequence; raw events are not.
        controller.setPhase(GTK_PHASE_CAPTURE)
        widget.add(controller)
        signals.on(controller, "event") { [weak self] (event: OpaquePointer?) in
            guard let event = event.map({ GDKEvent($0) }), [GDK_BUTTON_PRESS, GDK_TOUCH_BEGIN].contains(event.type)
            else { return }
            self?.saw(event)
        }
    }

    private func saw(_ event: GDKEvent) {
        if let point = event.position(in: widget) { pressed(point, widget.pick(point)) }
    }

    func end() {
        signals.disconnect()
        widget.remove(controller)
    }
}
