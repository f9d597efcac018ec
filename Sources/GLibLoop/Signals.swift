/// A group of signal connections that are disconnected together, at the latest when the group is released.
@MainActor
package final class Signals {
    private var connections: [SignalConnection] = []

    package init() {}

    /// Connects a signal without a return value.
    /// - Parameter handler: Receives the signal's first arguments, as many as it has parameters (see
    ///   `SignalConnection`).
    package func on<Object: ObjectPointer, each Argument: SignalValue>(
        _ object: Object, _ signal: String, _ handler: @escaping @MainActor (repeat each Argument) -> Void
    ) {
        connections.append(SignalConnection(object, signal, handler))
    }

    /// Connects a signal with a return value. For "close-request" and "key-pressed", true prevents GTK's default
    /// handling.
    package func answer<Object: ObjectPointer, each Argument: SignalValue, Answer: SignalAnswer>(
        _ object: Object, _ signal: String, _ handler: @escaping @MainActor (repeat each Argument) -> Answer
    ) {
        connections.append(SignalConnection(asking: object, signal, handler))
    }

    package func disconnect() {
        for connection in connections { connection.disconnect() }
        connections = []
    }
}
