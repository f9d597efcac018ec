import CGIO
import Foundation
import GTK

/// The reason why a call on the bus failed.
package struct BusError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The D-Bus name of the error, such as `org.freedesktop.DBus.Error.InvalidArgs`.
    package let name: String
    package let message: String
    package init(_ name: String, _ message: String) { (self.name, self.message) = (name, message) }
    package var description: String { "\(name): \(message)" }

    /// No answer arrived in time. The service may still carry out the call.
    package static let noAnswer = BusError("org.freedesktop.DBus.Error.NoReply", "the service did not respond in time")
    package static func invalid(_ message: String) -> BusError {
        BusError("org.freedesktop.DBus.Error.InvalidArgs", message)
    }
    package static func unsupported(_ message: String) -> BusError {
        BusError("org.freedesktop.DBus.Error.NotSupported", message)
    }
}

/// A connection to the user's session bus, by means of GIO. Callbacks run on GLib's main loop, which is the main
/// actor's.
@MainActor
package final class SessionBus {
    let connection: OpaquePointer
    private let signals = Signals()
    /// Called when the connection is closed. All names and objects on the bus are then removed.
    package var onClose: (@MainActor () -> Void)?

    private init(_ connection: OpaquePointer) {
        self.connection = connection
        // GIO's default is to end the process when the connection is closed.
        g_dbus_connection_set_exit_on_close(connection, 0)
        signals.on(connection, "closed") { [weak self] in self?.onClose?() }
    }
    isolated deinit {
        signals.disconnect()
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// Whether the user has a session bus.
    nonisolated package static var isThere: Bool { DesktopBus.isAvailable }
    /// The unique name of this process on the bus, such as `:1.42`.
    var uniqueName: String { g_dbus_connection_get_unique_name(connection).map { String(cString: $0) } ?? ":" }

    /// Connects to the bus, or returns nil if there is none or it does not answer.
    package static func connect() async -> SessionBus? {
        guard isThere else { return nil }
        return await withCheckedContinuation { continuation in
            let box = Unmanaged.passRetained(Waiting<SessionBus?>(continuation))
            g_bus_get(
                G_BUS_TYPE_SESSION, nil,
                { _, result, box in
                    MainThread.run((result, box)) { result, box in
                        guard let box else { return }
                        let waiting = Unmanaged<Waiting<SessionBus?>>.fromOpaque(box).takeRetainedValue()
                        waiting.continuation.resume(returning: g_bus_get_finish(result, nil).map { SessionBus($0) })
                    }
                }, box.toOpaque())
        }
    }

    private final class Waiting<T> {
        let continuation: CheckedContinuation<T, Never>
        init(_ continuation: CheckedContinuation<T, Never>) { self.continuation = continuation }
    }

    /// Calls a method of another program and returns its result.
    ///
    /// - Parameters:
    ///   - method: The interface and the method, separated by a dot.
    ///   - seconds: The time to wait for the answer, limited to 0.001 … 600 s.
    ///   - starts: Whether the bus may start the program.
    package func call(
        _ name: String, _ path: String, _ method: String, _ arguments: [BusValue] = [], seconds: Double = 5,
        starts: Bool = false
    ) async -> Result<[BusValue], BusError> {
        guard let dot = method.lastIndex(of: ".") else {
            return .failure(.invalid("\(method) does not name an interface"))
        }
        let (interface, member) = (String(method[..<dot]), String(method[method.index(after: dot)...]))
        return await withCheckedContinuation { continuation in
            let box = Unmanaged.passRetained(Waiting<Result<[BusValue], BusError>>(continuation))
            g_dbus_connection_call(
                connection, name, path, interface, member, BusValue.tuple(arguments).variant, nil,
                starts ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START,
                gint(min(max(seconds, 0.001), 600) * 1000), nil,
                { source, result, box in
                    MainThread.run((source, result, box)) { source, result, box in
                        guard let box else { return }
                        var error: UnsafeMutablePointer<GError>?
                        let answer = g_dbus_connection_call_finish(source.map { OpaquePointer($0) }, result, &error)
                        defer { if let answer { g_variant_unref(answer) } }
                        Unmanaged<Waiting<Result<[BusValue], BusError>>>.fromOpaque(box).takeRetainedValue()
                            .continuation
                            .resume(returning: SessionBus.answer(answer, error))
                    }
                }, box.toOpaque())
        }
    }

    /// Calls a method of another program without waiting for an answer.
    package func send(_ name: String, _ path: String, _ method: String, _ arguments: [BusValue] = []) {
        guard let dot = method.lastIndex(of: ".") else { return }
        g_dbus_connection_call(
            connection, name, path, String(method[..<dot]), String(method[method.index(after: dot)...]),
            BusValue.tuple(arguments).variant, nil,
            G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nil, nil, nil)
        flush()
    }

    private static func answer(_ answer: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?) -> Result<
        [BusValue], BusError
    > {
        guard let error else { return .success(BusValue(answer)?.items ?? []) }
        defer { g_error_free(error) }
        if g_error_matches(error, g_io_error_quark(), gint(G_IO_ERROR_TIMED_OUT.rawValue)) != 0 {
            return .failure(.noAnswer)
        }
        let remote = g_dbus_error_get_remote_error(error)
        defer { g_free(remote) }
        g_dbus_error_strip_remote_error(error)
        return .failure(
            BusError(
                remote.map { String(cString: $0) } ?? "org.freedesktop.DBus.Error.Failed",
                String(cString: error.pointee.message)))
    }

    /// Emits a signal to all listeners.
    package func emit(_ path: String, _ interface: String, _ signal: String, _ arguments: [BusValue]) {
        g_dbus_connection_emit_signal(connection, nil, path, interface, signal, BusValue.tuple(arguments).variant, nil)
    }

    /// Sends all queued messages. Blocks until the socket has accepted them.
    package func flush() { g_dbus_connection_flush_sync(connection, nil, nil) }
}
