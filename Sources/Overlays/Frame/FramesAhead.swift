import MediaCore
import MediaEngine

/// The frames that a `PictureComposition` has drawn before they are due, and the frame that is displayed.
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
    /// The source's number and the settings' version of the last frame that was submitted to the composer.
    private var submitted: (source: UInt64, version: UInt64)?
    private var lastDue = HostTime.zero
    private var nextSequence: UInt64 = 1
    /// Whether a frame of the current item was returned. That frame stays visible until the next one is drawn.
    var hasShown = false

    /// Returns how much earlier than `due` the frame for that time is requested, in nanoseconds, at most 90 ms.
    ///
    /// If frames are drawn, each one is requested earlier by 1.25 times the drawing time plus one display refresh. The
    /// drawn frame is collected at that refresh.
    /// - Parameter cost: The time to draw a frame, in nanoseconds. Nil if frames are not drawn; the result is 0 then.
    mutating func lead(at due: HostTime, cost: Int64?) -> Int64 {
        let refresh = min(max(due - lastDue, 4_000_000), 34_000_000)
        lastDue = due
        return cost.map { min($0 * 5 / 4 + refresh, 90_000_000) } ?? 0
    }

    /// Records that a frame is submitted to the composer. Returns false if the last submitted frame was the same.
    mutating func submit(_ source: UInt64, version: UInt64) -> Bool {
        guard !isLatest(source, version: version) else { return false }
        submitted = (source, version)
        return true
    }

    /// Returns whether this frame was the last one that was submitted to the composer.
    func isLatest(_ source: UInt64, version: UInt64) -> Bool { submitted.map { $0 == (source, version) } ?? false }

    mutating func add(_ frame: VideoFrame, source: UInt64, due: HostTime) {
        // The top bit marks numbers of drawn frames. The source's numbers never have it.
        nextSequence += 1
        ready.append(Composed(frame: frame, source: source, due: due, sequence: nextSequence | 1 << 63))
    }

    /// Returns the newest frame that is due, or the newest of all while the video is not moving. Discards older frames.
    ///
    /// Until another frame is due, further calls return the same frame.
    mutating func take(at due: HostTime, isMoving: Bool) -> PulledFrame? {
        // A frame may be early by half a refresh at 120 Hz.
        if let index = ready.lastIndex(where: { !isMoving || $0.due <= due + 4_000_000 }) {
            current = ready[index]
            ready.removeFirst(index + 1)
        }
        return current?.pulled
    }

    /// Returns the frame to show while new filters draw their first frame: the one that was shown before.
    ///
    /// Returns nil if no frame was shown before, so that a video never starts with a frame that lacks its filters.
    func fallbackFrame(_ pulled: PulledFrame) -> PulledFrame? { current?.pulled ?? (hasShown ? pulled : nil) }

    /// Returns the source's number of the frame that was returned as `sequence`.
    func source(of sequence: UInt64) -> UInt64 {
        if let current, current.sequence == sequence { return current.source }
        return sequence
    }

    /// Discards all frames that were drawn or submitted. Returns false if there were none.
    mutating func discardAll() -> Bool {
        guard current != nil || !ready.isEmpty || submitted != nil else { return false }
        current = nil
        ready = []
        submitted = nil
        return true
    }
}
