import CGTK

/// Tells when the system is short of memory, as GLib hears it from the desktop (`org.freedesktop.LowMemoryMonitor`, or
/// its portal); where nobody says so, never. Main actor, with GLib's main loop running.
@MainActor
final class MemoryWatch {
    private let onShortage: @MainActor () -> Void
    private var monitor: UnsafeMutableRawPointer?
    private var signal: gulong = 0

    init(_ onShortage: @escaping @MainActor () -> Void) {
        self.onShortage = onShortage
        guard let made = g_memory_monitor_dup_default() else { return }
        let raw = UnsafeMutableRawPointer(made)
        monitor = raw
        let handler: @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafeMutableRawPointer?) -> Void = {
            _, _, user in
            guard let user else { return }
            let watch = Unmanaged<MemoryWatch>.fromOpaque(user)
            MainActor.assumeIsolated { watch.takeUnretainedValue().onShortage() }
        }
        signal = g_signal_connect_data(
            raw, "low-memory-warning", unsafeBitCast(handler, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(0))
    }

    isolated deinit {
        guard let monitor else { return }
        g_signal_handler_disconnect(monitor, signal)
        g_object_unref(monitor)
    }
}
