import Foundation
import MediaCore
import MediaEngine
import Observation
import PlayerControls

/// A player as controls show it, and what they do with it. Main actor.
@MainActor @Observable
final class PlayerTransport {
    private(set) var isPlaying = false
    /// It is to play, and waits for its source.
    private(set) var isWaiting = false
    private(set) var isMuted = false
    private(set) var volume = 1.0
    /// Seconds; where the knob is while it is dragged.
    private(set) var time = 0.0
    /// Seconds; nil: not known, or without an end.
    private(set) var duration: Double?
    /// Where it plays; nil: here.
    private(set) var route: String?
    /// Why it plays here again: said for a while.
    private(set) var routeProblem: String?
    private(set) var allowsRoutes = false
    /// Why there is no video.
    private(set) var problem: String?
    /// At which it plays, or would.
    private(set) var speed: Float = 1
    /// The second clock counts down.
    var showsRemaining = false
    @ObservationIgnored let options = PlayerOptions()
    /// The picture's size in square pixels; zero without one.
    private(set) var picture = CGSize.zero

    @ObservationIgnored var player: AVPlayer? { didSet { if player !== oldValue { follow() } } }
    /// The current item has been played to its end, or something else has come after that.
    @ObservationIgnored var onPlaying: ((Bool) -> Void)?
    @ObservationIgnored private var observations: [NSKeyValueObservation] = []
    @ObservationIgnored private var clock: PeriodicObserver?
    @ObservationIgnored private var playsOn = false
    private(set) var isScrubbing = false

    nonisolated init() {}

    private func follow() {
        for observation in observations { observation.invalidate() }
        observations = []
        clock = nil
        isScrubbing = false
        options.follow(player)
        guard let player else { return reset() }
        observations = [
            player.observe(\.timeControlStatus, options: [.initial]) { [weak self] player, _ in self?.look(player) },
            player.observe(\.volume) { [weak self] player, _ in self?.look(player) },
            player.observe(\.isMuted) { [weak self] player, _ in self?.look(player) },
            player.observe(\.defaultRate) { [weak self] player, _ in self?.look(player) },
            player.observe(\.rate) { [weak self] player, _ in self?.look(player) },
            player.observe(\.currentItem) { [weak self] player, _ in self?.look(player) },
            player.observe(\.currentItem?.status) { [weak self] player, _ in self?.look(player) },
            player.observe(\.currentItem?.duration) { [weak self] player, _ in self?.look(player) },
            player.observe(\.isExternalPlaybackActive) { [weak self] player, _ in self?.look(player) },
            player.observe(\.allowsExternalPlayback) { [weak self] player, _ in self?.look(player) },
            player.observe(\.externalPlaybackError) { [weak self] player, _ in self?.told(player.externalPlaybackError)
            },
            player.observe(\.currentItem?.presentationSize) { [weak self] player, _ in self?.look(player) },
        ]
        // Four times a second is enough for the time and the seek bar.
        clock = PeriodicObserver(player, interval: 0.25) { [weak self] in self?.look(player) }
    }

    func close() { player = nil }

    private func reset() {
        (isPlaying, isWaiting, time, duration, problem, picture) = (false, false, 0, nil, nil, .zero)
        (route, routeProblem, allowsRoutes) = (nil, nil, false)
    }

    private func look(_ player: AVPlayer) {
        guard player === self.player else { return }
        let plays = player.timeControlStatus != .paused
        if !isScrubbing, plays != isPlaying {
            isPlaying = plays
            onPlaying?(plays)
        }
        set(\.isWaiting, player.timeControlStatus == .waitingToPlayAtSpecifiedRate && player.currentItem != nil)
        options.follow(player)
        set(\.speed, PlaybackControl(player).speed)
        set(\.isMuted, player.isMuted)
        set(\.volume, Double(player.volume))
        set(\.route, player.isExternalPlaybackActive ? player.externalPlaybackName ?? "" : nil)
        set(\.allowsRoutes, player.allowsExternalPlayback)
        let item = player.currentItem
        let seconds = item?.duration.seconds ?? .nan
        set(\.duration, seconds.isFinite && seconds > 0 ? seconds : nil)
        set(\.picture, item?.presentationSize ?? .zero)
        set(\.problem, item?.status == .failed ? (item?.error).map(PlayerTransport.words) : nil)
        if !isScrubbing {
            let now = player.currentTime().seconds
            set(\.time, now.isFinite ? max(0, now) : 0)
        }
    }
    private static func words(_ error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }
    private func told(_ error: (any Error)?) {
        let words = error.map(PlayerTransport.words)
        set(\.routeProblem, words)
        guard let words else { return }
        DispatchQueue.main.asyncAfter(deadline: .now() + 8) { [weak self] in
            MainActor.assumeIsolated { if self?.routeProblem == words { self?.routeProblem = nil } }
        }
    }
    /// What is the same makes no view look again.
    private func set<V: Equatable>(_ path: ReferenceWritableKeyPath<PlayerTransport, V>, _ value: V) {
        if self[keyPath: path] != value { self[keyPath: path] = value }
    }

    // MARK: what controls do

    /// The commands of the player; nil without one.
    var control: PlaybackControl? { player.map { PlaybackControl($0) } }

    /// Seeks relative to the current position. Several seeks add up.
    @discardableResult
    func seek(by seconds: Double) -> Bool {
        guard let control, let position = control.position, control.seek(by: seconds) else { return false }
        time = control.clamped(position + seconds)
        return true
    }
    /// The knob is in the user's hand, or was let go.
    func scrub(_ begins: Bool) {
        guard let player, begins != isScrubbing else { return }
        if begins {
            playsOn = player.timeControlStatus != .paused
            isScrubbing = true
            player.pause()
        } else {
            isScrubbing = false
            if playsOn { player.play() }
            look(player)
        }
    }
    /// Exact: many at once are fine, only the newest waits.
    func seek(to seconds: Double) {
        guard let control, control.seek(to: seconds) else { return }
        time = control.clamped(seconds)
    }
}
