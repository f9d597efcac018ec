import Foundation
import MediaCore

/// What of a stream has come, as the player asks it: a picture of the loop's state, taken on every change.
package struct StreamBuffer: Sendable {
    /// Media times of whole segments, sorted, without overlaps.
    package var main: [Range<Int64>] = []
    /// Of sound in playlists of its own; nil: it is in the main rendition.
    package var audio: [Range<Int64>]?
    /// Where the programme ends; nil: not known, or never.
    package var end: Int64?
    package var seekable: Range<Int64>?
    /// Bit/s the network carries over those that playing takes; nil: unknown.
    package var surplus: Double?
    package var isFull = false
    /// What comes next is gone or has failed: nothing more comes before the reader has met that.
    package var breaksOff = false
    /// Of a live stream: how far from its newest moment playing is to keep, nanoseconds.
    package var holdBack: Int64?
    /// Where media time and the wall clock meet, if the playlist tells.
    package var anchor: (time: Int64, date: Date)?
    package init() {}

    /// Both renditions have come.
    package var loaded: [Range<Int64>] {
        guard let audio else { return main }
        var result: [Range<Int64>] = []
        for range in main {
            for other in audio where range.overlaps(other) { result.append(range.clamped(to: other)) }
        }
        return result
    }

    package func date(at time: Int64) -> Date? {
        anchor.map { $0.date.addingTimeInterval(Double(time - $0.time) / 1e9) }
    }
    package func time(at date: Date) -> Int64? {
        anchor.map { $0.time + TimedPlaylist.nanoseconds(date.timeIntervalSince($0.date)) }
    }

    /// From `playhead` on without a hole, nanoseconds.
    package func ahead(of playhead: Int64) -> Int64 {
        // Segments begin and end where playlists say, which is not quite where their samples do.
        let near = loaded.first { $0.lowerBound - 100_000_000 <= playhead && playhead < $0.upperBound }
        return near.map { $0.upperBound - playhead } ?? 0
    }

    package func isComplete(from playhead: Int64) -> Bool {
        guard let end else { return false }
        return playhead + ahead(of: playhead) >= end - 100_000_000
    }

    /// Sorted and joined where nothing is left to come between them: `StreamPlan` goes on with a segment that
    /// begins a little later (renditions' segments differ, an encoder that begins anew), and such a hole is never
    /// filled.
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
