/// The serial that plays: which it is, and what of it is there.
struct PlaybackRun {
    /// Counts seeks and openings: what was begun in another one is void.
    private(set) var serial = 0
    /// Serials with the same number go on with the same packets and the same state of the video decoder.
    private(set) var decodeRun = 0

    var hasFirstPicture = false
    var hasFirstSound = false
    var videoEnded = false
    var audioEnded = false
    /// A step moved the picture away from what waits in the ring.
    var soundIsStale = false

    /// Another serial, of which nothing is there.
    /// - Parameter decodesOn: with the same packets, and the decoder as it is.
    mutating func restart(decodesOn: Bool) {
        self = PlaybackRun(serial: serial + 1, decodeRun: decodesOn ? decodeRun : decodeRun + 1)
    }
}

/// Seeks that are not answered yet.
struct Seeks {
    /// The newest that has not begun, and the one under way.
    var pending: SeekRequest?
    var running: SeekRequest?
    /// The running one waits for a single picture: what is there answers the seek before it.
    var isScrubbing = false
}

/// What the player and its display want.
struct PlaybackSettings {
    /// 0: paused.
    private(set) var rate: Double = 0
    /// The rate when playing, kept over pauses, for the audio thread.
    private(set) var speed: Double = 1
    var volume: Float = 1
    var isMuted = false
    /// What the audio server shows; empty for the process's name.
    var title = ""
    /// LUFS; nil: as recorded.
    var loudnessTarget: Double?
    /// Device pixels that the last display gave the pictures.
    var displaySize: (width: Int, height: Int)?

    mutating func setRate(_ new: Double) {
        rate = new
        if new > 0 { speed = new }
    }
}
