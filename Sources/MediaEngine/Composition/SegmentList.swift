import MediaCore

/// The segments of a composition's track, from time zero on. No edit leaves a gap between them.
///
/// Callers clamp times with `boundedForComposition`.
struct SegmentList: Sendable {
    private(set) var all: [CompositionSegment] = []

    /// The end of the last segment; zero if there is none.
    var end: CMTime { all.last?.target.end ?? .zero }

    // MARK: edits

    /// Inserts `new` at `time`. Everything at or after `time` moves later by the duration of `new`.
    ///
    /// - Parameter time: A time after the end leaves an empty segment before `new`; nil appends `new`.
    mutating func insert(_ new: [CompositionSegment], at time: CMTime?) {
        let time = time ?? end
        if time.isNearlyEqual(to: end) {
            append(new)
        } else if time > end {
            append([CompositionSegment(empty: time - end)] + new)
        } else {
            let index = split(at: time)
            all.insert(contentsOf: new, at: index)
            arrange()
        }
    }

    /// Removes `range`. Everything after `range` moves to its start.
    mutating func remove(_ range: CMTimeRange) {
        let first = split(at: range.start)
        let last = split(at: range.end)
        guard first < last else { return }
        all.removeSubrange(first..<last)
        arrange()
    }

    /// Changes the duration of `range`. The segments inside play slower or faster, and those after it move.
    ///
    /// - Parameter duration: The new duration, greater than zero. If `range` extends beyond the end, the part before
    ///   the end gets its share.
    mutating func scale(_ range: CMTimeRange, to duration: CMTime) {
        let first = split(at: range.start)
        let last = split(at: range.end)
        guard first < last else { return }
        let old = CMTimeRange(start: range.start, duration: range.duration)
        let new = CMTimeRange(start: range.start, duration: duration)
        for index in first..<last {
            func mapped(_ time: CMTime) -> CMTime {
                if time.isNearlyEqual(to: old.start) { return new.start }
                if time.isNearlyEqual(to: old.end) { return new.end }
                return CMTimeMapTimeFromRangeToRange(time, fromRange: old, toRange: new)
            }
            let target = all[index].target
            all[index].mapping.target = CMTimeRange(start: mapped(target.start), end: mapped(target.end))
        }
        arrange()
    }

    /// Returns the segments in `range`, moved so that `range` begins at zero. They end with the list.
    func cropped(to range: CMTimeRange) -> [CompositionSegment] {
        var part = self
        let first = part.split(at: range.start)
        let last = part.split(at: range.end)
        guard first < last else { return [] }
        part.all = Array(part.all[first..<last])
        part.arrange()
        return part.all
    }

    // MARK: order

    /// Divides the segment at `time`, unless a segment begins there.
    ///
    /// - Returns: The index of the segment that begins at `time`; the number of segments for the end and after it.
    private mutating func split(at time: CMTime) -> Int {
        guard let index = all.firstIndex(where: { $0.target.end > time }) else { return all.count }
        let segment = all[index]
        if segment.target.start.isNearlyEqual(to: time) || time < segment.target.start { return index }
        if segment.target.end.isNearlyEqual(to: time) { return index + 1 }
        all[index] = segment.cropped(from: segment.target.start, to: time)
        all.insert(segment.cropped(from: time, to: segment.target.end), at: index + 1)
        return index + 1
    }

    /// Places all segments one after the other.
    private mutating func arrange() {
        let segments = all
        all.removeAll()
        all.reserveCapacity(segments.count)
        append(segments)
    }

    /// Places `segments` at the end, joins empty ones, and removes empty ones at the end.
    private mutating func append(_ segments: [CompositionSegment]) {
        for segment in segments where segment.duration > .zero {
            if segment.source == nil, let last = all.last, last.source == nil {
                all[all.count - 1] = last.placed(at: last.target.start, lasting: last.duration + segment.duration)
            } else {
                all.append(segment.placed(at: end))
            }
        }
        while let last = all.last, last.source == nil { all.removeLast() }
    }
}
