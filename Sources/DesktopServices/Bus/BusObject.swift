import CGIO
import GTK

/// The methods and properties of an object on the bus, by interface and name. GIO has already checked the types of all
/// arguments against the interface's description.
@MainActor
package protocol BusObjectHandler: AnyObject {
    func call(_ interface: String, _ method: String, _ arguments: [BusValue]) -> Result<[BusValue], BusError>
    func property(_ interface: String, _ name: String) -> BusValue?
    func set(_ interface: String, _ name: String, _ value: BusValue) -> BusError?
}

/// An object on the bus with its interfaces. It stays registered until it is deinitialized or released.
@MainActor
package final class BusObject {
    private let bus: SessionBus
    private var ids: [guint] = []
    fileprivate weak var handler: (any BusObjectHandler)?

    /// Registers the interfaces of a description.
    ///
    /// - Parameter description: The XML of a `<node>` (D-Bus Specification, "Introspection Data Format").
    /// - Throws: `BusError` if the description is invalid or the object cannot be registered.
    package init(_ description: String, at path: String, on bus: SessionBus, _ handler: any BusObjectHandler)
        throws(BusError)
    {
        self.bus = bus
        self.handler = handler
        var error: UnsafeMutablePointer<GError>?
        guard let node = g_dbus_node_info_new_for_xml(description, &error) else { throw BusObject.error(error) }
        defer { g_dbus_node_info_unref(node) }
        var table = GDBusInterfaceVTable()
        table.method_call = { _, _, _, interface, method, arguments, invocation, box in
            MainThread.run((interface, method, arguments, invocation, box)) {
                BusObject.called($0, $1, $2, $3, $4)
            }
        }
        table.get_property = { _, _, _, interface, name, error, box in
            MainThread.run((interface, name, error, box)) { BusObject.read($0, $1, $2, $3) }
        }
        table.set_property = { _, _, _, interface, name, value, error, box in
            MainThread.run((interface, name, value, error, box)) { BusObject.written($0, $1, $2, $3, $4) } ? 1 : 0
        }
        guard let interfaces = node.pointee.interfaces else { return }
        var index = 0
        while let interface = interfaces[index] {
            // GIO retains the box until the interface is unregistered and no call is running.
            let box = Unmanaged.passRetained(Box(self)).toOpaque()
            let id = g_dbus_connection_register_object(
                bus.connection, path, interface, &table, box,
                { box in if let box { Unmanaged<Box>.fromOpaque(box).release() } }, &error)
            guard id != 0 else {
                release()
                throw BusObject.error(error)
            }
            ids.append(id)
            index += 1
        }
    }

    package func release() {
        for id in ids { g_dbus_connection_unregister_object(bus.connection, id) }
        ids = []
    }
    isolated deinit { release() }

    @MainActor
    private final class Box {
        private weak var object: BusObject?
        init(_ object: BusObject) { self.object = object }
        var handler: (any BusObjectHandler)? { object?.handler }
    }

    private static func error(_ error: UnsafeMutablePointer<GError>?) -> BusError {
        guard let error else {
            return BusError("org.freedesktop.DBus.Error.Failed", "the object could not be registered on the bus")
        }
        defer { g_error_free(error) }
        return BusError("org.freedesktop.DBus.Error.Failed", String(cString: error.pointee.message))
    }
    private static func handler(_ box: UnsafeMutableRawPointer?) -> (any BusObjectHandler)? {
        box.flatMap { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue().handler }
    }
    private static func text(_ raw: UnsafePointer<CChar>?) -> String { raw.map { String(cString: $0) } ?? "" }

    private static func called(
        _ interface: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?, _ arguments: OpaquePointer?,
        _ invocation: OpaquePointer?, _ box: UnsafeMutableRawPointer?
    ) {
        switch handler(box)?.call(text(interface), text(method), BusValue(arguments)?.items ?? []) {
        case .success(let answer)?: g_dbus_method_invocation_return_value(invocation, BusValue.tuple(answer).variant)
        case .failure(let error)?: g_dbus_method_invocation_return_dbus_error(invocation, error.name, error.message)
        case nil:
            g_dbus_method_invocation_return_dbus_error(
                invocation, "org.freedesktop.DBus.Error.UnknownObject", "The object no longer exists.")
        }
    }

    private static func read(
        _ interface: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?, _ box: UnsafeMutableRawPointer?
    ) -> OpaquePointer? {
        guard let value = handler(box)?.property(text(interface), text(name)) else {
            fail(error, .invalid("\(text(name)) is not available at the moment."))
            return nil
        }
        return value.variant
    }

    private static func written(
        _ interface: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?, _ value: OpaquePointer?,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?, _ box: UnsafeMutableRawPointer?
    ) -> Bool {
        guard let value = BusValue(value) else {
            fail(error, .invalid("The value of \(text(name)) is not valid."))
            return false
        }
        guard let problem = handler(box)?.set(text(interface), text(name), value) else { return true }
        fail(error, problem)
        return false
    }

    private static func fail(_ destination: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?, _ error: BusError) {
        let code = error.name.hasSuffix("NotSupported") ? G_DBUS_ERROR_NOT_SUPPORTED : G_DBUS_ERROR_INVALID_ARGS
        g_set_error_literal(destination, g_dbus_error_quark(), gint(code.rawValue), error.message)
    }
}
