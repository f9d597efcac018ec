import Foundation
import MediaCore

/// The segments of one role (the main rendition, the sound) in playing order, between loop and feeder.
package final class SegmentFeed: @unchecked Sendable {
    package enum Step: Sendable {
        case segment(StreamSegment)
        /// The programme is over.
        case end
        /// What was to come next is gone (a live window moved on): playing goes on at this media time.
        case jump(Int64)
        case failed(AVError)
        case interrupted
    }

    // Guarded by `gate`'s monitor.
    private var segments: [StreamSegment] = []
    private var isEnded = false
    private var failure: AVError?
    private var jump: Int64?
    private var isWaiting = false
    private var onWait: (@Sendable () -> Void)?
    private let gate: StreamGate

    init(gate: StreamGate) { self.gate = gate }

    // MARK: the loop's side

    func append(_ segment: StreamSegment) {
        gate.monitor.withLock {
            segments.append(segment)
            // From here on the feeder has what it waited for, though it may not have woken yet: it asks for no more.
            isWaiting = false
            gate.changed.broadcast()
        }
    }

    func end() {
        gate.monitor.withLock {
            isEnded = true
            gate.changed.broadcast()
        }
    }

    func fail(_ error: AVError) {
        gate.monitor.withLock {
            if failure == nil { failure = error }
            gate.changed.broadcast()
        }
    }

    func jump(to time: Int64) {
        gate.monitor.withLock {
            jump = time
            gate.changed.broadcast()
        }
    }

    /// Everything fed so far is void: a seek.
    func reset() {
        gate.monitor.withLock {
            segments = []
            isEnded = false
            failure = nil
            jump = nil
            gate.changed.broadcast()
        }
    }

    /// The feeder stands and waits for the next segment.
    var isAwaited: Bool { gate.monitor.withLock { isWaiting } }
    /// Called on the feeder's thread when it begins to wait, with the gate's monitor locked.
    func setOnWait(_ call: (@Sendable () -> Void)?) { gate.monitor.withLock { onWait = call } }

    // MARK: the feeder's side

    /// Segments that `next` has given and that have not been read come again.
    package func putBack(_ unread: [StreamSegment]) {
        gate.monitor.withLock { segments.insert(contentsOf: unread, at: 0) }
    }

    /// The next segment, as soon as its first request is under way; waits for it.
    package func next() -> Step {
        gate.monitor.withLock {
            defer { isWaiting = false }
            while true {
                if !segments.isEmpty { return .segment(segments.removeFirst()) }
                if let jump { return .jump(jump) }
                if let failure { return .failed(failure) }
                if isEnded { return .end }
                if gate.mediaAreUnwanted { return .interrupted }
                if !isWaiting {
                    isWaiting = true
                    onWait?()
                }
                gate.wait()
            }
        }
    }
}
