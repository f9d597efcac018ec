import CGTK
import Foundation
import GTK

/// What the pointer does in a window, wherever in it. Main actor.
@MainActor
final class WindowPointer {
    private let window: GTKWidget
    private let motion = GTKController.motion()
    private let signals = Signals()
    /// A window that opens under a pointer at rest is told of it: that is no motion. Nor is it when the video's own
    /// surface goes or comes under the pointer, which leaves the window then, for the system, and is back at the same
    /// place.
    private var point: CGPoint?

    init(
        _ window: GTKWidget, moved: @escaping @MainActor (_ isMotion: Bool) -> Void,
        left: @escaping @MainActor () -> Void
    ) {
        self.window = window
        motion.setPhase(GTK_PHASE_CAPTURE)
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
        window.add(motion)
    }
    isolated deinit {
        signals.disconnect()
        window.remove(motion)
    }
}
