import GTK
import MediaCore

/// A monitor that detects visible moving video, for the code that keeps the screen awake.
@MainActor
package final class MovingVideoMonitor {
    package static let shared = MovingVideoMonitor()
    /// Called with a view whose video is moving and visible, and with nil within two seconds after all videos have
    /// stopped or are no longer visible.
    ///
    /// Of several moving videos, the one that moved first counts. When it stops or is no longer visible, the closure is
    /// called with another one. If a video is moving when the closure is set, the closure is called at once.
    package var onChange: (@MainActor (PlayerView?) -> Void)? { didSet { if let view { onChange?(view) } } }
    private weak var view: PlayerView?
    private var isShowing = false
    /// The host time of the last request for a frame of the moving video of `view`, and of that of any view.
    private var last = (ofView: HostTime.min, ofAny: HostTime.min)
    private var timer: LoopTimer?
    /// The time without a request after which a video counts as stopped, in nanoseconds.
    private static let patience: Int64 = 900_000_000

    /// Records that `view`, which is visible, has requested a frame of a moving video.
    func recordRefresh(of view: PlayerView) {
        let now = HostTime.now()
        let isOtherMoving = self.view != nil && now - last.ofView <= Self.patience
        last.ofAny = now
        guard view !== self.view else { return last.ofView = now }
        guard !isOtherMoving else { return }
        (self.view, last.ofView) = (view, now)
        onChange?(view)
        guard !isShowing else { return }
        isShowing = true
        // Checked once per second, because the end of the requests is not reported.
        timer = LoopTimer(milliseconds: 1000) { [weak self] in self?.checkVisibility() ?? false }
    }

    /// Lets the video of another view count from its next request on, because `view` was hidden. When it is
    /// shown again, its window may have another surface, so that it is reported again.
    func viewDidHide(_ view: PlayerView) { if view === self.view { self.view = nil } }

    /// Checks whether any moving video is still visible.
    /// - Returns: Whether to check again.
    private func checkVisibility() -> Bool {
        guard HostTime.now() - last.ofAny > Self.patience else { return true }
        (view, isShowing) = (nil, false)
        onChange?(nil)
        return false
    }
}
