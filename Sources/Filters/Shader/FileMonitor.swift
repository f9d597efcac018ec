import CGIO
import Foundation
import GLibLoop
import MediaCore

/// A monitor that reports changes of a file, using GIO on the main loop. The replacement of the file is a change too.
@MainActor
final class FileMonitor {
    private let monitor: UnsafeMutablePointer<GFileMonitor>
    private let changed: SignalConnection

    /// Starts to watch a file. Returns nil if the system can't watch it.
    init?(path: FilePath, _ onChange: @escaping () -> Void) {
        guard let file = path.withCString({ g_file_new_for_path($0) }) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        guard let monitor = g_file_monitor_file(file, G_FILE_MONITOR_WATCH_MOVES, nil, nil) else { return nil }
        self.monitor = monitor
        g_file_monitor_set_rate_limit(monitor, 100)
        changed = SignalConnection(monitor, "changed") { (_: OpaquePointer?, _: OpaquePointer?, event: Int32) in
            if event != Int32(G_FILE_MONITOR_EVENT_DELETED.rawValue) { onChange() }
        }
    }

    isolated deinit {
        changed.disconnect()
        g_file_monitor_cancel(monitor)
        g_object_unref(UnsafeMutableRawPointer(monitor))
    }
}
