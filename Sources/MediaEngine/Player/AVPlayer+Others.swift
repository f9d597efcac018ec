import Foundation

extension AVPlayer {
    /// Whether a player that begins to play pauses the others of this program. Those that are muted, or silent by their
    /// volume, neither pause others nor are paused. Default false: they play together. Apple has none; main actor.
    public static var pausesOtherPlayers: Bool {
        get { others.isOn }
        set { others.isOn = newValue }
    }
    private static let others = OtherPlayers()

    /// It plays from now on.
    func pauseOthers() {
        AVPlayer.others.remember(self)
        guard AVPlayer.pausesOtherPlayers, !settings.isSilent else { return }
        for other in AVPlayer.others.all where other !== self && other.desiredRate > 0 && !other.settings.isSilent {
            other.pause()
        }
    }
}

/// The players that have played. Main actor.
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
