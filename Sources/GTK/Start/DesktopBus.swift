import Foundation

/// Whether this user has a session bus, as far as that is known before anybody has asked for it. Any thread.
package enum DesktopBus {
    /// GIO would start one of its own (`dbus-launch`, of the package dbus-x11) where there is none: of that nobody
    /// would hear.
    package static var isThere: Bool {
        isThere(ProcessInfo.processInfo.environment) { FileManager.default.fileExists(atPath: $0) }
    }

    static func isThere(_ environment: [String: String], exists: (String) -> Bool) -> Bool {
        // “disabled:” is what programs are given that are to have none.
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] {
            return !address.isEmpty && !address.hasPrefix("disabled:")
        }
        return environment["XDG_RUNTIME_DIR"].map { exists($0 + "/bus") } ?? false
    }
}
