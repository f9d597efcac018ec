import MediaCore
import MediaEngine

/// The calls that report a player's time at intervals. Main actor.
@MainActor
final class TimePublisher {
    /// Called with the current item's time, in seconds.
    var onTime: ((Double) -> Void)?
    private let player: AVPlayer
    private var observer: Any?

    init(_ player: AVPlayer) { self.player = player }

    /// - Parameter interval: nil ends the calls.
    func publish(every interval: CMTime?) {
        if let observer { player.removeTimeObserver(observer) }
        observer = interval.map { interval in
            player.addPeriodicTimeObserver(forInterval: interval) { [weak self] time in
                // Without a queue of its own an observer is called on the main one.
                MainActor.assumeIsolated { self?.onTime?(time.seconds) }
            }
        }
    }
}
