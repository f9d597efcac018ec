/// The settings that an app has made on a player. Each setting clamps its own values.
struct PlayerSettings {
    /// The lowest rate other than 0.
    private static let slowest: Float = 0.01
    private static let fastest: Float = 16

    var defaultRate: Float = 1 {
        didSet {
            defaultRate =
                defaultRate.isNaN
                ? oldValue : min(max(defaultRate, PlayerSettings.slowest), PlayerSettings.fastest)
        }
    }
    var volume: Float = 1 {
        didSet { volume = volume.isNaN ? oldValue : min(max(volume, 0), 1) }
    }
    var isMuted = false
    /// Whether the audio server shows the title of the current item, because the player has no title of its own.
    var showsItemTitle = true
    var loudness = AVLoudness.asRecorded
    var crossfadeDuration = 0.0 {
        didSet {
            crossfadeDuration =
                crossfadeDuration.isNaN ? 0 : min(max(crossfadeDuration, 0), PlaybackPipeline.longestCrossfade.seconds)
        }
    }
    var actionAtItemEnd = AVPlayer.ActionAtItemEnd.pause
    var appliesMediaSelectionCriteriaAutomatically = true
    var selectionCriteria: [AVMediaCharacteristic: AVPlayerMediaSelectionCriteria] = [:]
    var automaticallyWaitsToMinimizeStalling = true
    var updatesNowPlayingInfoCenter = true
    var preventsDisplaySleepDuringVideoPlayback = true
    var allowsExternalPlayback = true

    /// Whether the player is inaudible even if its item has audio.
    var isSilent: Bool { isMuted || volume <= 0 }

    /// Returns the playback rate for a requested rate. A negative rate and NaN count as 0.
    static func rate(_ requested: Float) -> Float { requested > 0 ? min(max(requested, slowest), fastest) : 0 }
}
