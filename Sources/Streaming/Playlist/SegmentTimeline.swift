/// The start times of segments, and the segments with dates. They are derived from the segments, so all values are
/// equal when playlists are compared.
struct SegmentTimeline: Sendable, Equatable {
    /// The start of each segment in seconds. The last entry is the end of the last segment.
    private var starts: [Double] = [0]
    /// The indices of the segments with a date of their own, in ascending order.
    private var dated: [Int] = []

    var duration: Double { starts[starts.count - 1] }
    var count: Int { starts.count - 1 }

    mutating func append(_ segments: ArraySlice<MediaSegment>) {
        starts.reserveCapacity(starts.count + segments.count)
        // Accessing by index reads two fields instead of copying whole segments.
        for index in segments.indices {
            if segments[index].programDateTime != nil { dated.append(count) }
            starts.append(duration + segments[index].duration)
        }
    }

    /// Removes the segments from index `count` on.
    mutating func truncate(to count: Int) {
        guard count < self.count else { return }
        starts.removeLast(self.count - count)
        while let last = dated.last, last >= count { dated.removeLast() }
    }

    func start(of index: Int) -> Double { starts[min(max(index, 0), count)] }

    func index(at time: Double) -> Int? {
        guard time >= 0, time < duration else { return nil }
        let after = Self.firstIndex(in: starts) { $0 > time }
        return after - 1
    }

    /// Returns the last segment with a date at or before `index`, or else the first one after it.
    func dated(near index: Int) -> Int? {
        let after = Self.firstIndex(in: dated) { $0 > index }
        return after > 0 ? dated[after - 1] : dated.first
    }

    private static func firstIndex<Value>(in values: [Value], where isAfter: (Value) -> Bool) -> Int {
        var low = 0
        var high = values.count
        while low < high {
            let middle = (low + high) / 2
            if isAfter(values[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    static func == (_: SegmentTimeline, _: SegmentTimeline) -> Bool { true }
}
