import MediaCore

/// The cues of the subtitle segments that have come, in media time.
struct CueStore {
    /// One segment's cues. Which media time they have is known when the stream's offset is.
    struct Held {
        var number: Int
        /// Media time by the playlist, nanoseconds.
        var start: Int64
        var duration: Int64
        var discontinuity: Int
        /// In the programme's clock.
        var cues: [WebVTTCue]
        var bytes: Int
        /// From the programme's clock to media time; nil while unknown.
        var offset: Int64?
        /// In media time.
        var timed: [WebVTTCue] = []
        /// Nothing came of it, and it is not asked for again before this time of the loop; nil: it came.
        var brokenUntil: HostTime?
        var end: Int64 { start + duration }
    }

    private(set) var held: [Int: Held] = [:]
    private(set) var bytes = 0
    /// Sorted by when they begin; those of adjoining segments that say the same are one.
    private(set) var cues: [WebVTTCue] = []

    /// Whether the segment need not be asked for (again).
    func has(_ number: Int, start: Int64, now: HostTime) -> Bool {
        // A server that counts anew gives other segments old numbers.
        guard let known = held[number], abs(known.start - start) < 1_000_000_000 else { return false }
        return known.brokenUntil.map { now < $0 } ?? true
    }

    func isBroken(_ number: Int) -> Bool { held[number]?.brokenUntil != nil }

    mutating func insert(_ fresh: Held) {
        remove(fresh.number)
        held[fresh.number] = fresh
        bytes += fresh.bytes
    }

    private mutating func remove(_ number: Int) {
        if let old = held.removeValue(forKey: number) { bytes -= old.bytes }
    }

    mutating func removeAll() { self = CueStore() }

    /// Those that failed may be asked for again.
    mutating func forgetFailures() {
        for (number, segment) in held where segment.brokenUntil != nil { held[number]?.brokenUntil = .min }
    }

    /// Drops what lies farthest from `window`, and never what lies in it, until `limit` bytes hold and no more
    /// than 4,096 segments.
    mutating func trim(limit: Int, keeping window: Range<Int64>) {
        guard bytes > limit || held.count > 4096 else { return }
        func distance(_ segment: Held) -> Int64 {
            max(window.lowerBound - segment.end, segment.start - window.upperBound)
        }
        for segment in held.values.filter({ distance($0) > 0 }).sorted(by: { distance($0) > distance($1) }) {
            guard bytes > limit || held.count > 4096 else { return }
            remove(segment.number)
        }
    }

    /// - Parameter offset: nanoseconds from the programme's clock to media time, for a segment; nil: not known yet.
    mutating func arrange(_ offset: (Held) -> Int64?) {
        for (number, segment) in held {
            guard let offset = offset(segment), offset != segment.offset else { continue }
            held[number]?.offset = offset
            held[number]?.timed = CueStore.timed(segment, offset)
        }
        var all: [WebVTTCue] = []
        // From which segment each is: a segment may say the same twice, and means it.
        var sources: [Int] = []
        for segment in held.values where segment.offset != nil {
            all += segment.timed
            sources += Array(repeating: segment.number, count: segment.timed.count)
        }
        let order = all.indices.sorted { a, b in
            (all[a].start, sources[a], a) < (all[b].start, sources[b], b)
        }
        var kept: [Int] = []
        for index in order where !CueStore.repeats(index, all, sources, kept) { kept.append(index) }
        cues = kept.map { all[$0] }
    }

    /// Two segments say when a cue stands with maps of their own, which may be rounded.
    private static let tolerance: Int64 = 2_000_000
    private static let mostCompared = 256

    private static func repeats(_ index: Int, _ all: [WebVTTCue], _ sources: [Int], _ kept: [Int]) -> Bool {
        let cue = all[index]
        // Of thousands that begin at once, which nobody reads, not each is compared with each.
        for before in kept.suffix(mostCompared).reversed() {
            let other = all[before]
            if cue.start - other.start > tolerance { return false }
            if sources[before] != sources[index], abs(cue.end - other.end) <= tolerance,
                cue.identifier == other.identifier,
                cue.settings == other.settings, cue.text.plain == other.text.plain
            {
                return true
            }
        }
        return false
    }

    private static let wrap: Int64 = 95_443_717_688_889  // 2³³ ticks of 90 kHz

    private static func timed(_ segment: Held, _ offset: Int64) -> [WebVTTCue] {
        guard let first = segment.cues.map(\.start).min() else { return [] }
        // The map's 33 bits start over every 26.5 hours, and libavformat may count from another turn: the one that
        // lies nearest to where the playlist puts the segment.
        let turns = (Double(segment.start - first) - Double(offset)) / Double(wrap)
        let shift = offset &+ Int64(saturating: turns.rounded()) &* wrap
        return segment.cues.compactMap { cue in
            guard cue.end > cue.start else { return nil }
            var moved = cue
            moved.start &+= shift
            moved.end &+= shift
            moved.text = cue.text.shifted(by: shift)
            return moved
        }
    }
}
