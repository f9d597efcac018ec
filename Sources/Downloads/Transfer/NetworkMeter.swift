import CGIO
import Dispatch
import MediaCore
import Synchronization

/// Whether the network costs by the byte: what NetworkManager says, or a sandbox's portal, through GIO
/// (`GNetworkMonitor`).
///
/// GIO's own monitor hears of changes where the process runs GLib's main loop, which a service or a command has not:
/// this is one like it with a main context and a thread of its own, for as long as the process lives.
final class NetworkMeter: Sendable {
    /// Asks the desktop when it is first needed.
    static let shared = NetworkMeter()

    private let isKnown = DispatchSemaphore(value: 0)
    private let metered = Atomic(false)

    private init() {
        let thread = WorkerThread(name: "zt-network") { [self] in watch() }
        guard thread.isStarted else { return }
        thread.detach()
        // A bus that does not answer holds nothing up: it is heard when it does.
        _ = isKnown.wait(timeout: .now() + 1)
    }

    /// False where nobody says. Any thread; the first time it may take up to a second.
    var isMetered: Bool { metered.load(ordering: .relaxed) }

    private func watch() {
        // GIO would end the process with the bus.
        if let bus = g_bus_get_sync(G_BUS_TYPE_SYSTEM, nil, nil) { g_dbus_connection_set_exit_on_close(bus, 0) }
        // Before this thread has a context of its own: the process's monitor belongs into the main one.
        guard let common = g_network_monitor_get_default() else { return answer(false) }
        let context = g_main_context_new()
        g_main_context_push_thread_default(context)
        guard let monitor = zt_network_monitor_like(common) else {
            return answer(g_network_monitor_get_network_metered(common) != 0)
        }
        while true {
            answer(g_network_monitor_get_network_metered(monitor) != 0)
            g_main_context_iteration(context, 1)
        }
    }

    private func answer(_ new: Bool) {
        metered.store(new, ordering: .relaxed)
        isKnown.signal()
    }
}
