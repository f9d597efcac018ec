import CGTK
import Foundation
import GTK

/// The observation of the pointer anywhere in a window.
@MainActor
final class WindowPointer {
    private let window: GTKWidget
    private let motion = GTKController.motion()
    private let signals = Signals()
    /// The last position of the pointer, to ignore events without motion.
    ///
    /// GTK reports a resting pointer to a window that opens below it. When the video's own surface appears or
    /// disappears below the pointer, the windowing system reports two events: the pointer leaves the window, and it
    /// returns to the same position.
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
