import MediaCore
import MediaEngine
import PlayerControls

/// The commands that play, pause and seek. A later command overrules an earlier one. Main actor.
@MainActor
final class Transport {
    /// Returns the position at which playback starts again after the end.
    var start: () -> CMTime = { .zero }
    /// Called with the result of each seek.
    var onSeek: (Bool) -> Void = { _ in }
    private let player: AVPlayer
    /// The number of commands so far, so that the result of a seek does not overrule a later command.
    private var commands = 0

    init(_ player: AVPlayer) { self.player = player }

    func play() {
        if player.rate == 0, PlaybackControl(player).isAtEnd { return seek(to: start(), thenPlay: true) }
        commands += 1
        player.play()
    }

    func pause() {
        commands += 1
        player.pause()
    }

    /// Pauses if the speed is 0 or less, and plays otherwise.
    func setSpeed(_ speed: Float) {
        guard !speed.isNaN else { return }
        guard speed > 0 else { return pause() }
        player.defaultRate = speed
        play()
    }

    /// Seeks to the start, and pauses.
    func seekToStart() { seek(to: start(), thenPlay: false) }

    /// Seeks to the end, and pauses.
    func seekToEnd() {
        let duration = player.currentItem?.duration ?? .invalid
        seek(to: duration.isNumeric ? duration : .positiveInfinity, thenPlay: false)
    }

    /// Seeks to a time.
    /// - Parameters:
    ///   - time: The time.
    ///   - plays: Whether playback continues from there. Otherwise the player pauses at once.
    func seek(to time: CMTime, thenPlay plays: Bool) {
        commands += 1
        let command = commands
        if !plays { player.pause() }
        player.seek(to: time) { [weak self] done in
            guard let self else { return }
            onSeek(done)
            // Playback continues after the frame is displayed, and only if no later command was given.
            if done, plays, commands == command { player.play() }
        }
    }

    /// Keeps a pending seek from starting playback when it ends.
    func interrupt() { commands += 1 }
}
