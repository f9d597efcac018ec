import GTK
import MediaCore

/// A monitor that detects visible moving video, for the code that keeps the screen awake.
@MainActor
package final class MovingVideoMonitor {
    package static let shared = MovingVideoMonitor()
    /// Called with true when moving video becomes visible, and with false within two seconds after the video stops or
    /// is no longer visible. If moving video is visible when the closure is set, it is called with true at once.
    package var onChange: (@MainActor (Bool) -> Void)? { didSet { if isShowing { onChange?(true) } } }
    package private(set) var isShowing = false
    /// The host time of the last display refresh with moving video.
    private var last = HostTime.min
    private var timer: LoopTimer?

    /// Records a display refresh with moving video, which the caller has checked. The video is visible, because GDK
    /// stops the frame clock of hidden windows.
    func recordRefresh() {
        last = .now()
        guard !isShowing else { return }
        isShowing = true
        onChange?(true)
        // Checked once per second, because the end of display refreshes is not reported.
        timer = LoopTimer(milliseconds: 1000) { [weak self] in self?.checkVisibility() ?? false }
    }

    /// Checks whether moving video is still visible.
    /// - Returns: Whether to check again.
    private func checkVisibility() -> Bool {
        guard HostTime.now() - last > 900_000_000 else { return true }
        isShowing = false
        onChange?(false)
        return false
    }
}
