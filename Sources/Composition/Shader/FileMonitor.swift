import CGTK
import Foundation
import MediaCore

/// Tells when a file has changed, by GIO on the main loop. Editors that write a new file in its place count too.
@MainActor
final class FileMonitor {
    private let monitor: UnsafeMutablePointer<GFileMonitor>
    private let onChange: () -> Void

    /// Nil when the system has no way to watch the file.
    init?(path: FilePath, _ onChange: @escaping () -> Void) {
        guard let file = path.withCString({ g_file_new_for_path($0) }) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        guard let monitor = g_file_monitor_file(file, G_FILE_MONITOR_WATCH_MOVES, nil, nil) else { return nil }
        self.monitor = monitor
        self.onChange = onChange
        g_file_monitor_set_rate_limit(monitor, 100)
        let changed:
            @convention(c) (
                UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, GFileMonitorEvent,
                UnsafeMutableRawPointer?
            ) -> Void = { _, _, _, event, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated {
                    guard let me, event != G_FILE_MONITOR_EVENT_DELETED else { return }
                    Unmanaged<FileMonitor>.fromOpaque(me).takeUnretainedValue().onChange()
                }
            }
        g_signal_connect_data(
            UnsafeMutableRawPointer(monitor), "changed", unsafeBitCast(changed, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(0))
    }

    isolated deinit {
        g_signal_handlers_disconnect_matched(
            UnsafeMutableRawPointer(monitor), G_SIGNAL_MATCH_DATA, 0, 0, nil, nil,
            Unmanaged.passUnretained(self).toOpaque())
        g_file_monitor_cancel(monitor)
        g_object_unref(UnsafeMutableRawPointer(monitor))
    }
}
