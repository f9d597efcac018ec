import CGTK

/// An object that GTK can draw.
package struct GDKPaintable: GTKObject {
    package static var type: GType { gdk_paintable_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Requests that the content is drawn again.
    @MainActor package func invalidateContents() { gdk_paintable_invalidate_contents(pointer) }
    @MainActor package func invalidateSize() { gdk_paintable_invalidate_size(pointer) }
}
