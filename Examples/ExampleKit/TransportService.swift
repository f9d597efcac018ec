import VideoPlayerContainer
import Zoetrope

/// The playback state that widgets show, and the commands that they send to the player.
public final class TransportService: Service {
    @Published public private(set) var isPlaying = false
    /// The current position, in seconds.
    @Published public private(set) var time = 0.0
    /// The duration in seconds; 0 while it is unknown, and for live streams.
    @Published public private(set) var duration = 0.0
    @Published public private(set) var isMuted = false
    /// The volume, from 0 to 1.
    @Published public private(set) var volume = 1.0
    /// The position in seconds to which the user drags the seek bar; nil without a drag.
    @Published public private(set) var target: Double?
    /// The speed that `play()` sets; 1 is normal.
    @Published public private(set) var speed: Float = 1

    private var observations: [NSKeyValueObservation] = []
    private var ticks: (player: AVPlayer, token: Any)?

    public required init(_ context: Context) {
        super.init(context)
        follow()
    }

    isolated deinit { stopFollowing() }

    private var player: AVPlayer? { context?.render.player }

    /// Starts observing the context's player. Call it after `attach(player:)`.
    public func follow() {
        stopFollowing()
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
        let token = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 4), queue: .main) {
            [weak self] time in
            MainActor.assumeIsolated { self?.show(time) }
        }
        ticks = (player, token)
    }

    private func stopFollowing() {
        observations = []
        if let ticks { ticks.player.removeTimeObserver(ticks.token) }
        ticks = nil
    }

    private func show(_ now: CMTime) {
        let length = player?.currentItem?.duration.seconds ?? 0
        let duration = length.isFinite ? max(0, length) : 0
        let time = now.seconds.isFinite ? max(0, now.seconds) : 0
        if self.duration != duration { self.duration = duration }
        if self.time != time { self.time = time }
    }

    /// The position to show: the target of a drag, or else the current position.
    public var shownTime: Double { target ?? time }
    /// `shownTime` as a fraction of the duration, from 0 to 1.
    public var place: Double { duration > 0 ? min(1, shownTime / duration) : 0 }

    public func play() { player?.rate = speed }
    public func pause() { player?.pause() }
    public func toggle() {
        guard let player else { return }
        if player.rate != 0 { return player.pause() }
        if duration > 0, time >= duration - 0.25 { player.seek(to: .zero) }
        play()
    }
    public func toggleMute() { player?.isMuted.toggle() }
    public func setVolume(_ volume: Double) {
        player?.volume = volume.isFinite ? Float(min(1, max(0, volume))) : 1
        player?.isMuted = false
    }
    public func setSpeed(_ speed: Float) {
        self.speed = speed
        if let player, player.rate != 0 { player.rate = speed }
    }
    /// - Parameter seconds: The position from the start. It is clamped to the duration.
    public func seek(to seconds: Double) {
        guard seconds.isFinite else { return }
        let place = duration > 0 ? min(max(0, seconds), duration) : max(0, seconds)
        wanted = place
        player?.seek(to: CMTime(seconds: place, preferredTimescale: 600), toleranceBefore: .zero, toleranceAfter: .zero)
        { [weak self] _ in
            MainActor.assumeIsolated { self?.arrived(place) }
        }
    }
    /// Seeks relative to the target of a pending seek, or else the current position, so that two quick steps add up.
    public func skip(_ seconds: Double) { seek(to: (wanted ?? time) + seconds) }

    /// The target of the pending seek.
    private var wanted: Double?
    private func arrived(_ place: Double) {
        guard wanted == place else { return }
        wanted = nil
        time = place
        if !isHeld { target = nil }
    }

    /// Called during a drag of the seek bar. The target is shown at once, and the video follows.
    public func scrub(to place: Double) {
        isHeld = true
        target = min(max(0, place), 1) * duration
        if let target { seek(to: target) }
    }
    /// Called when the drag ends.
    public func scrubbed() {
        isHeld = false
        // The bar keeps the target until the player has reached it.
        if wanted == nil { target = nil }
    }
    private var isHeld = false
}

/// Formats a time as minutes and seconds, with hours if it is an hour or more.
public func clock(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(min(max(0, seconds), 359_999)) : 0
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    let tail = (hours > 0 && minutes < 10 ? "0" : "") + "\(minutes):" + (rest < 10 ? "0" : "") + "\(rest)"
    return hours > 0 ? "\(hours):\(tail)" : tail
}
