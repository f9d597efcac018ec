import CGTK

/// A strong reference to a GObject. It keeps the object alive, which a handle does not.
@MainActor
package final class GTKReference<Object: GTKObject> {
    package let object: Object

    /// Creates a reference. If the object has a floating reference, like a new widget, takes it over. Otherwise, adds a
    /// reference.
    package init(_ object: Object) {
        self.object = object
        g_object_ref_sink(object.objectPointer)
    }

    /// Takes over the reference that a C function has returned.
    package init(adopting object: Object) { self.object = object }

    isolated deinit { g_object_unref(object.objectPointer) }
}

/// A mark on an object, by which code finds the object again among others.
@MainActor
package struct GTKMark {
    private let key: GQuark

    /// - Parameter name: A name that is unique in the process.
    package init(_ name: StaticString) {
        key = g_quark_from_static_string(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
    }

    package func set<Object: GTKObject>(on object: Object) {
        g_object_set_qdata(object.raw(), key, object.objectPointer)
    }
    package func isSet<Object: GTKObject>(on object: Object) -> Bool { g_object_get_qdata(object.raw(), key) != nil }
}
