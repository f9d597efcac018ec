import CGIO
import GTK

/// A subscription to the signals of another program's objects, which ends when it is deinitialized.
@MainActor
package final class BusSignals {
    package typealias Handler = @MainActor (_ interface: String, _ signal: String, _ arguments: [BusValue]) -> Void
    private let bus: SessionBus
    private var id: guint = 0
    private final class Box {
        let handler: Handler
        init(_ handler: @escaping Handler) { self.handler = handler }
    }

    /// Subscribes to signals, and calls `handler` for each.
    ///
    /// - Parameters:
    ///   - name: Any bus name of the other program.
    ///   - path: The path of the object, or nil for all objects.
    ///   - interface: The interface, or nil for all interfaces.
    ///   - signal: The name of the signal, or nil for all signals.
    ///   - first: The first argument, which must be a string, or nil for any arguments.
    package init(
        from name: String, path: String? = nil, interface: String? = nil, signal: String? = nil, first: String? = nil,
        on bus: SessionBus, _ handler: @escaping Handler
    ) {
        self.bus = bus
        id = g_dbus_connection_signal_subscribe(
            bus.connection, name, interface, signal, path, first, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, interface, signal, arguments, box in
                MainThread.run((interface, signal, arguments, box)) { interface, signal, arguments, box in
                    guard let box, let interface, let signal else { return }
                    Unmanaged<Box>.fromOpaque(box).takeUnretainedValue().handler(
                        String(cString: interface), String(cString: signal), BusValue(arguments)?.items ?? [])
                }
            },
            Unmanaged.passRetained(Box(handler)).toOpaque(),
            { box in if let box { Unmanaged<Box>.fromOpaque(box).release() } })
    }
    isolated deinit { if id != 0 { g_dbus_connection_signal_unsubscribe(bus.connection, id) } }
}
