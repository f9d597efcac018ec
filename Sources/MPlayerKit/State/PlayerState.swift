import Zoetrope

/// What a model's player does. Not equatable: a reason may be an error.
public enum PlayerState {
    /// Time passes.
    case playing
    /// It stands.
    case paused(reason: PlayerPauseReason)
    /// It is to play, and waits.
    case buffering(reason: PlayerBufferingReason)

    /// It is `.playing`; a player that waits is not.
    public var isPlaying: Bool { if case .playing = self { true } else { false } }
}

/// Why a player stands.
public enum PlayerPauseReason {
    /// Somebody paused it, or nobody has played it yet.
    case userInitiated
    /// While an interruption of `AVAudioSession` lasts.
    case interrupted
    /// The item has been played to its end.
    case endOfMedia
    /// The item has failed: mostly an `AVError`.
    case error(Error)
}

/// Why a player waits: `AVPlayer.WaitingReason`'s.
public enum PlayerBufferingReason {
    /// As AVFoundation's reasons of these names; `unknown` where the player gives none.
    case unknown, toMinimizeStalls, evaluatingBufferRate, noItemToPlay
    // Spelled as the package on Apple's platforms spells it.
    /// As `AVPlayer.WaitingReason.waitingForCoordinatedPlayback`; nothing here waits for that.
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

/// Where a player is to be seen.
public enum PlayerPresentation: Equatable, Sendable {
    /// Where views have put it, and nothing plays by itself.
    case none
    /// Over everything else. - Parameter autoplay: it plays once it is there.
    case fullscreen(autoplay: Bool)
    /// In its place among the app's views. - Parameter autoplay: it plays once it is there.
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
    /// The same, as far as anybody can tell: an error is as good as another with the same words.
    func isSame(as other: PlayerState) -> Bool { "\(self)" == "\(other)" }
}
