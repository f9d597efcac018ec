/// How loud items are to be.
public enum AVLoudness: Hashable, Sendable {
    /// Each as it was recorded. The default.
    case asRecorded
    /// All alike, at an integrated loudness of `target` LUFS after EBU R 128 (ITU-R BS.1770): −23 is broadcast's, −16
    /// to −14 that of streaming services. −50 … −5, clamped; one that is no number is −23. An item is raised by 30 dB
    /// at most, and never so far that its true peak lies above −1 dBTP; what is silent, or shorter than 0.4 s, stays as
    /// it is. Sound in one channel, which comes from two loudspeakers, counts as from two.
    ///
    /// A local file is measured once, in the background by a thread that gives way to others, from a little ahead of
    /// its turn on; what came of it is kept in the user's cache folder (`$XDG_CACHE_HOME/zoetrope/loudness`, of 2000
    /// files at most). Until then it plays by its tags (`R128_TRACK_GAIN`, ReplayGain) where it has them, else as
    /// recorded, and goes to its loudness within half a second when that is known. Of what comes over a network only
    /// tags count.
    case r128(_ target: Double = -23)

    /// LUFS.
    var target: Double? {
        guard case .r128(let target) = self else { return nil }
        return target.isNaN ? -23 : min(max(target, -50), -5)
    }
}
