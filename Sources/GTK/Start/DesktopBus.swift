import Foundation

/// A check for the user's session bus that does not connect to the bus. It can be used on any thread.
package enum DesktopBus {
    /// Whether there is a session bus. Without one, GIO would silently start its own (`dbus-launch`, from the package
    /// dbus-x11).
    package static var isAvailable: Bool {
        isAvailable(ProcessInfo.processInfo.environment) { FileManager.default.fileExists(atPath: $0) }
    }

    static func isAvailable(_ environment: [String: String], exists: (String) -> Bool) -> Bool {
        // A session sets “disabled:” for programs that must not use a bus.
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] {
            return !address.isEmpty && !address.hasPrefix("disabled:")
        }
        return environment["XDG_RUNTIME_DIR"].map { exists($0 + "/bus") } ?? false
    }
}
