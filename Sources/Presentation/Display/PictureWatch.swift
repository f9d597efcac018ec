import Foundation
import GTK
import MediaCore

/// Whether pictures that move are being seen: for who keeps the screen awake meanwhile. Main actor.
@MainActor
package final class PictureWatch {
    package static let shared = PictureWatch()
    /// Called when it has become so, and when it is no longer, within two seconds.
    package var onChange: (@MainActor (Bool) -> Void)? { didSet { if isShowing { onChange?(true) } } }
    package private(set) var isShowing = false
    /// Host time of the last turn of a display in which something moved.
    private var last = HostTime.min
    private var timer: LoopTimer?

    /// A display has turned with a picture that moves: it is on the screen (GDK stops the clock of what is not) and not
    /// paused.
    func showed() {
        last = .now()
        guard !isShowing else { return }
        isShowing = true
        onChange?(true)
        // Looked at once a second: that no turn comes nobody tells.
        timer = LoopTimer(milliseconds: 1000) { [weak self] in self?.look() ?? false }
    }

    /// - Returns: whether to look again.
    private func look() -> Bool {
        guard HostTime.now() - last > 900_000_000 else { return true }
        isShowing = false
        onChange?(false)
        return false
    }
}
