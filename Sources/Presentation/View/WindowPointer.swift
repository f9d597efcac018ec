import CGTK
import Foundation
import GLibSupport

/// What the pointer does in a window, wherever in it. Main actor.
@MainActor
final class WindowPointer {
    private let window: UnsafeMutablePointer<GtkWidget>
    private var controller: OpaquePointer?
    private let signals = Signals()
    /// A window that opens under a pointer at rest is told of it: that is no motion. Nor is it when the video's own
    /// surface goes or comes under the pointer, which leaves the window then, for the system, and is back at the same
    /// place.
    private var point: CGPoint?

    init(
        _ window: UnsafeMutablePointer<GtkWidget>, moved: @escaping @MainActor (_ isMotion: Bool) -> Void,
        left: @escaping @MainActor () -> Void
    ) {
        self.window = window
        guard let motion = gtk_event_controller_motion_new() else { return }
        controller = motion
        gtk_event_controller_set_propagation_phase(motion, GTK_PHASE_CAPTURE)
        for signal in ["enter", "motion"] {
            signals.on(motion, signal) { [weak self] (x: Double, y: Double) in
                guard let self else { return }
                let new = CGPoint(x: x, y: y)
                defer { point = new }
                if let point { moved(point != new) }
            }
        }
        signals.on(motion, "leave") {
            left()
        }
        gtk_widget_add_controller(window, motion)
    }
    isolated deinit {
        signals.disconnect()
        if let controller { gtk_widget_remove_controller(window, controller) }
    }
}
