import MediaCore

/// The segments of a player and their times. In a segment, the timeline time is `start` plus the media time minus
/// `mediaStart`.
///
/// The next segment begins exactly where the previous one ends. That end is decided once (`PassEnd`) and reported to
/// `resolve(_:mediaEnd:)`.
struct Timeline {
    /// A segment and its position on the timeline.
    struct Slot {
        let segment: Segment
        /// The timeline time at which the segment begins; nil until the end of the previous segment is known.
        var start: TimelineTime?
        /// The timeline time at which the segment ends, exclusive; nil until it is known.
        var end: TimelineTime?
        /// Whether the end of the segment is mixed with the next segment, which begins before that end
        /// (`CrossfadeTail`).
        var fadesOut = false
        /// The timeline time at which the segment's frames end because the next segment begins before the segment's own
        /// end; nil otherwise.
        var videoEnd: TimelineTime?
        /// Whether the decoder has returned all frames, and all audio samples, of the segment.
        var didDecodeAllVideo = false
        var didDecodeAllAudio = false
        /// The kinds of tracks that cannot be decoded.
        var failed: Set<TrackProblem.Kind> = []
        /// The media times at which the packets of the tracks end; nil until the reader has reached the end.
        var packetVideoEnd: MediaTime?
        var packetAudioEnd: MediaTime?

        /// Whether the segment can have frames: those of a video track that can be decoded, or an artwork.
        var hasFrames: Bool {
            segment.hasVideo && !failed.contains(.video) || segment.description.still != nil
        }

        /// Returns the media time displayed at timeline time `t`.
        func mediaTime(at t: TimelineTime) -> MediaTime {
            guard let start else { return segment.mediaStart }
            return segment.mediaTime(at: min(t, end ?? .max), from: start)
        }
    }

    /// The segment that plays, and the segments that follow it.
    private(set) var slots: [Slot] = []
    /// The last segments that have been played, at most `remembered`. A decoder may still work on one of them.
    private var history: [Slot] = []
    private static let remembered = 8
    private var nextIndex = 0
    /// The number of loop boundaries before the segments in `slots`. At a loop boundary, a pass follows another pass of
    /// the same entry.
    private var passedLoops = 0

    /// Returns the index of a new segment.
    mutating func newSegmentIndex() -> Int {
        defer { nextIndex += 1 }
        return nextIndex
    }

    var isEmpty: Bool { slots.isEmpty }
    var first: Slot? { slots.first }
    var last: Slot? { slots.last }

    /// The slot of `segment`; nil if the segment was removed or played long ago.
    subscript(segment: Segment) -> Slot? {
        slots.last { $0.segment === segment } ?? history.last { $0.segment === segment }
    }

    /// Returns the segment that plays at `t`, or the first segment if none has begun.
    func playing(at t: TimelineTime) -> Slot? { slots.last { $0.start.map { $0 <= t } ?? false } ?? slots.first }
    /// Returns the segments that have begun by `t`.
    func begun(by t: TimelineTime) -> [Slot] { slots.filter { $0.start.map { $0 <= t } ?? false } }

    /// Appends a segment.
    /// - Parameter start: The timeline time at which the segment begins. If nil, the segment begins at the end of the
    ///   previous segment, as soon as that end is known.
    mutating func append(_ segment: Segment, at start: TimelineTime?) {
        let start = start ?? slots.last.flatMap { $0.fadesOut ? nil : $0.end }
        slots.append(Slot(segment: segment, start: start))
    }

    /// Returns the number of times that a pass has followed another pass of the same entry, up to `t`.
    func loops(by t: TimelineTime) -> Int {
        passedLoops
            + zip(slots, slots.dropFirst()).count { before, after in
                after.start.map { $0 <= t } ?? false && Timeline.isLoopBoundary(before, after)
            }
    }
    private static func isLoopBoundary(_ before: Slot, _ after: Slot) -> Bool {
        before.segment.entry === after.segment.entry && after.segment.pass > before.segment.pass
    }

    /// Removes all segments at `t`, and keeps the number of loops.
    mutating func removeAll(at t: TimelineTime) {
        passedLoops = loops(by: t)
        slots.removeAll()
        history.removeAll()
    }

    /// Moves the segments that have been played by `t` to the history.
    /// - Returns: The moved segments.
    mutating func removePassed(at t: TimelineTime) -> [Segment] {
        var removed: [Segment] = []
        while slots.count > 1, let start = slots[1].start, start <= t {
            if Timeline.isLoopBoundary(slots[0], slots[1]) { passedLoops += 1 }
            let slot = slots.removeFirst()
            removed.append(slot.segment)
            history.append(slot)
        }
        if history.count > Timeline.remembered { history.removeFirst(history.count - Timeline.remembered) }
        return removed
    }

    /// Changes the slot of `segment`. Does nothing if the segment is not known any more.
    mutating func change(_ segment: Segment, _ body: (inout Slot) -> Void) {
        if let index = slots.lastIndex(where: { $0.segment === segment }) {
            body(&slots[index])
        } else if let index = history.lastIndex(where: { $0.segment === segment }) {
            body(&history[index])
        }
    }

    /// Sets the media time at which `segment` ends, which also sets the start of the next segment.
    /// - Returns: Whether the end was unknown before.
    mutating func resolve(_ segment: Segment, mediaEnd: MediaTime) -> Bool {
        guard let index = slots.lastIndex(where: { $0.segment === segment }) else {
            // For a segment that has been played, the next segment has already begun, so only the end is stored.
            guard let index = history.lastIndex(where: { $0.segment === segment }) else { return false }
            return end(&history[index], mediaEnd) != nil
        }
        guard let end = end(&slots[index], mediaEnd) else { return false }
        // For a segment that fades out, the start of the next segment is set later by `settle(_:at:)`.
        guard !slots[index].fadesOut, index + 1 < slots.count else { return true }
        slots[index + 1].start = end
        resolveAtOnce(index + 1)
        return true
    }

    private func end(_ slot: inout Slot, _ mediaEnd: MediaTime) -> TimelineTime? {
        guard slot.end == nil, let start = slot.start else { return nil }
        let end = max(start, slot.segment.timelineTime(of: mediaEnd, from: start))
        slot.end = end
        return end
    }

    /// Resolves the end of a segment if that end is already known. A clip has a known end; a pass without audio ends
    /// with its video packets.
    private mutating func resolveAtOnce(_ index: Int) {
        let slot = slots[index]
        if let end = slot.segment.clip?.end {
            _ = resolve(slot.segment, mediaEnd: end)
        } else if !slot.segment.hasAudio, let end = slot.packetVideoEnd {
            _ = resolve(slot.segment, mediaEnd: end)
        }
    }

    /// Starts `segment` at `start`, before the end of the previous segment. The frames of the previous segment end at
    /// `start`.
    mutating func settle(_ segment: Segment, at start: TimelineTime) {
        guard let index = slots.lastIndex(where: { $0.segment === segment }) else { return }
        slots[index].start = start
        if index > 0 { slots[index - 1].videoEnd = start }
        if !segment.hasAudio, let end = slots[index].packetVideoEnd { _ = resolve(segment, mediaEnd: end) }
    }
}
