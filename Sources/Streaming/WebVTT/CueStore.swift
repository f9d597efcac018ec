import MediaCore

/// The cues of the loaded subtitle segments, in media time.
struct CueStore {
    /// The cues of one segment. Their media times are known when the stream's offset is known.
    struct Held {
        var number: Int
        /// The media time of the segment according to the playlist, in nanoseconds.
        var start: Int64
        var duration: Int64
        var discontinuity: Int
        /// The cues, with times on the stream's timestamp clock.
        var cues: [WebVTTCue]
        var bytes: Int
        /// The offset from the stream's timestamps to media time in nanoseconds, or nil if it is unknown.
        var offset: Int64?
        /// The cues in media time.
        var timed: [WebVTTCue] = []
        /// The loop time before which a failed segment is not requested again, or nil if the segment has not failed.
        var brokenUntil: HostTime?
        var end: Int64 { start + duration }
    }

    private(set) var held: [Int: Held] = [:]
    private(set) var bytes = 0
    /// The cues sorted by start. Equal cues of adjacent segments are merged.
    private(set) var cues: [WebVTTCue] = []

    /// Returns whether the segment does not have to be requested now.
    func has(_ number: Int, start: Int64, now: HostTime) -> Bool {
        // A server that restarts its numbering uses old numbers for other segments.
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

    /// Allows failed segments to be requested again.
    mutating func forgetFailures() {
        for (number, segment) in held where segment.brokenUntil != nil { held[number]?.brokenUntil = .min }
    }

    /// Removes the segments farthest from `window`, but none inside it, until at most `limit` bytes and 4,096 segments
    /// remain.
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

    /// Computes the media times of all cues, and sorts and merges them.
    /// - Parameter offset: Returns the offset from a segment's timestamps to media time in nanoseconds, or nil if it is
    ///   not known yet.
    mutating func arrange(_ offset: (Held) -> Int64?) {
        for (number, segment) in held {
            guard let offset = offset(segment), offset != segment.offset else { continue }
            held[number]?.offset = offset
            held[number]?.timed = CueStore.timed(segment, offset)
        }
        var all: [WebVTTCue] = []
        // The segment of each cue. Two equal cues in the same segment are intended and are not merged.
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

    /// The largest difference between the times of one cue in two segments, in nanoseconds. Each segment has its own
    /// timestamp map, which may be rounded.
    private static let tolerance: Int64 = 2_000_000
    private static let mostCompared = 256

    private static func repeats(_ index: Int, _ all: [WebVTTCue], _ sources: [Int], _ kept: [Int]) -> Bool {
        let cue = all[index]
        // The number of comparisons is limited, for files with thousands of cues that begin at the same time.
        for keptIndex in kept.suffix(mostCompared).reversed() {
            let other = all[keptIndex]
            if cue.start - other.start > tolerance { return false }
            if sources[keptIndex] != sources[index], abs(cue.end - other.end) <= tolerance,
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
        // The map's 33-bit timestamps wrap every 26.5 hours, and libavformat may count from another wrap. The wrap
        // nearest to the playlist's time is used.
        let wrapCount = (Double(segment.start - first) - Double(offset)) / Double(wrap)
        let shift = offset &+ Int64(saturating: wrapCount.rounded()) &* wrap
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
