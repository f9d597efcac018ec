/// Where segments begin and which are dated. Derived from them, so it takes no part in comparison.
struct SegmentTimeline: Sendable, Equatable {
    /// Begin of each segment, seconds; the last entry is where all end.
    private var starts: [Double] = [0]
    /// Indices of the segments with a date of their own, rising.
    private var dated: [Int] = []

    var duration: Double { starts[starts.count - 1] }
    var count: Int { starts.count - 1 }

    mutating func append(_ segments: ArraySlice<MediaSegment>) {
        starts.reserveCapacity(starts.count + segments.count)
        // By index: two fields are read, not whole segments copied with all that they hold.
        for index in segments.indices {
            if segments[index].programDateTime != nil { dated.append(count) }
            starts.append(duration + segments[index].duration)
        }
    }

    /// Forgets the segments from `count` on.
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

    /// The last dated segment at or before `index`, else the first after it.
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
