import MediaCore
import MediaEngine

/// A publisher of a player's time at an interval. Main actor.
@MainActor
final class TimePublisher {
    /// Called with the current item's time, in seconds.
    var onTime: ((Double) -> Void)?
    private let player: AVPlayer
    private var observer: Any?

    init(_ player: AVPlayer) { self.player = player }

    /// Sets the interval of the calls.
    /// - Parameter interval: The interval in media time; nil ends the calls.
    func publish(every interval: CMTime?) {
        if let observer { player.removeTimeObserver(observer) }
        observer = interval.map { interval in
            player.addPeriodicTimeObserver(forInterval: interval) { [weak self] time in
                // An observer without a queue is called on the main queue.
                MainActor.assumeIsolated { self?.onTime?(time.seconds) }
            }
        }
    }
}
