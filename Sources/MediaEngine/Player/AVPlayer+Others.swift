extension AVPlayer {
    /// Whether a player that starts to play pauses the other players of the process. The default is false.
    ///
    /// ```swift
    /// @main struct Gallery: App {
    ///     init() { AVPlayer.pausesOtherPlayers = true }
    ///     var body: some Scene {
    ///         WindowGroup("Gallery") { ContentView() }
    ///     }
    /// }
    /// ```
    /// Players that are muted or have volume 0 neither pause others nor are paused. Main actor. Not part of
    /// AVFoundation.
    public static var pausesOtherPlayers: Bool {
        get { others.isOn }
        set { others.isOn = newValue }
    }
    private static let others = OtherPlayers()

    /// The player whose volume is that of the audio session: the one that has started last, or else the newest one. Nil
    /// if there is no player.
    package static var sessionPlayer: AVPlayer? { others.latest }

    /// Makes the new player known to the audio session.
    func registerForSession() {
        AVPlayer.others.created(self)
        AVAudioSession.sharedInstance().volumeMayHaveChanged()
    }

    /// Pauses the other players if `pausesOtherPlayers` is set. Called when this player starts to play.
    func pauseOthers() {
        AVPlayer.others.started(self)
        AVAudioSession.sharedInstance().volumeMayHaveChanged()
        guard AVPlayer.pausesOtherPlayers, !settings.isSilent else { return }
        for other in AVPlayer.others.all where other !== self && other.desiredRate > 0 && !other.settings.isSilent {
            other.pause()
        }
    }
}

/// A list of weak references to all players, in the order of their creation or their last start.
@MainActor
private final class OtherPlayers {
    var isOn = false
    private struct Known {
        weak var player: AVPlayer?
        var hasStarted = false
    }
    private var known: [Known] = []

    var all: [AVPlayer] { known.compactMap(\.player) }
    /// The player that has started last, or else the newest one.
    var latest: AVPlayer? {
        known.last { $0.hasStarted && $0.player != nil }?.player ?? known.last { $0.player != nil }?.player
    }
    func created(_ player: AVPlayer) {
        known.removeAll { $0.player == nil }
        known.append(Known(player: player))
    }
    func started(_ player: AVPlayer) {
        known.removeAll { $0.player == nil || $0.player === player }
        known.append(Known(player: player, hasStarted: true))
    }
}
