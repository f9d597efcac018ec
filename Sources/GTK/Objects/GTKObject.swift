import CGTK

/// A handle for one kind of GObject. It is as large as a pointer and has no reference of its own; `GTKReference` keeps
/// an object alive.
///
/// The kinds are GTK's classes and interfaces. Everything that calls GTK is on the main actor.
package protocol GTKObject: Hashable, ObjectPointer {
    /// The class or interface in GObject's type system.
    static var type: GType { get }
    /// The `GObject *`.
    var pointer: OpaquePointer { get }
    /// - Parameter pointer: To an object of this kind, which is not checked; see `as(_:)`.
    init(_ pointer: OpaquePointer)
}

extension GTKObject {
    package var objectPointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }

    /// As C's functions take it.
    func raw<Class>() -> UnsafeMutablePointer<Class> { UnsafeMutablePointer(pointer) }

    /// Nil where a function of C returns no object. Without this overload, the compiler would unwrap its result by force.
    init?(_ pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.init(pointer)
    }
    /// - Parameter object: What a function of C has made, which always makes one.
    init(new object: OpaquePointer) { self.init(object) }
    /// - Parameter pointer: To an object of this kind, which is not checked.
    init<Class>(_ pointer: UnsafeMutablePointer<Class>) { self.init(OpaquePointer(pointer)) }
    init?<Class>(_ pointer: UnsafeMutablePointer<Class>?) {
        guard let pointer else { return nil }
        self.init(OpaquePointer(pointer))
    }

    /// Whether the object is of a kind, or of one below it.
    package func isKind<Kind: GTKObject>(_ kind: Kind.Type) -> Bool {
        g_type_check_instance_is_a(raw() as UnsafeMutablePointer<GTypeInstance>, Kind.type) != 0
    }

    /// The same object as another kind; nil if it is none of these.
    package func `as`<Kind: GTKObject>(_ kind: Kind.Type) -> Kind? { isKind(kind) ? Kind(pointer) : nil }
}

extension Bool {
    /// As C has it.
    var gboolean: gboolean { self ? 1 : 0 }
}

extension String {
    /// - Parameter text: A text that the caller of C owns; it is freed.
    init?(owned text: UnsafeMutablePointer<CChar>?) {
        guard let text else { return nil }
        self.init(cString: text)
        g_free(text)
    }
}
