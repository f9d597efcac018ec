import Zoetrope

/// Tells that a player's time has passed or jumped. Main actor.
@MainActor
final class PlayerClock {
    private weak var player: AVPlayer?
    private let token: Any

    /// - Parameter seconds: media time between two of its words, more than 0.
    init(_ player: AVPlayer, every seconds: Double, _ told: @escaping @MainActor () -> Void) {
        self.player = player
        token = player.addPeriodicTimeObserver(
            forInterval: CMTime(seconds: seconds, preferredTimescale: 600), queue: .main
        ) { _ in told() }
    }
    isolated deinit { player?.removeTimeObserver(token) }
}
