import Foundation

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

    /// Pauses the other players if `pausesOtherPlayers` is set. Called when this player starts to play.
    func pauseOthers() {
        AVPlayer.others.remember(self)
        guard AVPlayer.pausesOtherPlayers, !settings.isSilent else { return }
        for other in AVPlayer.others.all where other !== self && other.desiredRate > 0 && !other.settings.isSilent {
            other.pause()
        }
    }
}

/// A list of weak references to the players that have played.
@MainActor
private final class OtherPlayers {
    var isOn = false
    private struct Known { weak var player: AVPlayer? }
    private var known: [Known] = []

    var all: [AVPlayer] { known.compactMap(\.player) }
    func remember(_ player: AVPlayer) {
        guard !known.contains(where: { $0.player === player }) else { return }
        known.removeAll { $0.player == nil }
        known.append(Known(player: player))
    }
}
