import CGIO

/// A signal of a GObject, connected to a closure, for as long as this lives. Main actor.
///
/// The closure takes the signal's arguments, as many of the first ones as it wants, as `SignalValue`s: their types are
/// compared with the signal's when it is connected. It is freed when it is disconnected, or goes with the object, which
/// this does not keep alive.
@MainActor
package final class SignalConnection {
    // At one place for GLib, as long as this lives.
    private let object = UnsafeMutablePointer<GWeakRef>.allocate(capacity: 1)
    private var id: gulong = 0

    /// Not told while true: when a widget is brought up to date, that is no input.
    package var isSilent = false {
        didSet {
            guard isSilent != oldValue else { return }
            withObject { if isSilent { g_signal_handler_block($0, id) } else { g_signal_handler_unblock($0, id) } }
        }
    }

    /// - Parameter signal: its name, with a detail where it has one: "clicked", "notify::root".
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

    /// The same of a signal that wants an answer.
    package convenience init<Object: ObjectPointer, each Argument: SignalValue, Answer: SignalAnswer>(
        asking object: Object, _ signal: String, _ handler: @escaping @MainActor (repeat each Argument) -> Answer
    ) {
        var types: [(GType) -> Bool] = []
        repeat types.append((each Argument).fits)
        self.init(object.objectPointer, signal, types, answer: Answer.fits) { emission in
            var reader = ArgumentReader(emission)
            let answer = handler(repeat reader.next((each Argument).self))
            if let place = emission.answer { answer.write(place) }
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
        // One function for signals of all shapes: GLib hands it their arguments as values that know their types.
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

    /// Safe to call twice.
    package func disconnect() {
        withObject { g_signal_handler_disconnect($0, id) }
        id = 0
    }

    /// Nothing when it has gone, or has thrown off its handlers and is about to.
    private func withObject(_ body: (UnsafeMutableRawPointer) -> Void) {
        guard id != 0, let alive = g_weak_ref_get(object) else { return }
        defer { g_object_unref(alive) }
        if g_signal_handler_is_connected(alive, id) != 0 { body(alive) }
    }

    // MARK: what GLib calls

    private final class Handler {
        let call: @MainActor (Emission) -> Void
        init(_ call: @escaping @MainActor (Emission) -> Void) { self.call = call }
    }

    /// The signal's values: the object first, then its arguments, at least as many as the handler takes.
    private struct Emission {
        let values: UnsafePointer<GValue>
        let answer: UnsafeMutablePointer<GValue>?
    }

    private struct ArgumentReader {
        private var place: UnsafePointer<GValue>
        init(_ emission: Emission) { place = emission.values }
        mutating func next<Value: SignalValue>(_ type: Value.Type) -> Value {
            place += 1
            return Value.read(place)
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
        // The lowest bit is no part of a type here (G_SIGNAL_TYPE_STATIC_SCOPE).
        for (index, fits) in arguments.enumerated() where !fits(query.param_types[index] & ~1) { return false }
        return answer?(query.return_type & ~1) ?? true
    }
}
