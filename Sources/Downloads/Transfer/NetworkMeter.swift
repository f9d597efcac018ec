import CGIO
import Dispatch
import MediaCore
import Synchronization

/// The metered state of the network, from NetworkManager or a sandbox's portal, by means of GIO (`GNetworkMonitor`).
///
/// GIO's default monitor receives changes only in a process that runs GLib's main loop, which services and commands do
/// not. This monitor therefore has its own main context and thread, which exist until the process ends.
final class NetworkMeter: Sendable {
    /// The shared monitor, which contacts the desktop on first use.
    static let shared = NetworkMeter()

    private let isKnown = DispatchSemaphore(value: 0)
    private let metered = Atomic(false)

    private init() {
        let thread = WorkerThread(name: "zt-network") { [self] in watch() }
        guard thread.isStarted else { return }
        thread.detach()
        // A bus that does not answer must not block the caller. Its answer is used when it arrives.
        _ = isKnown.wait(timeout: .now() + 1)
    }

    /// Whether the network is metered; false if unknown. Any thread. The first access may take up to a second.
    var isMetered: Bool { metered.load(ordering: .relaxed) }

    private func watch() {
        // By default, GIO ends the process when the connection to the bus closes.
        if let bus = g_bus_get_sync(G_BUS_TYPE_SYSTEM, nil, nil) { g_dbus_connection_set_exit_on_close(bus, 0) }
        // The default monitor has to be created before this thread has its own context, because it belongs to the main
        // context.
        guard let defaultMonitor = g_network_monitor_get_default() else { return store(false) }
        let context = g_main_context_new()
        g_main_context_push_thread_default(context)
        guard let monitor = zt_network_monitor_like(defaultMonitor) else {
            return store(g_network_monitor_get_network_metered(defaultMonitor) != 0)
        }
        while true {
            store(g_network_monitor_get_network_metered(monitor) != 0)
            g_main_context_iteration(context, 1)
        }
    }

    private func store(_ new: Bool) {
        metered.store(new, ordering: .relaxed)
        isKnown.signal()
    }
}
