import MediaCore

/// Which segments play when: timeline time = a segment's `start` + media time − its `mediaStart`.
///
/// The next segment begins exactly where this one ends, which is decided once (`PassEnd`) and told here (`resolve`).
struct Timeline {
    /// A segment and where it lies.
    struct Place {
        let segment: Segment
        /// Timeline time of the first moment; nil until the segment before knows its end.
        var start: TimelineTime?
        /// Timeline time one past the last moment; nil until known.
        var end: TimelineTime?
        /// Its end is mixed with what follows, which begins before it (`CrossfadeTail`).
        var fadesOut = false
        /// Timeline time at which what follows begins, and its pictures end, where that is before its own end.
        var pictureEnd: TimelineTime?
        /// All that came of its pictures, of its sound has come out of the decoder.
        var videoIsOver = false
        var soundIsOver = false
        /// Tracks that cannot be decoded.
        var failed: Set<TrackProblem.Kind> = []
        /// Where the packets say the tracks end, media time; nil until the reader was at the end.
        var packetVideoEnd: MediaTime?
        var packetAudioEnd: MediaTime?

        /// What is shown at timeline time `t`.
        func mediaTime(at t: TimelineTime) -> MediaTime {
            guard let start else { return segment.mediaStart }
            return segment.mediaTime(at: min(t, end ?? .max), from: start)
        }
    }

    /// What plays and what has been fed to follow it.
    private(set) var places: [Place] = []
    /// The newest of those that have been played: a decoder may still be at one.
    private var passed: [Place] = []
    private static let remembered = 8
    private var nextIndex = 0
    /// How many seams between two passes of an entry lie behind what is still in `places`.
    private var passedSeams = 0

    /// The number of the next segment.
    mutating func newSegmentIndex() -> Int {
        defer { nextIndex += 1 }
        return nextIndex
    }

    var isEmpty: Bool { places.isEmpty }
    var first: Place? { places.first }
    var last: Place? { places.last }

    /// Nil once it was given up, or is long past.
    subscript(segment: Segment) -> Place? {
        places.last { $0.segment === segment } ?? passed.last { $0.segment === segment }
    }

    /// The one being heard and seen at `t`.
    func playing(at t: TimelineTime) -> Place? { places.last { $0.start.map { $0 <= t } ?? false } ?? places.first }
    /// Those that have begun by `t`.
    func begun(by t: TimelineTime) -> [Place] { places.filter { $0.start.map { $0 <= t } ?? false } }

    /// - Parameter start: nil: where the one before ends, as soon as that is known, which it may be.
    mutating func append(_ segment: Segment, at start: TimelineTime?) {
        let start = start ?? places.last.flatMap { $0.fadesOut ? nil : $0.end }
        places.append(Place(segment: segment, start: start))
    }

    /// How often a pass of an entry has followed another one of it, by `t`.
    func loops(by t: TimelineTime) -> Int {
        passedSeams
            + zip(places, places.dropFirst()).count { before, after in
                after.start.map { $0 <= t } ?? false && Timeline.isSeam(before, after)
            }
    }
    private static func isSeam(_ before: Place, _ after: Place) -> Bool {
        before.segment.entry === after.segment.entry && after.segment.pass > before.segment.pass
    }

    /// Everything is given up at `t`.
    mutating func removeAll(at t: TimelineTime) {
        passedSeams = loops(by: t)
        places.removeAll()
        passed.removeAll()
    }

    /// What has been played by `t` is history. - Returns: it.
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

    /// Does nothing where it is no longer known.
    mutating func change(_ segment: Segment, _ body: (inout Place) -> Void) {
        if let index = places.lastIndex(where: { $0.segment === segment }) {
            body(&places[index])
        } else if let index = passed.lastIndex(where: { $0.segment === segment }) {
            body(&passed[index])
        }
    }

    /// Decides where `segment` ends, media time, and so where the next begins. - Returns: whether that is news.
    mutating func resolve(_ segment: Segment, mediaEnd: MediaTime) -> Bool {
        guard let index = places.lastIndex(where: { $0.segment === segment }) else {
            // One that has been played ends where what follows it began.
            guard let index = passed.lastIndex(where: { $0.segment === segment }) else { return false }
            return end(&passed[index], mediaEnd) != nil
        }
        guard let end = end(&places[index], mediaEnd) else { return false }
        // One that fades out tells when it does how much sooner the next begins.
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

    /// A clip's end is known before it begins; a pass without sound ends by its packets.
    private mutating func resolveAtOnce(_ index: Int) {
        let place = places[index]
        if let end = place.segment.clip?.end {
            _ = resolve(place.segment, mediaEnd: end)
        } else if !place.segment.hasAudio, let end = place.packetVideoEnd {
            _ = resolve(place.segment, mediaEnd: end)
        }
    }

    /// `segment` begins at `start`, before the end of the one before it, whose pictures end there.
    mutating func settle(_ segment: Segment, at start: TimelineTime) {
        guard let index = places.lastIndex(where: { $0.segment === segment }) else { return }
        places[index].start = start
        if index > 0 { places[index - 1].pictureEnd = start }
        if !segment.hasAudio, let end = places[index].packetVideoEnd { _ = resolve(segment, mediaEnd: end) }
    }
}
