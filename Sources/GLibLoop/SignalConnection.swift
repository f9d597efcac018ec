import CGIO

/// A connection of a GObject's signal to a closure. Releasing the connection disconnects the signal.
///
/// The closure receives the signal's first arguments, as many as it has parameters, as `SignalValue`s. Their types are
/// compared with those of the signal when it is connected. The closure is freed when the signal is disconnected or the
/// object is finalized. The connection does not keep the object alive.
@MainActor
package final class SignalConnection {
    // GLib requires that the weak reference stays at one address.
    private let object = UnsafeMutablePointer<GWeakRef>.allocate(capacity: 1)
    private var id: gulong = 0

    /// Whether the handler is blocked. Used while a widget is updated, which is not input from the user.
    package var isSilent = false {
        didSet {
            guard isSilent != oldValue else { return }
            withObject { if isSilent { g_signal_handler_block($0, id) } else { g_signal_handler_unblock($0, id) } }
        }
    }

    /// Connects a signal without a return value.
    /// - Parameter signal: The name of the signal, with a detail if it has one, such as "clicked" or "notify::root".
    package convenience init<Object: ObjectPointer, each Argument: SignalValue>(
        _ object: Object, _ signal: String, _ handler: @escaping @MainActor (repeat each Argument) -> Void
    ) {
        var types: [(GType) -> Bool] = []
        repeat types.append((each Argument).fits)
        self.init(object.objectPointer, signal, types, answer: nil) { emission in
            var reader = ArgumentReader(emission)
            handler(repeat reader.next((each Argument).self))
        }
    }

    /// Connects a signal with a return value.
    package convenience init<Object: ObjectPointer, each Argument: SignalValue, Answer: SignalAnswer>(
        asking object: Object, _ signal: String, _ handler: @escaping @MainActor (repeat each Argument) -> Answer
    ) {
        var types: [(GType) -> Bool] = []
        repeat types.append((each Argument).fits)
        self.init(object.objectPointer, signal, types, answer: Answer.fits) { emission in
            var reader = ArgumentReader(emission)
            let answer = handler(repeat reader.next((each Argument).self))
            if let result = emission.answer { answer.write(result) }
        }
    }

    private init(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ arguments: [(GType) -> Bool],
        answer: ((GType) -> Bool)?, _ call: @escaping @MainActor (Emission) -> Void
    ) {
        g_weak_ref_init(self.object, object)
        guard SignalConnection.fits(object, signal, arguments, answer) else {
            assertionFailure("there is no signal \(signal) with these arguments")
            return
        }
        let handler = Unmanaged.passRetained(Handler(call)).toOpaque()
        guard let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), handler) else { return }
        g_closure_add_finalize_notifier(closure, handler) { handler, _ in
            if let handler { Unmanaged<Handler>.fromOpaque(handler).release() }
        }
        // One marshaller serves signals of all types, because GLib passes the arguments as values with their types.
        g_closure_set_marshal(closure) { closure, answer, _, values, _, _ in
            guard let values else { return }
            MainThread.run((closure?.pointee.data, Emission(values: values, answer: answer))) { handler, emission in
                if let handler { Unmanaged<Handler>.fromOpaque(handler).takeUnretainedValue().call(emission) }
            }
        }
        id = g_signal_connect_closure(object, signal, closure, 0)
    }

    isolated deinit {
        disconnect()
        g_weak_ref_clear(object)
        object.deallocate()
    }

    /// Disconnects the signal. Further calls have no effect.
    package func disconnect() {
        withObject { g_signal_handler_disconnect($0, id) }
        id = 0
    }

    /// Calls `body` with the object. Does nothing if the object has been finalized, or if its disposal has already
    /// disconnected the handler.
    private func withObject(_ body: (UnsafeMutableRawPointer) -> Void) {
        guard id != 0, let alive = g_weak_ref_get(object) else { return }
        defer { g_object_unref(alive) }
        if g_signal_handler_is_connected(alive, id) != 0 { body(alive) }
    }

    // MARK: calls from GLib

    private final class Handler {
        let call: @MainActor (Emission) -> Void
        init(_ call: @escaping @MainActor (Emission) -> Void) { self.call = call }
    }

    /// The values of one emission: first the object, then its arguments, at least as many as the handler receives.
    private struct Emission {
        let values: UnsafePointer<GValue>
        let answer: UnsafeMutablePointer<GValue>?
    }

    private struct ArgumentReader {
        private var current: UnsafePointer<GValue>
        init(_ emission: Emission) { current = emission.values }
        mutating func next<Value: SignalValue>(_ type: Value.Type) -> Value {
            current += 1
            return Value.read(current)
        }
    }

    private static func fits(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ arguments: [(GType) -> Bool],
        _ answer: ((GType) -> Bool)?
    ) -> Bool {
        var number: guint = 0
        var detail: GQuark = 0
        guard g_signal_parse_name(signal, zt_g_object_type(object), &number, &detail, 1) != 0 else { return false }
        var query = GSignalQuery()
        g_signal_query(number, &query)
        guard arguments.count <= Int(query.n_params) else { return false }
        // The lowest bit is a flag here, not part of the type (G_SIGNAL_TYPE_STATIC_SCOPE).
        for (index, fits) in arguments.enumerated() where !fits(query.param_types[index] & ~1) { return false }
        return answer?(query.return_type & ~1) ?? true
    }
}
