import MediaCore

/// The segments of one role (the main rendition, the sound) in playing order, between loop and feeder.
package final class SegmentFeed: Sendable {
    package enum Step: Sendable {
        case segment(StreamSegment)
        /// The programme is over.
        case end
        /// What was to come next is gone (a live window moved on): playing goes on at this media time.
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

    // MARK: the loop's side

    func append(_ segment: StreamSegment) {
        queue.withLock { queue in
            queue.segments.append(segment)
            // From here on the feeder has what it waited for, though it may not have woken yet: it asks for no more.
            queue.isWaiting = false
        }
    }

    func end() { queue.withLock { $0.isEnded = true } }
    func fail(_ error: AVError) { queue.withLock { if $0.failure == nil { $0.failure = error } } }
    func jump(to time: Int64) { queue.withLock { $0.jump = time } }

    func take(_ what: StreamEffect.Feeding) {
        switch what {
        case .reset: reset()
        case .end: end()
        case .jump(let time): jump(to: time)
        case .fail(let error): fail(error)
        }
    }

    /// Everything fed so far is void: a seek.
    func reset() {
        queue.withLock { queue in
            queue.segments = []
            queue.isEnded = false
            queue.failure = nil
            queue.jump = nil
        }
    }

    /// The feeder stands and waits for the next segment.
    var isAwaited: Bool { queue.read { $0.isWaiting } }
    /// Called on the feeder's thread when it begins to wait, with the gate locked.
    func setOnWait(_ call: (@Sendable () -> Void)?) { queue.withLock { $0.onWait = call } }

    // MARK: the feeder's side

    /// Segments that `next` has given and that have not been read come again.
    package func putBack(_ unread: [StreamSegment]) { queue.withLock { $0.segments.insert(contentsOf: unread, at: 0) } }

    /// The next segment, as soon as its first request is under way; waits for it.
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
