import MediaCore
import MediaEngine

/// An observer that calls a closure at intervals while a player's time passes, whenever the time jumps, and when
/// playback starts or stops.
///
/// Releasing the observer ends the calls. Main actor.
@MainActor
public final class PeriodicObserver {
    private weak var player: AVPlayer?
    private let token: Any

    /// Creates an observer of a player.
    /// - Parameters:
    ///   - player: The player. The observer does not hold it.
    ///   - seconds: The media time between two calls, in seconds, rounded to 1/600 s. Less than 1 ms counts as 1 ms,
    ///     NaN as 1 s.
    ///   - onChange: Called on the main actor. The observer holds the closure, so capture the observer's owner weakly.
    public init(_ player: AVPlayer, interval seconds: Double, onChange: @escaping @MainActor () -> Void) {
        self.player = player
        token = player.addPeriodicTimeObserver(
            forInterval: CMTime(seconds: seconds, preferredTimescale: 600), queue: .main
        ) { _ in MainActor.assumeIsolated { onChange() } }
    }
    isolated deinit { player?.removeTimeObserver(token) }
}
