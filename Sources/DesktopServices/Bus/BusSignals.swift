import CGIO
import GTK

/// What an object of another program tells, for as long as this lives. Main actor.
@MainActor
package final class BusSignals {
    package typealias Handler = @MainActor (_ interface: String, _ signal: String, _ arguments: [BusValue]) -> Void
    private let bus: SessionBus
    private var id: guint = 0
    private final class Box {
        let handler: Handler
        init(_ handler: @escaping Handler) { self.handler = handler }
    }

    /// - Parameters:
    ///   - name: the other's, any of its names.
    ///   - interface, signal: nil: all.
    ///   - first: the first argument, a text; nil: any.
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
