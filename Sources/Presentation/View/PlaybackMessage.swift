import MediaEngine
import PlayerControls

extension PlaybackControl {
    /// Performs an action and returns the message to show about it. Returns nil for actions of the window, and if there
    /// is no player.
    package func performWithMessage(_ action: PlaybackAction) -> String? {
        guard let player = players.first else { return nil }
        perform(action)
        switch action {
        case .playPause: return PlayerWords.localized(player.rate == 0 ? "Paused" : "Playing")
        case .seek, .jump, .start, .end, .step: return positionText
        case .volume: return PlayerWords.localized("Volume: %@%", "\(Int((player.volume * 100).rounded()))")
        case .mute: return PlayerWords.localized(player.isMuted ? "Muted" : "Unmuted")
        case .speed, .multiplySpeed: return speedText
        case .toggleSubtitles, .toggleFullScreen, .exitFullScreen, .toggleLoop, .close: return nil
        }
    }

    /// The position and the duration, such as `0:12 / 1:30`.
    package var positionText: String {
        let position = TimeText.clock(position ?? .nan, unknown: "–")
        guard let seconds = players.first?.currentItem?.duration.seconds, seconds.isFinite else { return position }
        return position + " / " + TimeText.clock(seconds)
    }

    /// The speed, such as `Speed: 1.5×`.
    package var speedText: String {
        let rounded = (speed * 100).rounded() / 100
        let number = rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
        return "\(PlayerWords.localized("Speed")): \(number)×"
    }
}
