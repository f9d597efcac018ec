import CGIO
import GTK

/// An observer that calls a handler when the system is short of memory.
///
/// GLib receives the warning from the desktop (`org.freedesktop.LowMemoryMonitor` or its portal). On a desktop without
/// them, the handler is never called. Requires GLib's main loop. Main actor.
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
