import VideoPlayerContainer
import Zoetrope

/// What a player is doing, for widgets that show it, and what they ask of it.
public final class TransportService: Service {
    @Published public private(set) var isPlaying = false
    /// Seconds.
    @Published public private(set) var time = 0.0
    /// Seconds; 0 until it is known, and of what has no end.
    @Published public private(set) var duration = 0.0
    @Published public private(set) var isMuted = false
    /// 0…1.
    @Published public private(set) var volume = 1.0
    /// Where a hand holds the bar, seconds; nil while none does.
    @Published public private(set) var target: Double?
    /// What is played when somebody plays: 1 is normal.
    @Published public private(set) var speed: Float = 1

    private var observations: [NSKeyValueObservation] = []
    private var ticks: (player: AVPlayer, token: Any)?

    public required init(_ context: Context) {
        super.init(context)
        follow()
    }

    isolated deinit { stopFollowing() }

    private var player: AVPlayer? { context?.render.player }

    /// Follows the context's player as it is now: to be called after `attach(player:)`.
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

    /// Where it is, or is led to.
    public var shownTime: Double { target ?? time }
    /// The same as a part of the whole, 0…1.
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
    /// - Parameter seconds: from the beginning; what lies outside is its nearer end.
    public func seek(to seconds: Double) {
        guard seconds.isFinite else { return }
        let place = duration > 0 ? min(max(0, seconds), duration) : max(0, seconds)
        wanted = place
        player?.seek(to: CMTime(seconds: place, preferredTimescale: 600), toleranceBefore: .zero, toleranceAfter: .zero)
        { [weak self] _ in
            MainActor.assumeIsolated { self?.arrived(place) }
        }
    }
    /// From where it is, or is being led to: two quick steps are two.
    public func skip(_ seconds: Double) { seek(to: (wanted ?? time) + seconds) }

    /// Where the last seek leads, until it has come there.
    private var wanted: Double?
    private func arrived(_ place: Double) {
        guard wanted == place else { return }
        wanted = nil
        time = place
        if !isHeld { target = nil }
    }

    /// A hand on the bar: where it is shows at once, and the picture follows.
    public func scrub(to place: Double) {
        isHeld = true
        target = min(max(0, place), 1) * duration
        if let target { seek(to: target) }
    }
    /// The hand has gone.
    public func scrubbed() {
        isHeld = false
        // Until the player is there the bar stays where it was let go.
        if wanted == nil { target = nil }
    }
    private var isHeld = false
}

/// Minutes and seconds, hours where there are any.
public func clock(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(min(max(0, seconds), 359_999)) : 0
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    let tail = (hours > 0 && minutes < 10 ? "0" : "") + "\(minutes):" + (rest < 10 ? "0" : "") + "\(rest)"
    return hours > 0 ? "\(hours):\(tail)" : tail
}
