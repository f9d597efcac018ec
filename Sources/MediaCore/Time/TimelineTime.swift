/// A time of a player's own timeline, in nanoseconds.
///
/// It increases while the player plays and never jumps back, across seeks, loop iterations and items. `Segment` maps it
/// to an item's media time, `PlaybackClock` to the machine's clock. It is a separate type, so that the three kinds of
/// times cannot be mixed. Differences are media times. All arithmetic saturates.
package struct TimelineTime: Sendable, Hashable, Comparable {
    package let nanoseconds: Int64

    package static let zero = TimelineTime(nanoseconds: 0)
    package static let max = TimelineTime(nanoseconds: .max)
    package static let min = TimelineTime(nanoseconds: .min)

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    /// Creates a time from nanoseconds computed for stretched audio. The fraction is cut off, and NaN becomes zero.
    package init(rounding nanoseconds: Double) { self.init(nanoseconds: Int64(saturating: nanoseconds)) }

    package static func < (a: TimelineTime, b: TimelineTime) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (a: TimelineTime, length: MediaTime) -> TimelineTime {
        TimelineTime(nanoseconds: a.nanoseconds.addingSaturating(length.nanoseconds))
    }
    package static func - (a: TimelineTime, length: MediaTime) -> TimelineTime {
        TimelineTime(nanoseconds: a.nanoseconds.subtractingSaturating(length.nanoseconds))
    }
    package static func - (a: TimelineTime, b: TimelineTime) -> MediaTime {
        MediaTime(nanoseconds: a.nanoseconds.subtractingSaturating(b.nanoseconds))
    }
}

extension TimelineTime: CustomStringConvertible {
    package var description: String { "\(Double(nanoseconds) / 1e9) s of the timeline" }
}
