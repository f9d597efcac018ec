import Foundation
import MediaCore
import MediaEngine
import Observation
import PlayerControls

/// The state of a player that its controls show, and the commands that they send. Main actor.
@MainActor @Observable
final class PlayerTransport: SetsChanges {
    private(set) var isPlaying = false
    /// Whether playback was requested, and the player is waiting for data.
    private(set) var isWaiting = false
    private(set) var audio = Audio()
    struct Audio: Equatable {
        var volume = 1.0
        var isMuted = false
        var isSilent: Bool { isMuted || volume == 0 }
    }
    /// The current position in seconds. While the knob is dragged, the position of the knob.
    private(set) var time = 0.0
    /// The duration in seconds; nil if it is unknown, and for live streams.
    private(set) var duration: Double?
    let route = PlayerRoute()
    /// The reason why there is no video.
    private(set) var problem: String?
    /// The speed at which the player plays, or would play.
    private(set) var speed: Float = 1
    /// Whether the second clock shows the remaining time.
    var showsRemaining = false
    @ObservationIgnored let options = PlayerOptions()
    /// The size of the video in square pixels; zero without video.
    private(set) var videoSize = CGSize.zero

    @ObservationIgnored var player: AVPlayer? {
        didSet { if player !== oldValue { withoutObservationTracking { follow() } } }
    }
    /// Called with true when playback starts and with false when it pauses. Not called while the knob is dragged.
    @ObservationIgnored var onPlaying: ((Bool) -> Void)?
    @ObservationIgnored private var watch: (observations: [NSKeyValueObservation], clock: PeriodicObserver)?
    private var scrub = Scrub.none
    private enum Scrub: Equatable {
        case none
        /// The knob is being dragged. If the player played before, it plays again when the knob is released.
        case dragging(playedBefore: Bool)
    }
    var isScrubbing: Bool { scrub != .none }

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<PlayerTransport, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    private func follow() {
        for observation in watch?.observations ?? [] { observation.invalidate() }
        watch = nil
        scrub = .none
        options.follow(player)
        guard let player else { return reset() }
        let observations = [
            player.observe(\.timeControlStatus, options: [.initial]) { [weak self] player, _ in
                self?.playerDidChange(player)
            },
            player.observe(\.volume) { [weak self] player, _ in self?.playerDidChange(player) },
            player.observe(\.isMuted) { [weak self] player, _ in self?.playerDidChange(player) },
            player.observe(\.defaultRate) { [weak self] player, _ in self?.playerDidChange(player) },
            player.observe(\.rate) { [weak self] player, _ in self?.playerDidChange(player) },
            player.observe(\.currentItem) { [weak self] player, _ in self?.playerDidChange(player) },
            player.observe(\.currentItem?.status) { [weak self] player, _ in self?.playerDidChange(player) },
            player.observe(\.currentItem?.duration) { [weak self] player, _ in self?.playerDidChange(player) },
            player.observe(\.isExternalPlaybackActive) { [weak self] player, _ in self?.playerDidChange(player) },
            player.observe(\.allowsExternalPlayback) { [weak self] player, _ in self?.playerDidChange(player) },
            player.observeUntracked(\.externalPlaybackError) { [weak self] player, _ in
                self?.route.failed(player.externalPlaybackError)
            },
            player.observe(\.currentItem?.presentationSize) { [weak self] player, _ in self?.playerDidChange(player) },
        ]
        // Four times per second is enough for the time and the seek bar.
        watch = (
            observations, PeriodicObserver(player, interval: 0.25) { [weak self] in self?.playerDidChange(player) }
        )
    }

    private func reset() {
        (isPlaying, isWaiting, time, duration, problem, videoSize) = (false, false, 0, nil, nil, .zero)
        route.reset()
    }

    private func playerDidChange(_ player: AVPlayer) {
        if player === self.player { withoutObservationTracking { update(from: player) } }
    }

    private func update(from player: AVPlayer) {
        let plays = player.timeControlStatus != .paused
        if !isScrubbing, plays != isPlaying {
            isPlaying = plays
            onPlaying?(plays)
        }
        set(\.isWaiting, player.timeControlStatus == .waitingToPlayAtSpecifiedRate && player.currentItem != nil)
        options.follow(player)
        set(\.speed, PlaybackControl(player).speed)
        set(\.audio, Audio(volume: Double(player.volume), isMuted: player.isMuted))
        route.update(player)
        let item = player.currentItem
        let seconds = item?.duration.seconds ?? .nan
        set(\.duration, seconds.isFinite && seconds > 0 ? seconds : nil)
        set(\.videoSize, item?.presentationSize ?? .zero)
        set(\.problem, item?.status == .failed ? (item?.error).map(PlayerTransport.text) : nil)
        if !isScrubbing {
            let now = player.currentTime().seconds
            set(\.time, now.isFinite ? max(0, now) : 0)
        }
    }

    // MARK: commands of the controls

    /// The commands of the player; nil without one.
    var control: PlaybackControl? { player.map { PlaybackControl($0) } }

    /// Seeks relative to the current position, in seconds. Several seeks add up. Returns false if there is nothing to
    /// seek in.
    @discardableResult
    func seek(by seconds: Double) -> Bool {
        guard let control, let position = control.position, control.seek(by: seconds) else { return false }
        time = control.clamped(position + seconds)
        return true
    }
    nonisolated static func text(_ error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }

    /// Starts or ends a drag of the knob. The player is paused meanwhile.
    func scrub(_ begins: Bool) {
        guard let player, begins != isScrubbing else { return }
        if begins {
            scrub = .dragging(playedBefore: player.timeControlStatus != .paused)
            player.pause()
        } else {
            let playedBefore = scrub == .dragging(playedBefore: true)
            scrub = .none
            if playedBefore { player.play() }
            playerDidChange(player)
        }
    }
    /// Seeks exactly to a position in seconds. Calls may follow each other quickly: only the newest pending seek is
    /// carried out.
    func seek(to seconds: Double) {
        guard let control, control.seek(to: seconds) else { return }
        time = control.clamped(seconds)
    }
}
