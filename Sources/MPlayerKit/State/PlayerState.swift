import Zoetrope

/// The state of a model's player. Not equatable, because a reason may be an error.
///
/// ```swift
/// switch state {
/// case .playing: symbol = "pause.fill"
/// case .buffering: symbol = "hourglass"
/// case .paused(reason: .error): symbol = "exclamationmark.triangle"
/// case .paused: symbol = "play.fill"
/// }
/// ```
public enum PlayerState {
    /// The player is playing.
    case playing
    /// The player is paused.
    case paused(reason: PlayerPauseReason)
    /// Playback was requested, and the player is waiting.
    case buffering(reason: PlayerBufferingReason)

    /// Whether the state is `.playing`. A player that waits is not playing.
    public var isPlaying: Bool { if case .playing = self { true } else { false } }
}

/// A reason why a player is paused.
public enum PlayerPauseReason {
    /// The user or the app has paused the player, or it has not been played yet.
    case userInitiated
    /// The audio server interrupts the player.
    case interrupted
    /// The item has been played to its end.
    case endOfMedia
    /// The item has failed, usually with an `AVError`.
    case error(Error)
}

/// A reason why a player is waiting, as in `AVPlayer.WaitingReason`.
public enum PlayerBufferingReason {
    /// An unknown reason; the reasons of AVFoundation with the same names (`evaluatingBufferRate` stands for
    /// `evaluatingBufferingRate`).
    case unknown, toMinimizeStalls, evaluatingBufferRate, noItemToPlay
    // The name has the spelling of the original package on Apple's platforms.
    /// The reason `AVPlayer.WaitingReason.waitingForCoordinatedPlayback`, which does not occur on Linux.
    case waitingForCoorindatedPlayback

    init(_ reason: AVPlayer.WaitingReason?) {
        self =
            switch reason {
            case .toMinimizeStalls?: .toMinimizeStalls
            case .evaluatingBufferingRate?: .evaluatingBufferRate
            case .noItemToPlay?: .noItemToPlay
            case .waitingForCoordinatedPlayback?: .waitingForCoorindatedPlayback
            default: .unknown
            }
    }
}

/// A presentation of a player.
///
/// ```swift
/// Button("Watch") { model.presentation = .fullscreen(autoplay: true) }
///     .systemPlayerFullScreenPresenter()
/// ```
public enum PlayerPresentation: Equatable, Sendable {
    /// No presentation: the player is where the app's views show it, and does not play by itself.
    case none
    /// Full screen, over all other views. If `autoplay` is true, playback starts when the view appears.
    case fullscreen(autoplay: Bool)
    /// Inside the app's views. If `autoplay` is true, playback starts when the view appears.
    case inline(autoplay: Bool)

    var autoplays: Bool {
        switch self {
        case .none: false
        case .fullscreen(let autoplay), .inline(let autoplay): autoplay
        }
    }
    var isFullScreen: Bool { if case .fullscreen = self { true } else { false } }
}

extension PlayerState {
    /// Returns whether two states are the same. Errors are compared by their texts.
    func isSame(as other: PlayerState) -> Bool { "\(self)" == "\(other)" }
}
