import MediaCore

/// A cache of complete segments, so that seeking back needs no requests. Its size is limited, and the least recently
/// used segments are removed first.
struct SegmentCache {
    struct Key: Hashable {
        var source: String
        var generation = 0
        var mediaSequence: Int
    }
    private struct Held {
        var segment: StreamSegment
        var used: UInt64
        var bytes: Int
    }
    private var held: [Key: Held] = [:]
    private var clock: UInt64 = 0
    private(set) var bytes = 0
    /// The maximum size of all segments, in bytes. Segments count only when they are complete.
    var limit: Int

    init(limit: Int) { self.limit = limit }

    /// Returns a cached segment, or nil. A segment whose initialization section was dropped or has failed is removed,
    /// because a reader would skip it.
    mutating func find(_ key: Key) -> StreamSegment? {
        guard let found = held[key]?.segment else { return nil }
        switch found.initialization?.currentState {
        case .replaced, .failed:
            remove(key)
            return nil
        case .loading, .complete, nil: break
        }
        clock += 1
        held[key]?.used = clock
        return held[key]?.segment
    }

    mutating func insert(_ segment: StreamSegment, for key: Key) {
        remove(key)
        clock += 1
        let size = segment.buffer.count
        held[key] = Held(segment: segment, used: clock, bytes: size)
        bytes += size
    }

    mutating func remove(_ key: Key) {
        if let old = held.removeValue(forKey: key) { bytes -= old.bytes }
    }

    /// Removes all segments that require `initialization`, because it will not arrive.
    mutating func removeAll(readWith initialization: SegmentBuffer) {
        for (key, value) in held where value.segment.initialization === initialization { remove(key) }
    }

    /// Removes the least recently used segments until the limit holds, but none for which `isNeeded` returns true.
    mutating func trim(keeping isNeeded: (StreamSegment) -> Bool) {
        guard bytes > limit else { return }
        for (key, _) in held.filter({ !isNeeded($0.value.segment) }).sorted(by: { $0.value.used < $1.value.used }) {
            remove(key)
            if bytes <= limit { return }
        }
    }

    mutating func removeAll() {
        held = [:]
        bytes = 0
    }

    var segments: some Sequence<StreamSegment> { held.values.lazy.map(\.segment) }
}
