import MediaCore

/// A queue with the segments of one role (main rendition or audio) in playback order, from the loop to the feeder.
package final class SegmentFeed: Sendable {
    package enum Step: Sendable {
        case segment(StreamSegment)
        /// The stream has ended.
        case end
        /// The next segment has left the window of a live stream. Playback continues at this media time.
        case jump(Int64)
        case failed(AVError)
        case interrupted
    }

    private struct Queue {
        var segments: [StreamSegment] = []
        var isEnded = false
        var failure: AVError?
        var jump: Int64?
        var isWaiting = false
        var onWait: (@Sendable () -> Void)?
    }
    private let queue: Gated<Queue>

    init(gate: StreamGate) { queue = Gated(Queue(), at: gate) }

    // MARK: the loop

    func append(_ segment: StreamSegment) {
        queue.withLock { queue in
            queue.segments.append(segment)
            // The feeder now has the segment that it waited for, even if it has not woken up yet, so it needs no other
            // one.
            queue.isWaiting = false
        }
    }

    func end() { queue.withLock { $0.isEnded = true } }
    func fail(_ error: AVError) { queue.withLock { if $0.failure == nil { $0.failure = error } } }
    func jump(to time: Int64) { queue.withLock { $0.jump = time } }

    func take(_ feeding: StreamEffect.Feeding) {
        switch feeding {
        case .reset: reset()
        case .end: end()
        case .jump(let time): jump(to: time)
        case .fail(let error): fail(error)
        }
    }

    /// Removes everything from the feed, because of a seek.
    func reset() {
        queue.withLock { queue in
            queue.segments = []
            queue.isEnded = false
            queue.failure = nil
            queue.jump = nil
        }
    }

    /// Whether the feeder is waiting for the next segment.
    var isAwaited: Bool { queue.read { $0.isWaiting } }
    /// Sets a function that is called when the feeder begins to wait, on its thread and with the gate locked.
    func setOnWait(_ call: (@Sendable () -> Void)?) { queue.withLock { $0.onWait = call } }

    // MARK: the feeder

    /// Puts segments that have not been read back at the front of the queue.
    package func putBack(_ unread: [StreamSegment]) { queue.withLock { $0.segments.insert(contentsOf: unread, at: 0) } }

    /// Returns the next segment as soon as its first request has started. Waits for it.
    package func next() -> Step {
        queue.wait { queue, interest in
            let step: Step? =
                if !queue.segments.isEmpty {
                    .segment(queue.segments.removeFirst())
                } else if let jump = queue.jump {
                    .jump(jump)
                } else if let failure = queue.failure {
                    .failed(failure)
                } else if queue.isEnded {
                    .end
                } else if interest.mediaAreUnwanted {
                    .interrupted
                } else {
                    nil
                }
            if step == nil, !queue.isWaiting {
                queue.isWaiting = true
                queue.onWait?()
            } else if step != nil {
                queue.isWaiting = false
            }
            return step
        }
    }
}
