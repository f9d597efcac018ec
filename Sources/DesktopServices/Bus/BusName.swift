import CGIO
import GTK

/// A name on the bus by which other programs find this process. The object owns the name until it is deinitialized or
/// released.
@MainActor
package final class BusName {
    private var id: guint = 0
    private final class Box {
        let acquired: @MainActor () -> Void
        let lost: @MainActor () -> Void
        init(_ acquired: @escaping @MainActor () -> Void, _ lost: @escaping @MainActor () -> Void) {
            (self.acquired, self.lost) = (acquired, lost)
        }
    }

    /// Requests the name. The request is not queued: if another process owns the name, that process keeps it.
    ///
    /// - Parameters:
    ///   - acquired: Called when this process owns the name.
    ///   - lost: Called when another process owns the name, or when the connection to the bus is closed.
    package init(
        _ name: String, on bus: SessionBus, acquired: @escaping @MainActor () -> Void,
        lost: @escaping @MainActor () -> Void
    ) {
        id = g_bus_own_name_on_connection(
            bus.connection, name, G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE,
            { _, _, box in
                MainThread.run(box, as: Box.self) { $0.acquired() }
            },
            { _, _, box in
                MainThread.run(box, as: Box.self) { $0.lost() }
            },
            Unmanaged.passRetained(Box(acquired, lost)).toOpaque(),
            { box in if let box { Unmanaged<Box>.fromOpaque(box).release() } })
    }

    package func release() {
        if id != 0 { g_bus_unown_name(id) }
        id = 0
    }
    isolated deinit { release() }
}
