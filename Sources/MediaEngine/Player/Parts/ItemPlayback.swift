/// The properties of an item that become known by playing or preloading it.
struct ItemPlayback {
    var streamTitle: String?
    /// The integrated loudness in LUFS; nil until it is known.
    var integratedLoudness: Double?
    var isPreloaded = false
    /// The number of passes of a loop that are completed.
    var loopCount = 0
    /// Whether another pass follows the end that is being reported.
    var isAtLoopBoundary = false
}
