import CGTK

/// A handle for one type of GObject. A handle has the size of a pointer, and does not keep the object alive;
/// `GTKReference` does.
///
/// The types are GTK's classes and interfaces. All calls of GTK are isolated to the main actor.
package protocol GTKObject: Hashable, ObjectPointer {
    /// The class or interface in GObject's type system.
    static var type: GType { get }
    /// The `GObject *`.
    var pointer: OpaquePointer { get }
    /// - Parameter pointer: An object of this type, which is not checked. See `as(_:)` for a checked conversion.
    init(_ pointer: OpaquePointer)
}

extension GTKObject {
    package var objectPointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }

    /// Returns the pointer in the type of a C function's parameter.
    func raw<Class>() -> UnsafeMutablePointer<Class> { UnsafeMutablePointer(pointer) }

    /// Creates a handle for the result of a C function. Returns nil if the result is null. Without this overload, Swift
    /// would force-unwrap the result.
    init?(_ pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.init(pointer)
    }
    /// - Parameter object: The result of a C function that never returns null.
    init(new object: OpaquePointer) { self.init(object) }
    /// - Parameter pointer: An object of this type, which is not checked.
    init<Class>(_ pointer: UnsafeMutablePointer<Class>) { self.init(OpaquePointer(pointer)) }
    init?<Class>(_ pointer: UnsafeMutablePointer<Class>?) {
        guard let pointer else { return nil }
        self.init(OpaquePointer(pointer))
    }

    /// Returns whether the object is of a type or of one of its subclasses.
    package func isKind<Kind: GTKObject>(_ kind: Kind.Type) -> Bool {
        g_type_check_instance_is_a(raw() as UnsafeMutablePointer<GTypeInstance>, Kind.type) != 0
    }

    /// Returns the same object as another type, or nil if it is not of that type.
    package func `as`<Kind: GTKObject>(_ kind: Kind.Type) -> Kind? { isKind(kind) ? Kind(pointer) : nil }
}

extension Bool {
    /// The value in C's type.
    var gboolean: gboolean { self ? 1 : 0 }
}

extension String {
    /// - Parameter text: A string that the caller owns. This initializer frees it.
    init?(owned text: UnsafeMutablePointer<CChar>?) {
        guard let text else { return nil }
        self.init(cString: text)
        g_free(text)
    }
}
