import MediaCore

/// Whole segments that came, so that going back costs no request. Bounded in bytes; what was used longest ago goes
/// first.
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
    /// Bytes all of a stream's segments may take; those being read do not count until they are whole.
    var limit: Int

    init(limit: Int) { self.limit = limit }

    /// Nil, too, where the initialization section that it is read with has been given up or has failed: a reader would
    /// pass it over.
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

    /// Drops what is read with `initialization`, which does not come.
    mutating func removeAll(readWith initialization: SegmentBuffer) {
        for (key, value) in held where value.segment.initialization === initialization { remove(key) }
    }

    /// Drops what lies longest ago until the limit holds; what `isNeeded` stays in any case.
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
