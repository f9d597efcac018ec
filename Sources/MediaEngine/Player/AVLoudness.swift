/// The loudness to which a player adjusts its items.
public enum AVLoudness: Hashable, Sendable {
    /// The loudness of the recording, unchanged. The default.
    case asRecorded
    /// The same integrated loudness for all items, in LUFS, as defined by EBU R 128 (ITU-R BS.1770).
    ///
    /// Broadcasting uses −23, streaming services −16 to −14. The target is clamped to −50 … −5; NaN counts as −23. The
    /// gain of an item is at most 30 dB, and is limited so that its true peak does not exceed −1 dBTP. Silent items,
    /// and items shorter than 0.4 s, are not changed. Mono audio counts as two channels, because two loudspeakers play
    /// it.
    ///
    /// A low-priority background thread measures a local file once, shortly before it plays. The results of up to 2000
    /// tracks are cached in `$XDG_CACHE_HOME/zoetrope/loudness`. Until the result is known, the gain comes from the
    /// tags of the file (`R128_TRACK_GAIN`, ReplayGain). Without tags, the file plays as recorded. When the result
    /// becomes known during playback, the loudness changes within half a second. For remote items, only tags are used.
    case r128(_ target: Double = -23)

    /// The target in LUFS, clamped; nil for `.asRecorded`.
    var target: Double? {
        guard case .r128(let target) = self else { return nil }
        return target.isNaN ? -23 : min(max(target, -50), -5)
    }
}
