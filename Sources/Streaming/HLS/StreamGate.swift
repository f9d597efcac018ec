import MediaCore

/// A lock that all queues of a stream share. The feeder waits at the gate for data from the network loop.
package final class StreamGate: Sendable {
    /// The conditions under which waiting threads stop waiting. They are checked only before a thread waits, so data
    /// that has arrived is always read.
    struct Interest {
        /// Returns whether the stream is no longer needed, because of another item or the end of playback.
        fileprivate(set) var isInterrupted: @Sendable () -> Bool = { false }
        /// Returns whether another position is requested. Waits for media then end. Waits for playlists, which every
        /// position needs, continue.
        fileprivate(set) var isPreempted: @Sendable () -> Bool = { false }
        /// The number of waiting threads.
        fileprivate(set) var waiting = 0

        var mediaAreUnwanted: Bool { isInterrupted() || isPreempted() }
    }
    fileprivate let interest: Locked<Interest>

    /// Creates a gate.
    /// - Parameter isInterrupted: Returns whether waits must end. Called with the gate locked.
    package init(isInterrupted: @escaping @Sendable () -> Bool = { false }) {
        interest = Locked(Interest(isInterrupted: isInterrupted))
    }

    func setInterrupt(
        _ isInterrupted: @escaping @Sendable () -> Bool, preemption isPreempted: @escaping @Sendable () -> Bool
    ) {
        _ = interest.withLock {
            (exchange(&$0.isInterrupted, isInterrupted), exchange(&$0.isPreempted, isPreempted))
        }
    }

    var mediaAreUnwanted: Bool { interest.read { $0.mediaAreUnwanted } }
    var isWaitedAt: Bool { interest.read { $0.waiting > 0 } }

    /// Makes every waiting thread check its condition again. Any thread.
    package func wake() { interest.withLock { _ in } }
}

/// A value that the loop and the feeder share. The lock of the stream's gate protects it, and threads can wait for the
/// value to change.
final class Gated<Value>: @unchecked Sendable {
    // Unchecked because of `value`, which is private and only accessed with the gate locked.
    private let gate: StreamGate
    private var value: Value

    init(_ value: sending Value, at gate: StreamGate) {
        self.value = value
        self.gate = gate
    }

    /// Calls `body` with the gate locked, then makes every waiting thread check its condition again. Any thread.
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        gate.interest.withLock { _ in body(&value) }
    }

    /// Calls `body` with the gate locked. Any thread.
    func read<Result: Sendable>(_ body: (Value) -> Result) -> Result { gate.interest.read { _ in body(value) } }

    /// Waits until `attempt` returns a result. `attempt` is called with the gate locked: first immediately, then after
    /// every change, and ten times per second in case no thread wakes the gate after an interruption.
    func wait<Result: Sendable>(for attempt: (inout Value, StreamGate.Interest) -> Result?) -> Result {
        var isWaiting = false
        while true {
            let found = gate.interest.wait(until: .now() + 100_000_000) { interest -> Result? in
                let found = attempt(&value, interest)
                if isWaiting != (found == nil) {
                    isWaiting.toggle()
                    interest.waiting += isWaiting ? 1 : -1
                }
                return found
            }
            if let found { return found }
        }
    }
}
