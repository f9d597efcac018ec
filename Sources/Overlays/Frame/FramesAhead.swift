import MediaCore
import MediaEngine

/// Frames that a `PictureComposition` draws before they are due, and the one that is displayed.
struct FramesAhead {
    private struct Composed {
        var frame: VideoFrame
        var source: UInt64
        var due: HostTime
        var sequence: UInt64

        var pulled: PulledFrame { PulledFrame(frame: frame, sequence: sequence) }
    }
    private var ready: [Composed] = []
    private var current: Composed?
    /// What was given to the composer last.
    private var submitted: (source: UInt64, version: UInt64)?
    private var lastDue = HostTime.zero
    private var nextSequence: UInt64 = 1
    /// Something of the present item was given out: it stands until its successor is drawn.
    var hasShown = false

    /// How much earlier than `due` the frame for it is requested, in nanoseconds. A frame that is drawn is requested
    /// earlier by as long as drawing takes and by a display refresh, at which the result is looked for; but no earlier
    /// than the source has any.
    /// - Parameter cost: of drawing a frame, in nanoseconds; nil: it is not drawn.
    mutating func lead(at due: HostTime, cost: Int64?) -> Int64 {
        let refresh = min(max(due - lastDue, 4_000_000), 34_000_000)
        lastDue = due
        return cost.map { min($0 * 5 / 4 + refresh, 90_000_000) } ?? 0
    }

    /// False when this frame was given to the composer already.
    mutating func submit(_ source: UInt64, version: UInt64) -> Bool {
        guard !isLatest(source, version: version) else { return false }
        submitted = (source, version)
        return true
    }

    /// Whether nothing was submitted after this.
    func isLatest(_ source: UInt64, version: UInt64) -> Bool { submitted.map { $0 == (source, version) } ?? false }

    mutating func add(_ frame: VideoFrame, source: UInt64, due: HostTime) {
        // Ours have the top bit, the source's never.
        nextSequence += 1
        ready.append(Composed(frame: frame, source: source, due: due, sequence: nextSequence | 1 << 63))
    }

    /// The newest that is due; while nothing moves, the newest.
    mutating func take(at due: HostTime, isMoving: Bool) -> PulledFrame? {
        // Half of a 120 Hz tick early is not early.
        if let index = ready.lastIndex(where: { !isMoving || $0.due <= due + 4_000_000 }) {
            current = ready[index]
            ready.removeFirst(index + 1)
        }
        return current?.pulled
    }

    /// The frame to show while the first one is on its way through new filters: the one that was shown until then.
    /// Before anything was shown, none: a video does not begin with a glimpse of itself without its filters.
    func standing(_ pulled: PulledFrame) -> PulledFrame? { current?.pulled ?? (hasShown ? pulled : nil) }

    /// The source's number of a frame that was given out as `sequence`.
    func source(of sequence: UInt64) -> UInt64 {
        if let current, current.sequence == sequence { return current.source }
        return sequence
    }

    /// Discards what was drawn and submitted. False when there is nothing.
    mutating func forget() -> Bool {
        guard current != nil || !ready.isEmpty || submitted != nil else { return false }
        current = nil
        ready = []
        submitted = nil
        return true
    }
}
