import MediaCore

/// One answer that a thread waits for at a gate and the loop gives.
final class GateAnswer<Value: Sendable>: @unchecked Sendable {
    // Guarded by the gate's monitor.
    private var value: Value?
    private let gate: StreamGate

    init(_ gate: StreamGate) { self.gate = gate }

    /// Any thread.
    func give(_ new: Value) {
        gate.monitor.withLock {
            value = new
            gate.changed.broadcast()
        }
    }

    /// Blocks until it is given; nil when the gate is interrupted before that. Never on the loop.
    func wait() -> Value? {
        gate.monitor.withLock {
            while true {
                if let value { return value }
                if gate.isInterrupted() { return nil }
                gate.wait()
            }
        }
    }

    /// The same where the loop answers at once, whatever happens: not to be interrupted.
    func waitForLoop() -> Value {
        gate.monitor.withLock {
            while true {
                if let value { return value }
                gate.wait()
            }
        }
    }
}
