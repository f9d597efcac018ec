import MediaCore

/// Where the feeder waits for the loop: one lock, and its waits, for all of a stream's queues.
package final class StreamGate: Sendable {
    /// Whether those who wait still want what they wait for. Looked at only where somebody is about to wait, so what has
    /// come is read in any case.
    struct Interest {
        /// Nobody wants the stream any longer: another item, the end.
        fileprivate(set) var isInterrupted: @Sendable () -> Bool = { false }
        /// Another place of the stream is wanted. Media are not waited for then; what any place needs (playlists) is.
        fileprivate(set) var isPreempted: @Sendable () -> Bool = { false }
        /// Threads that wait.
        fileprivate(set) var waiting = 0

        var mediaAreUnwanted: Bool { isInterrupted() || isPreempted() }
    }
    fileprivate let interest: Locked<Interest>

    /// - Parameter isInterrupted: called with the gate locked.
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

    /// Makes every waiting thread look again. Any thread.
    package func wake() { interest.withLock { _ in } }
}

/// A value that is shared by loop and feeder. It has the lock of its stream's gate, and threads wait there for it to
/// change.
final class Gated<Value>: @unchecked Sendable {
    // Unchecked because of `value`, which is private and only used while the gate is locked.
    private let gate: StreamGate
    private var value: Value

    init(_ value: sending Value, at gate: StreamGate) {
        self.value = value
        self.gate = gate
    }

    /// Calls `body` with the gate locked, then lets every waiting thread look again. Any thread.
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        gate.interest.withLock { _ in body(&value) }
    }

    /// Calls `body` with the gate locked. Any thread.
    func read<Result: Sendable>(_ body: (Value) -> Result) -> Result { gate.interest.read { _ in body(value) } }

    /// Waits until `look` returns a result. It is called with the gate locked: at first, after every change, and ten
    /// times a second, should nobody wake the gate after an interruption.
    func wait<Result: Sendable>(for look: (inout Value, StreamGate.Interest) -> Result?) -> Result {
        var isWaiting = false
        while true {
            let found = gate.interest.wait(until: .now() + 100_000_000) { interest -> Result? in
                let found = look(&value, interest)
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
