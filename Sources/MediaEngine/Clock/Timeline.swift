import MediaCore

/// The segments of a player and their times. Timeline time is a segment's `start` plus media time minus its
/// `mediaStart`.
///
/// The next segment begins exactly where the previous one ends. That end is decided once (`PassEnd`) and reported to
/// `resolve(_:mediaEnd:)`.
struct Timeline {
    /// A segment and its position on the timeline.
    struct Place {
        let segment: Segment
        /// The timeline time at which the segment begins; nil until the end of the previous segment is known.
        var start: TimelineTime?
        /// The timeline time at which the segment ends, exclusive; nil until it is known.
        var end: TimelineTime?
        /// Whether the end of the segment is mixed with the next segment, which begins before that end
        /// (`CrossfadeTail`).
        var fadesOut = false
        /// The timeline time at which the segment's frames end because the next segment begins, if that is before its
        /// own end.
        var pictureEnd: TimelineTime?
        /// Whether the decoder has returned all frames, and all audio samples, of the segment.
        var videoIsOver = false
        var soundIsOver = false
        /// The kinds of tracks that cannot be decoded.
        var failed: Set<TrackProblem.Kind> = []
        /// The media times at which the tracks end according to their packets; nil until the reader has reached the
        /// end.
        var packetVideoEnd: MediaTime?
        var packetAudioEnd: MediaTime?

        /// Returns the media time displayed at timeline time `t`.
        func mediaTime(at t: TimelineTime) -> MediaTime {
            guard let start else { return segment.mediaStart }
            return segment.mediaTime(at: min(t, end ?? .max), from: start)
        }
    }

    /// The segment that plays, and the segments that follow it.
    private(set) var places: [Place] = []
    /// The newest segments that have been played. A decoder may still work on one of them.
    private var passed: [Place] = []
    private static let remembered = 8
    private var nextIndex = 0
    /// The number of loop boundaries (a pass follows a pass of the same entry) before the segments in `places`.
    private var passedSeams = 0

    /// Returns the index of a new segment.
    mutating func newSegmentIndex() -> Int {
        defer { nextIndex += 1 }
        return nextIndex
    }

    var isEmpty: Bool { places.isEmpty }
    var first: Place? { places.first }
    var last: Place? { places.last }

    /// The place of `segment`; nil if the segment was removed or played long ago.
    subscript(segment: Segment) -> Place? {
        places.last { $0.segment === segment } ?? passed.last { $0.segment === segment }
    }

    /// Returns the segment that plays at `t`.
    func playing(at t: TimelineTime) -> Place? { places.last { $0.start.map { $0 <= t } ?? false } ?? places.first }
    /// Returns the segments that have begun by `t`.
    func begun(by t: TimelineTime) -> [Place] { places.filter { $0.start.map { $0 <= t } ?? false } }

    /// Appends a segment.
    /// - Parameter start: The timeline time at which the segment begins. Nil means at the end of the previous segment,
    ///   as soon as that is known.
    mutating func append(_ segment: Segment, at start: TimelineTime?) {
        let start = start ?? places.last.flatMap { $0.fadesOut ? nil : $0.end }
        places.append(Place(segment: segment, start: start))
    }

    /// Returns the number of times that a pass has followed another pass of the same entry, up to `t`.
    func loops(by t: TimelineTime) -> Int {
        passedSeams
            + zip(places, places.dropFirst()).count { before, after in
                after.start.map { $0 <= t } ?? false && Timeline.isSeam(before, after)
            }
    }
    private static func isSeam(_ before: Place, _ after: Place) -> Bool {
        before.segment.entry === after.segment.entry && after.segment.pass > before.segment.pass
    }

    /// Removes all segments at `t`, and keeps the number of loops.
    mutating func removeAll(at t: TimelineTime) {
        passedSeams = loops(by: t)
        places.removeAll()
        passed.removeAll()
    }

    /// Moves the segments that have been played by `t` to the history.
    /// - Returns: The moved segments.
    mutating func removePassed(at t: TimelineTime) -> [Segment] {
        var gone: [Segment] = []
        while places.count > 1, let start = places[1].start, start <= t {
            if Timeline.isSeam(places[0], places[1]) { passedSeams += 1 }
            let place = places.removeFirst()
            gone.append(place.segment)
            passed.append(place)
        }
        if passed.count > Timeline.remembered { passed.removeFirst(passed.count - Timeline.remembered) }
        return gone
    }

    /// Changes the place of `segment`. Does nothing if the segment is not known any more.
    mutating func change(_ segment: Segment, _ body: (inout Place) -> Void) {
        if let index = places.lastIndex(where: { $0.segment === segment }) {
            body(&places[index])
        } else if let index = passed.lastIndex(where: { $0.segment === segment }) {
            body(&passed[index])
        }
    }

    /// Sets the media time at which `segment` ends, and thereby the start of the next segment.
    /// - Returns: Whether the end was unknown before.
    mutating func resolve(_ segment: Segment, mediaEnd: MediaTime) -> Bool {
        guard let index = places.lastIndex(where: { $0.segment === segment }) else {
            // For a segment that has been played, the next segment has already begun, so only the end is stored.
            guard let index = passed.lastIndex(where: { $0.segment === segment }) else { return false }
            return end(&passed[index], mediaEnd) != nil
        }
        guard let end = end(&places[index], mediaEnd) else { return false }
        // For a segment that fades out, the start of the next segment is set later by `settle(_:at:)`.
        guard !places[index].fadesOut, index + 1 < places.count else { return true }
        places[index + 1].start = end
        resolveAtOnce(index + 1)
        return true
    }

    private func end(_ place: inout Place, _ mediaEnd: MediaTime) -> TimelineTime? {
        guard place.end == nil, let start = place.start else { return nil }
        let end = max(start, place.segment.timelineTime(of: mediaEnd, from: start))
        place.end = end
        return end
    }

    /// Resolves the end of a segment that is known before playback: that of a clip, or of a pass without audio, by its
    /// packets.
    private mutating func resolveAtOnce(_ index: Int) {
        let place = places[index]
        if let end = place.segment.clip?.end {
            _ = resolve(place.segment, mediaEnd: end)
        } else if !place.segment.hasAudio, let end = place.packetVideoEnd {
            _ = resolve(place.segment, mediaEnd: end)
        }
    }

    /// Sets the start of `segment` before the end of the previous segment, whose frames end there.
    mutating func settle(_ segment: Segment, at start: TimelineTime) {
        guard let index = places.lastIndex(where: { $0.segment === segment }) else { return }
        places[index].start = start
        if index > 0 { places[index - 1].pictureEnd = start }
        if !segment.hasAudio, let end = places[index].packetVideoEnd { _ = resolve(segment, mediaEnd: end) }
    }
}
