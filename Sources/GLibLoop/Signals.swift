/// Signals that are connected together and disconnected together, at the latest with this. Main actor.
@MainActor
package final class Signals {
    private var connections: [SignalConnection] = []

    package init() {}

    /// - Parameter handler: takes as many of the signal's arguments as it wants: see `SignalConnection`.
    package func on<Object: ObjectPointer, each Argument: SignalValue>(
        _ object: Object, _ signal: String, _ handler: @escaping @MainActor (repeat each Argument) -> Void
    ) {
        connections.append(SignalConnection(object, signal, handler))
    }

    /// A signal that wants an answer: of "close-request" and "key-pressed", true keeps GTK from going on.
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
