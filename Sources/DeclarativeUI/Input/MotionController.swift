import CGTK
import Foundation
import GTK

/// The pointer's place in a widget; nil when it has left. While a menu is open over the widget the pointer is the
/// menu's, and has not left: whoever shows something while the pointer is there must not take away what the menu hangs
/// on.
@MainActor
final class MotionController {
    private let widget: GTKWidget
    private let controller = GTKController.motion()
    private let signals = Signals()
    private let moved: (CGPoint?) -> Void
    /// The menu that has the pointer.
    private var menu: SignalConnection?

    init(_ widget: GTKWidget, _ moved: @escaping (CGPoint?) -> Void) {
        self.widget = widget
        self.moved = moved
        // Before the children see it, and whatever they make of it.
        controller.setPhase(GTK_PHASE_CAPTURE)
        widget.add(controller)
        for signal in ["motion", "enter"] {
            signals.on(controller, signal) { [weak self] (x: Double, y: Double) in self?.came(CGPoint(x: x, y: y)) }
        }
        signals.on(controller, "leave") { [weak self] in self?.left() }
    }

    private func came(_ point: CGPoint) {
        // GTK tells what happens in a menu's own surface, too.
        if let event = controller.event, !event.isOwn(of: widget) {
            return
        }
        menu?.disconnect()
        menu = nil
        moved(point)
    }

    private func left() {
        guard let open = MotionController.openMenu(below: widget) else { return moved(nil) }
        guard menu == nil else { return }
        menu = SignalConnection(open, "unmap") { [weak self] in
            guard let self, menu != nil else { return }
            // Not now: it is in the midst of going. Where the pointer is in the widget it has come by then.
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
