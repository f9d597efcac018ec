import Foundation
import MediaCore

/// A track of a file that a segment plays.
final class CompositionSource: Sendable {
    let url: URL
    let options: AssetOptions
    /// The track's properties in the file.
    let facts: TrackFacts
    /// The index of the stream in libavformat.
    var streamIndex: Int { Int(facts.trackID) - 1 }

    init(url: URL, options: AssetOptions, facts: TrackFacts) {
        self.url = url
        self.options = options
        self.facts = facts
    }

    /// Returns whether both sources are the same track, so that one reader can read both.
    func isSame(as other: CompositionSource) -> Bool {
        url == other.url && options === other.options && facts.trackID == other.facts.trackID
    }
}

/// A part of a composition's track: a range of a source, or nothing.
struct CompositionSegment: Sendable {
    /// The source; nil for an empty segment.
    var source: CompositionSource?
    /// The range of the source and its range on the composition's timeline. The range of an empty segment's source is
    /// invalid.
    var mapping: CMTimeMapping

    var target: CMTimeRange { mapping.target }
    var duration: CMTime { mapping.target.duration }

    /// Creates a segment that plays `range` of `source` at its natural speed, at the start of the timeline.
    init(_ source: CompositionSource, range: CMTimeRange) {
        self.source = source
        mapping = CMTimeMapping(source: range, target: CMTimeRange(start: .zero, duration: range.duration))
    }

    /// Creates a segment that plays nothing, at the start of the timeline.
    init(empty duration: CMTime) {
        mapping = CMTimeMapping(source: .invalid, target: CMTimeRange(start: .zero, duration: duration))
    }

    /// Returns the part of the segment from `start` to `end`, which are times of the composition inside the segment.
    func cropped(from start: CMTime, to end: CMTime) -> CompositionSegment {
        var part = self
        part.mapping.target = CMTimeRange(start: start, end: end)
        guard source != nil else { return part }
        func mapped(_ time: CMTime) -> CMTime {
            if time == target.start { return mapping.source.start }
            if time == target.end { return mapping.source.end }
            return CMTimeMapTimeFromRangeToRange(time, fromRange: target, toRange: mapping.source)
        }
        part.mapping.source = CMTimeRange(start: mapped(start), end: mapped(end))
        return part
    }

    /// Returns the segment at another start and with another duration on the timeline.
    func placed(at start: CMTime, lasting duration: CMTime? = nil) -> CompositionSegment {
        var moved = self
        moved.mapping.target = CMTimeRange(start: start, duration: duration ?? self.duration)
        return moved
    }
}

extension CMTime {
    /// The time with epoch 0, clamped to the range from zero to the limit of `MediaTime`; nil if it is not a number.
    var boundedForComposition: CMTime? {
        guard isNumeric else { return nil }
        let limit = MediaTime.max.time
        let time = CMTime(value: value, timescale: timescale, flags: flags, epoch: 0)
        return Swift.min(Swift.max(.zero, time), limit)
    }

    /// Whether the times differ by at most a rounding error of half a microsecond.
    func isNearlyEqual(to other: CMTime) -> Bool {
        guard let a = MediaTime(self), let b = MediaTime(other) else { return false }
        return (a - b).magnitude <= 500
    }
}

extension CMTimeRange {
    /// The range with both times as in `CMTime.boundedForComposition`; nil if it is not valid or has no duration. An
    /// infinite duration extends to the limit.
    var boundedForComposition: CMTimeRange? {
        guard isValid, let from = start.boundedForComposition else { return nil }
        let limit = MediaTime.max.time
        let to = duration.isPositiveInfinity ? limit : end.boundedForComposition
        guard let to, to > from else { return nil }
        return CMTimeRange(start: from, end: to)
    }
}
