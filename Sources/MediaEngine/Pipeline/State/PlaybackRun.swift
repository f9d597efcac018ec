/// The current serial and its progress.
struct PlaybackRun {
    /// Incremented by every seek and item change, so that data of older serials can be discarded.
    private(set) var serial = 0
    /// The number of the decoding run. Serials with the same number share their packets and the state of the video
    /// decoder.
    private(set) var decodeRun = 0

    var hasFirstFrame = false
    var hasFirstAudio = false
    var videoEnded = false
    var audioEnded = false
    /// Whether the displayed frame no longer matches the audio in the ring buffer, after a step or a single-frame seek.
    var audioIsStale = false

    /// Begins a new serial without any progress.
    ///
    /// - Parameter decodesOn: Whether the new serial uses the same packets and the decoder's current state.
    mutating func restart(decodesOn: Bool) {
        self = PlaybackRun(serial: serial + 1, decodeRun: decodesOn ? decodeRun : decodeRun + 1)
    }
}

/// The seeks that are not completed yet.
struct Seeks {
    /// The newest seek that has not begun.
    var pending: SeekRequest?
    /// The seek that is being carried out.
    var running: SeekRequest?
    /// Whether the running seek loads a single frame. The audio and frames in the queues then belong to the previous
    /// position.
    var isScrubbing = false
}

/// The settings of the player and its display.
struct PlaybackSettings {
    /// The playback rate; 0 if paused.
    private(set) var rate: Double = 0
    /// The last rate above 0, kept while paused, for the audio thread.
    private(set) var speed: Double = 1
    var volume: Float = 1
    var isMuted = false
    /// The name that the audio server shows. If empty, it shows `AudioIdentity.name`.
    var title = ""
    /// The loudness target in LUFS; `nil` plays items as recorded.
    var loudnessTarget: Double?
    /// The size in device pixels at which the last display showed frames.
    var displaySize: (width: Int, height: Int)?

    mutating func setRate(_ new: Double) {
        rate = new
        if new > 0 { speed = new }
    }
}
