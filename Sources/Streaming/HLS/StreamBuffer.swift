import Foundation

/// The buffer state of a stream, as the player sees it. The loop creates a new value after every change.
package struct StreamBuffer: Sendable {
    /// The loaded ranges of the main rendition as media times in nanoseconds, sorted and without overlaps. They include
    /// gaps and the loaded share of the current segment.
    package var main: [Range<Int64>] = []
    /// The loaded ranges of a separate audio rendition, or nil if audio is in the main rendition.
    package var audio: [Range<Int64>]?
    /// The end of the stream as media time in nanoseconds, or nil if it is unknown or the stream is live.
    package var end: Int64?
    /// The range in which the user can seek as media times in nanoseconds, or nil before the playlist has arrived.
    package var seekable: Range<Int64>?
    /// The throughput divided by the bit rate of the current variant, or nil if it is unknown.
    package var surplus: Double?
    /// Whether loading is paused, because enough is buffered or everything available has been loaded.
    package var isFull = false
    /// Whether loading has stopped because the next segment has failed or is no longer available. Loading resumes only
    /// after the reader has received the error or the position at which to continue.
    package var willFail = false
    /// The distance to keep from the newest media of a live stream, in nanoseconds; nil for other streams.
    package var holdBack: Int64?
    /// A media time and its date, if the playlist states dates.
    package var anchor: (time: Int64, date: Date)?
    /// The ranges of dates in the playlist, in its order.
    package var dateRanges: [DateRange] = []
    package init() {}

    /// The ranges for which both renditions are loaded.
    package var loaded: [Range<Int64>] {
        guard let audio else { return main }
        var result: [Range<Int64>] = []
        for range in main {
            for other in audio where range.overlaps(other) { result.append(range.clamped(to: other)) }
        }
        return result
    }

    /// Returns the date of a media time in nanoseconds, or nil if the playlist states no dates.
    package func date(at time: Int64) -> Date? {
        anchor.map { $0.date.addingTimeInterval(Double(time - $0.time) / 1e9) }
    }
    /// Returns the media time of a date in nanoseconds, or nil if the playlist states no dates. The time may be outside
    /// `seekable`.
    package func time(at date: Date) -> Int64? {
        anchor.map { $0.time + TimedPlaylist.nanoseconds(date.timeIntervalSince($0.date)) }
    }

    /// Returns the duration that is loaded without a gap from `playhead` on, in nanoseconds.
    package func ahead(of playhead: Int64) -> Int64 {
        // The times of segments in a playlist differ slightly from those of their samples.
        let near = loaded.first { $0.lowerBound - 100_000_000 <= playhead && playhead < $0.upperBound }
        return near.map { $0.upperBound - playhead } ?? 0
    }

    /// Returns whether all media from `playhead` to the end is loaded, except for the last 0.1 s at most. False if the
    /// end is unknown or the stream is live.
    package func isComplete(from playhead: Int64) -> Bool {
        guard let end else { return false }
        return playhead + ahead(of: playhead) >= end - 100_000_000
    }

    /// Sorts ranges, and joins those between which nothing will be loaded. Segments may begin slightly later than the
    /// previous one ends, because renditions differ or an encoder has restarted. `StreamPlan` continues with such a
    /// segment, so the gap is never filled.
    static func union(_ ranges: some Sequence<Range<Int64>>) -> [Range<Int64>] {
        var result: [Range<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last, range.lowerBound <= last.upperBound + TimedPlaylist.longestTolerance {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
