import MediaCore

/// The pictures that are decoded ahead, and the one that stands: which a display gets when it pulls, which go by
/// unseen, which come too late to be shown at all. A value that is told what time it is.
///
/// **Sequence numbers** grow with each picture; equal ones mean the very same.
struct FrameQueue {
    struct Picture {
        let frame: VideoFrame
        let segment: Segment
        let media: MediaTime
        /// When it comes.
        let out: TimelineTime
        let sequence: UInt64
    }

    /// What is to become of a picture that has just been decoded.
    enum Arrival: Equatable {
        case inTime
        /// It is shown all the same: a machine that is too slow shows a slow film and not a still.
        case late
        /// Nobody would see it: another one was shown a moment ago.
        case tooLate
    }

    /// So many pictures are decoded ahead.
    static let depth = 3
    /// A display that pulls again within so many nanoseconds was late, not away.
    static let longestLateness: Int64 = 1_000_000_000
    /// A picture is late when it comes so much after its time; a decoder is far behind when it does.
    private static let lateness: MediaTime = 60_000_000
    private static let farBehind: MediaTime = 150_000_000
    /// A slow film has a picture at least so often.
    private static let longestStill: MediaTime = 250_000_000

    /// A paused player that has shown its picture decodes nothing more until then.
    var restsUntil = HostTime.min
    private(set) var waiting: [Picture] = []
    private(set) var current: Picture?
    /// After a seek the first picture shows at once, even before the clock runs.
    private(set) var isFreshStart = true
    private var nextSequence: UInt64 = 1
    private var lastPresented: UInt64 = 0
    /// The newest picture that a display was given.
    private var lastPulled: UInt64 = 0
    private var lastPull = HostTime.min
    /// What the display takes from one pull to the next when it is not late, about, nanoseconds; 0: not known yet.
    private var turn: Int64 = 0
    /// Pictures that have gone by since the last pull, or were left out for being late.
    private(set) var unseen = 0

    var isFull: Bool { waiting.count >= FrameQueue.depth }
    var newest: Picture? { waiting.last ?? current }
    /// The media time of the picture that stands, or is the next to.
    var standing: MediaTime? { isFreshStart ? waiting.first?.media ?? current?.media : current?.media }
    /// When the picture after the next one comes: nobody pulls, and the next has gone by then.
    var passing: TimelineTime? { waiting.count > 1 ? waiting[1].out : nil }
    /// The next picture is of another segment.
    var isTurning: Bool { waiting.first.map { $0.segment !== current?.segment } ?? false }

    // MARK: the decoder's side

    /// - Returns: what is to be done with a picture that is due at `out`, and whether the decoder should leave out what
    ///   nobody needs.
    func arrival(due out: TimelineTime, now: TimelineTime, isRunning: Bool) -> (Arrival, isFarBehind: Bool) {
        let late: MediaTime = isRunning ? now - out : 0
        guard late > FrameQueue.lateness else { return (.inTime, false) }
        let isTooLate = waiting.isEmpty && current.map { now - $0.out < FrameQueue.longestStill } ?? false
        return (isTooLate ? .tooLate : .late, late > FrameQueue.farBehind)
    }

    mutating func append(_ frame: VideoFrame, of segment: Segment, media: MediaTime, out: TimelineTime) {
        waiting.append(Picture(frame: frame, segment: segment, media: media, out: out, sequence: nextSequence))
        nextSequence += 1
    }
    /// So many were not even decoded, or came too late.
    mutating func leftOut(_ count: Int = 1) { unseen += count }

    /// A new serial: nothing that waits is wanted. What stands does so until the first new picture is there.
    mutating func restart() {
        waiting.removeAll()
        isFreshStart = true
    }
    /// What follows `segment`'s beginning of those before it is not shown.
    mutating func cut(at start: TimelineTime, before segment: Segment) {
        waiting.removeAll { $0.segment !== segment && $0.out >= start }
    }

    // MARK: what stands

    /// A single picture, which came by another way than the queue's.
    /// - Parameter isFirst: it is the serial's first one.
    mutating func stand(_ frame: VideoFrame, of segment: Segment, media: MediaTime, out: TimelineTime, isFirst: Bool) {
        current = Picture(frame: frame, segment: segment, media: media, out: out, sequence: nextSequence)
        nextSequence += 1
        if isFirst { isFreshStart = false }
    }
    mutating func forget() { current = nil }
    mutating func close() {
        waiting = []
        current = nil
    }
    /// The next picture stands, whatever time it is; nil when there is none, or none before it.
    mutating func step() -> Picture? {
        guard !waiting.isEmpty, current != nil else { return nil }
        current = waiting.removeFirst()
        return current
    }

    // MARK: time

    /// Takes what is due. - Returns: whether there is room now that was not before.
    /// - Parameter speed: of the player, while it runs; nil: nothing need be seen for a turn of the display.
    mutating func advance(to t: TimelineTime, seenAt speed: Double? = nil, _ statistics: inout PlaybackStatistics)
        -> Bool
    {
        var taken = 0
        while let first = waiting.first, first.out <= t || current == nil || isFreshStart {
            if let speed, taken > 0, isWorthSeeing(before: first, at: t, speed) { break }
            if let old = current, old.sequence > max(lastPresented, lastPulled) { unseen += 1 }
            current = waiting.removeFirst()
            isFreshStart = false
            taken += 1
        }
        return taken > 0
    }

    /// The picture just taken, though `next` is due: a display that turns faster than pictures come, and came late,
    /// shows the one it has missed, and the next at its next turn. Half a picture's time too late is seen by nobody;
    /// one that is missing is.
    private func isWorthSeeing(before next: Picture, at t: TimelineTime, _ speed: Double) -> Bool {
        guard let current, turn > 0 else { return false }
        let duration = next.out - current.out
        return t - next.out < duration / 2 && Double(turn) * speed <= 0.75 * Double(duration.nanoseconds)
    }

    /// A display asks at `now` what it is to show at `t`.
    /// - Parameter speed: of the player; nil: it stands.
    mutating func pull(at t: TimelineTime, now: HostTime, speed: Double?, _ statistics: inout PlaybackStatistics) -> (
        picture: Picture?, madeRoom: Bool
    ) {
        let madeRoom = advance(to: t, seenAt: speed, &statistics)
        let since = now - lastPull
        // The shortest of late; views that pull the same player one after the other are no turn.
        if since > 4_000_000, since < 200_000_000 {
            turn = since < turn || turn == 0 ? since : turn + (since - turn) / 8
        }
        // A display that comes late has missed them. One that was away (a hidden window) had no use for them.
        if since < FrameQueue.longestLateness { statistics.framesDropped += unseen }
        unseen = 0
        lastPull = now
        lastPulled = max(lastPulled, current?.sequence ?? 0)
        return (current, madeRoom)
    }

    /// Picture `sequence` is on the screen, for the first time. - Returns: the picture, if it is the one that stands.
    mutating func presented(_ sequence: UInt64, _ statistics: inout PlaybackStatistics) -> Picture? {
        guard sequence > lastPresented else { return nil }
        lastPresented = sequence
        statistics.framesShown += 1
        return current.flatMap { $0.sequence == sequence ? $0 : nil }
    }
}
