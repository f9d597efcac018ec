import VideoPlayerContainer
import Zoetrope

/// A service with the playback state that widgets show, and the commands that they send to the player.
public final class TransportService: Service {
    @Published public private(set) var isPlaying = false
    /// The current position, in seconds.
    @Published public private(set) var time = 0.0
    /// The duration in seconds; 0 while it is unknown, and for live streams.
    @Published public private(set) var duration = 0.0
    @Published public private(set) var isMuted = false
    /// The volume, from 0 to 1.
    @Published public private(set) var volume = 1.0
    /// The position in seconds to which the user drags the seek bar; nil if no drag is in progress.
    @Published public private(set) var target: Double?
    /// The speed that `play()` sets; 1 is normal.
    @Published public private(set) var speed: Float = 1

    private var observations: [NSKeyValueObservation] = []
    private var clock: PeriodicObserver?

    public required init(_ context: Context) {
        super.init(context)
        follow()
    }

    private var player: AVPlayer? { context?.render.player }

    /// Starts observing the context's player. Call this method after `attach(player:)`.
    public func follow() {
        (observations, clock) = ([], nil)
        guard let player else { return }
        observations = [
            player.observe(\.rate, options: [.initial, .new]) { [weak self] player, _ in
                self?.isPlaying = player.rate != 0
            },
            player.observe(\.isMuted, options: [.initial, .new]) { [weak self] player, _ in
                self?.isMuted = player.isMuted
            },
            player.observe(\.volume, options: [.initial, .new]) { [weak self] player, _ in
                self?.volume = Double(player.volume)
            },
        ]
        clock = PeriodicObserver(player, interval: 0.25) { [weak self] in self?.show() }
    }

    private func show() {
        let duration = control?.duration ?? 0
        let time = max(0, control?.position ?? 0)
        if self.duration != duration { self.duration = duration }
        if self.time != time { self.time = time }
    }

    /// The position to show: the target of a drag, or otherwise the current position.
    public var shownTime: Double { target ?? time }
    /// `shownTime` as a fraction of the duration, from 0 to 1.
    public var fraction: Double { duration > 0 ? min(1, shownTime / duration) : 0 }

    private var control: PlaybackControl? { player.map { PlaybackControl($0) } }

    public func play() { control?.play() }
    public func pause() { control?.pause() }
    public func toggle() { control?.togglePlayback() }
    public func toggleMute() { control?.toggleMuted() }
    public func setVolume(_ volume: Double) { control?.setVolume(volume) }
    public func setSpeed(_ speed: Float) {
        self.speed = speed
        control?.setSpeed(speed)
    }
    /// Seeks to a position.
    /// - Parameter seconds: The position from the start, clamped to the duration.
    public func seek(to seconds: Double) {
        guard seconds.isFinite, let control else { return }
        let position = control.clamped(seconds)
        wanted = position
        player?.seek(
            to: CMTime(seconds: position, preferredTimescale: 600), toleranceBefore: .zero, toleranceAfter: .zero
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.arrived(position) }
        }
    }
    /// Seeks relative to the current position. Several quick steps add up.
    /// - Parameter seconds: The distance in seconds; negative to seek back.
    public func skip(_ seconds: Double) { seek(to: (control?.position ?? time) + seconds) }

    /// The target of the pending seek.
    private var wanted: Double?
    private func arrived(_ position: Double) {
        guard wanted == position else { return }
        wanted = nil
        time = position
        if !isHeld { target = nil }
    }

    /// Shows the target of a drag immediately and seeks to it. Called during a drag of the seek bar.
    /// - Parameter fraction: The target as a fraction of the duration, clamped to 0…1.
    public func scrub(to fraction: Double) {
        isHeld = true
        target = min(max(0, fraction), 1) * duration
        if let target { seek(to: target) }
    }
    /// Ends a drag of the seek bar.
    public func scrubbed() {
        isHeld = false
        // The bar shows the target until the player has reached it.
        if wanted == nil { target = nil }
    }
    private var isHeld = false
}
