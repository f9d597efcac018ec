import CGIO
import GTK

/// Tells when the system is short of memory, as GLib hears it from the desktop (`org.freedesktop.LowMemoryMonitor`, or
/// its portal); where nobody says so, never. Main actor, with GLib's main loop running.
@MainActor
final class MemoryWatch {
    private var monitor: OpaquePointer?
    private let signals = Signals()

    init(_ onShortage: @escaping @MainActor () -> Void) {
        guard let made = g_memory_monitor_dup_default() else { return }
        monitor = made
        signals.on(made, "low-memory-warning") { onShortage() }
    }

    isolated deinit {
        signals.disconnect()
        if let monitor { g_object_unref(UnsafeMutableRawPointer(monitor)) }
    }
}
