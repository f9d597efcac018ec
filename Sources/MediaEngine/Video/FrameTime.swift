import CFFmpeg
import MediaCore

/// Which frame is displayed at a time: the one rule for snapshots, exports, seeks, loops and steps.
///
/// A frame is displayed from its timestamp on, so times are compared, never rounded to the stream's ticks, which may be
/// a fifth of a second long.
extension MediaTime {
    /// Times that people type and that `CMTime` carries often have six decimals: half of the last one is no earlier
    /// moment.
    private static let precision: MediaTime = 500

    /// Whether a frame whose timestamp this is has been reached at `time`.
    package func hasBegun(by time: MediaTime) -> Bool { self <= time + MediaTime.precision }

    /// The latest time at which a frame whose timestamp this is has certainly not been reached.
    var justBefore: MediaTime { self - MediaTime.precision * 2 }

    /// The newest tick of `base` that has been reached by now.
    func lastStamp(in base: AVRational) -> Int64 {
        let nearest = stamp(in: base)
        guard let time = MediaTime(stamp: nearest, base: base), !time.hasBegun(by: self) else { return nearest }
        return nearest.subtractingSaturating(1)
    }
}
