import CGTK

/// Keeps a GObject alive. All references that Swift code has to GTK's objects are of this type.
@MainActor
package final class GTKReference<Object: GTKObject> {
    package let object: Object

    /// Takes a reference: of a new widget its floating one, of other objects one more.
    package init(_ object: Object) {
        self.object = object
        g_object_ref_sink(object.objectPointer)
    }

    /// Takes over the reference that a function of C has returned.
    package init(adopting object: Object) { self.object = object }

    isolated deinit { g_object_unref(object.objectPointer) }
}

/// Marks an object, for code that finds the object again among others.
@MainActor
package struct GTKMark {
    private let key: GQuark

    /// - Parameter name: Unique in the process.
    package init(_ name: StaticString) {
        key = g_quark_from_static_string(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
    }

    package func set<Object: GTKObject>(on object: Object) {
        g_object_set_qdata(object.raw(), key, object.objectPointer)
    }
    package func isSet<Object: GTKObject>(on object: Object) -> Bool { g_object_get_qdata(object.raw(), key) != nil }
}
