/// The properties of an item that change when it is played or preloaded.
struct ItemPlayback {
    var streamTitle: String?
    /// The integrated loudness in LUFS; nil until it is known.
    var integratedLoudness: Double?
    var isPreloaded = false
    /// The number of passes of a loop that are completed.
    var loopCount = 0
    /// Whether the end that is being reported is a loop boundary, after which another pass has begun.
    var isAtLoopBoundary = false
}
