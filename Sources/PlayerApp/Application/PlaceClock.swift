import MediaEngine
import PlayerControls

/// Calls a closure while a player plays, at intervals, and when it pauses: the moments to store its position. Ends when
/// released. Main actor.
@MainActor
final class PlaceClock {
    private let clock: PeriodicObserver
    private let pauses: NSKeyValueObservation

    /// - Parameter seconds: The media time between two calls.
    init(_ player: AVPlayer, interval seconds: Double, store: @escaping @MainActor () -> Void) {
        clock = PeriodicObserver(player, interval: seconds, onChange: store)
        pauses = player.observe(\.timeControlStatus) { player, _ in
            if player.timeControlStatus == .paused { store() }
        }
    }
}
