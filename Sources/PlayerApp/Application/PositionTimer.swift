import MediaEngine
import PlayerControls

/// A timer that calls a closure whenever a position should be stored: at intervals during playback, and when it pauses.
/// It ends when it is released. Main actor.
@MainActor
final class PositionTimer {
    private let clock: PeriodicObserver
    private let pauses: NSKeyValueObservation

    /// - Parameter seconds: The media time between two calls, in seconds.
    init(_ player: AVPlayer, interval seconds: Double, store: @escaping @MainActor () -> Void) {
        clock = PeriodicObserver(player, interval: seconds, onChange: store)
        pauses = player.observe(\.timeControlStatus) { player, _ in
            if player.timeControlStatus == .paused { store() }
        }
    }
}
