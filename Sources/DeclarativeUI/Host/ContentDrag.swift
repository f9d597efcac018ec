import CGTK
import Foundation
import GTK

/// The handling of drags on a window's content that move the window.
///
/// Controls and gestures inside the window receive a drag first. If one of them claims it, the window stays.
@MainActor
final class ContentDrag {
    private let window: GTKWindow
    private let gesture = GTKDragGesture()
    private let signals = Signals()
    /// The minimum distance of a drag, in points. Drag gestures of views begin after 10 points, and so come first.
    private static let threshold = 16.0

    init(of window: GTKWindow) {
        self.window = window
        signals.on(gesture, "drag-update") { [weak self] (dx: Double, dy: Double) in self?.dragged(dx, dy) }
        window.widget.add(gesture)
    }

    func close() {
        signals.disconnect()
        window.widget.remove(gesture)
    }

    private func dragged(_ dx: Double, _ dy: Double) {
        guard hypot(dx, dy) > ContentDrag.threshold, let native = window.native, let surface = native.surface,
            let device = gesture.sequenceDevice
        else { return }
        let (start, origin, button, time) = (gesture.start, native.surfaceOrigin, gesture.button, gesture.time)
        gesture.claim()
        surface.beginMove(
            device, button: button, at: CGPoint(x: start.x + origin.x, y: start.y + origin.y), time: time)
        // The rest of the drag belongs to the window manager, and its end is not reported.
        gesture.reset()
    }
}

extension Stylesheet {
    /// The style rules for title bars without a background of their own.
    static let titlebars = Stylesheet(
        """
        window.zt-clear-titlebar > .titlebar { background: none; box-shadow: none; border: none; }
        """)
}
