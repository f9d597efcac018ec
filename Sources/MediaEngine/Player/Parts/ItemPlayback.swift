/// What has become known of an item by playing it, or by loading it ahead.
struct ItemPlayback {
    var streamTitle: String?
    /// LUFS; nil until measured.
    var integratedLoudness: Double?
    var isPreloaded = false
    /// How often a loop has joined the item's end to its beginning.
    var loopCount = 0
    /// Whether the end that is being reported is followed by another pass.
    var isAtSeam = false
}
