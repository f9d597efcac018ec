import CGTK
import Foundation

/// An app that is registered on the session bus.
package struct GTKApplication: GTKObject {
    package static var type: GType { gtk_application_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Creates an app.
    ///
    /// - Parameter identifier: The app's identifier in GIO's format, with at least one dot.
    @MainActor package static func make(_ identifier: String, _ flags: GApplicationFlags) -> GTKReference<
        GTKApplication
    > {
        GTKReference(adopting: GTKApplication(gtk_application_new(identifier, flags)))
    }
    package static func isIdentifier(_ text: String) -> Bool { g_application_id_is_valid(text) != 0 }

    /// Runs the app until it quits, and returns the exit status.
    @MainActor package func run(_ arguments: [String]) -> Int32 {
        var cArguments = arguments.map { strdup($0) }
        defer { for argument in cArguments { free(argument) } }
        return g_application_run(raw(), Int32(cArguments.count), &cArguments)
    }
    /// Registers the app on the session bus. Returns an error message, or nil on success.
    @MainActor package func register() -> String? {
        var error: UnsafeMutablePointer<GError>?
        defer { if let error { g_error_free(error) } }
        guard g_application_register(raw(), nil, &error) == 0 else { return nil }
        return error.map { String(cString: $0.pointee.message) } ?? ""
    }
    /// Whether another process is registered as this app.
    @MainActor package var isRemote: Bool { g_application_get_is_remote(raw()) != 0 }
    /// Activates an action. If the app is in another process, sends the request before returning.
    @MainActor package func activate(_ action: String) {
        g_action_group_activate_action(pointer, action, nil)
        if let bus = g_application_get_dbus_connection(raw()) { g_dbus_connection_flush_sync(bus, nil, nil) }
    }
    /// Returns the URIs of an array of `GFile *`, the parameter of the signal "open".
    @MainActor package static func uris(_ files: OpaquePointer?, _ count: Int) -> [String] {
        guard let files, count > 0 else { return [] }
        let array = UnsafeMutablePointer<OpaquePointer?>(files)
        return (0..<count).compactMap { index in array[index].flatMap { String(owned: g_file_get_uri($0)) } }
    }
    @MainActor package func quit() { g_application_quit(raw()) }

    @MainActor package func add(_ window: GTKWindow) { gtk_application_add_window(raw(), window.raw()) }
    @MainActor package var activeWindow: GTKWindow? { GTKWindow(gtk_application_get_active_window(raw())) }
    /// - Parameter keys: The shortcuts in GTK's format: “<Control>q”.
    @MainActor package func setKeys(_ keys: [String], of action: String) {
        var texts: [UnsafePointer<CChar>?] = keys.map { UnsafePointer(strdup($0)) } + [nil]
        gtk_application_set_accels_for_action(raw(), action, &texts)
        for text in texts { free(UnsafeMutablePointer(mutating: text)) }
    }

    /// Keeps the session from becoming idle.
    ///
    /// - Returns: A cookie for `allowIdle(_:)`, or nil if the desktop does not support this.
    @MainActor package func inhibitIdle(_ window: GTKWindow, _ reason: String) -> UInt32? {
        let cookie = gtk_application_inhibit(raw(), window.raw(), GTK_APPLICATION_INHIBIT_IDLE, reason)
        return cookie == 0 ? nil : cookie
    }
    @MainActor package func allowIdle(_ cookie: UInt32) { gtk_application_uninhibit(raw(), cookie) }
}
