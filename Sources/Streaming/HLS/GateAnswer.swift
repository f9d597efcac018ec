/// A value that a thread waits for at a gate, and that the network loop provides.
final class GateAnswer<Value: Sendable>: Sendable {
    private let value: Gated<Value?>

    init(_ gate: StreamGate) { value = Gated(nil, at: gate) }

    /// Provides the value. Any thread.
    func give(_ new: Value) { value.withLock { $0 = new } }

    /// Waits for the value. Returns nil if the gate is interrupted first. Must not be called on the loop.
    func wait() -> Value? {
        value.wait { value, interest -> Value?? in
            if let value { return .some(value) }
            return interest.isInterrupted() ? .some(nil) : nil
        }
    }

    /// Waits for the value, for use where the loop always provides it promptly. Cannot be interrupted.
    func waitForLoop() -> Value { value.wait { value, _ in value } }
}
