/// One answer that a thread waits for at a gate and the loop gives.
final class GateAnswer<Value: Sendable>: Sendable {
    private let value: Gated<Value?>

    init(_ gate: StreamGate) { value = Gated(nil, at: gate) }

    /// Any thread.
    func give(_ new: Value) { value.withLock { $0 = new } }

    /// Blocks until it is given; nil when the gate is interrupted before that. Never on the loop.
    func wait() -> Value? {
        value.wait { value, interest -> Value?? in
            if let value { return .some(value) }
            return interest.isInterrupted() ? .some(nil) : nil
        }
    }

    /// The same where the loop answers at once, whatever happens: not to be interrupted.
    func waitForLoop() -> Value { value.wait { value, _ in value } }
}
