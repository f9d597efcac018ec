import CGTK
import Foundation
import GTK

/// An observer of the pointer's position in a widget. Reports nil when the pointer has left.
///
/// While a menu is open over the widget, GTK gives the pointer to the menu. The observer does not report this as
/// leaving. The menu may be attached to views that are visible only while the pointer is over the widget, and these
/// views must stay.
@MainActor
final class MotionController {
    private let widget: GTKWidget
    private let controller = GTKController.motion()
    private let signals = Signals()
    private let moved: (CGPoint?) -> Void
    /// The connection to the open menu that has the pointer.
    private var menu: SignalConnection?

    init(_ widget: GTKWidget, _ moved: @escaping (CGPoint?) -> Void) {
        self.widget = widget
        self.moved = moved
        // In the capture phase, the controller receives the events before the children, whether or not they handle
        // them.
        controller.setPhase(GTK_PHASE_CAPTURE)
        widget.add(controller)
        for signal in ["motion", "enter"] {
            signals.on(controller, signal) { [weak self] (x: Double, y: Double) in
                self?.pointerMoved(CGPoint(x: x, y: y))
            }
        }
        signals.on(controller, "leave") { [weak self] in self?.pointerLeft() }
    }

    private func pointerMoved(_ point: CGPoint) {
        // GTK also reports events from the surface of a menu.
        if let event = controller.event, !event.isOwn(of: widget) {
            return
        }
        menu?.disconnect()
        menu = nil
        moved(point)
    }

    private func pointerLeft() {
        guard let open = MotionController.openMenu(below: widget) else { return moved(nil) }
        guard menu == nil else { return }
        menu = SignalConnection(open, "unmap") { [weak self] in
            guard let self, menu != nil else { return }
            // The menu is still closing. If the pointer is over the widget, GTK reports that before the closure runs.
            OnMain.later { [weak self] in
                guard let self, self.menu != nil else { return }
                self.menu?.disconnect()
                self.menu = nil
                self.moved(nil)
            }
        }
    }

    private static func openMenu(below widget: GTKWidget) -> GTKWidget? {
        var child = widget.firstChild
        while let current = child {
            if current.isMapped {
                if current.isKind(GTKPopover.self) { return current }
                if let found = openMenu(below: current) { return found }
            }
            child = current.nextSibling
        }
        return nil
    }

    func remove() {
        menu?.disconnect()
        menu = nil
        signals.disconnect()
        widget.remove(controller)
    }
}
