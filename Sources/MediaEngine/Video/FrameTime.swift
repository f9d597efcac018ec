import CFFmpeg
import MediaCore

/// The rule for which frame is displayed at a time. Snapshots, exports, seeks, loops and steps share it.
///
/// A frame is displayed from its timestamp on. Times are therefore compared, and never rounded to the stream's ticks,
/// which may be a fifth of a second long.
extension MediaTime {
    /// The tolerance of comparisons. Typed times and those in a `CMTime` often have six decimals, so a difference of
    /// half a microsecond is a rounding error.
    private static let precision: MediaTime = 500

    /// Returns whether a frame with this timestamp is displayed at `time` or was displayed before.
    package func hasBegun(by time: MediaTime) -> Bool { self <= time + MediaTime.precision }

    /// The latest time at which a frame with this timestamp is certainly not displayed yet.
    var justBefore: MediaTime { self - MediaTime.precision * 2 }

    /// Returns the newest tick of `base` that has been reached at this time.
    func lastStamp(in base: AVRational) -> Int64 {
        let nearest = stamp(in: base)
        guard let time = MediaTime(stamp: nearest, base: base), !time.hasBegun(by: self) else { return nearest }
        return nearest.subtractingSaturating(1)
    }
}
