import CGTK
import Foundation

// The position of widgets in the tree.
@MainActor
extension GTKWidgetObject {
    package var parent: GTKWidget? { GTKWidget(gtk_widget_get_parent(raw())) }
    package var firstChild: GTKWidget? { GTKWidget(gtk_widget_get_first_child(raw())) }
    package var nextSibling: GTKWidget? { GTKWidget(gtk_widget_get_next_sibling(raw())) }
    package var previousSibling: GTKWidget? { GTKWidget(gtk_widget_get_prev_sibling(raw())) }
    /// The children in order. The array is created by each call.
    package var children: [GTKWidget] {
        var all: [GTKWidget] = []
        var child = firstChild
        while let current = child {
            all.append(current)
            child = current.nextSibling
        }
        return all
    }

    package func setParent<Parent: GTKWidgetObject>(_ parent: Parent) { gtk_widget_set_parent(raw(), parent.raw()) }
    package func unparent() { gtk_widget_unparent(raw()) }
    /// - Parameter sibling: The child of `parent` that precedes the widget. Nil makes the widget the first child.
    package func insert<Parent: GTKWidgetObject>(in parent: Parent, after sibling: GTKWidget?) {
        gtk_widget_insert_after(raw(), parent.raw(), sibling?.raw())
    }

    package func isInside<Ancestor: GTKWidgetObject>(_ ancestor: Ancestor) -> Bool {
        gtk_widget_is_ancestor(raw(), ancestor.raw()) != 0
    }
    /// Returns whether the widget is `ancestor` or inside it.
    package func isWithin<Ancestor: GTKWidgetObject>(_ ancestor: Ancestor) -> Bool {
        pointer == ancestor.pointer || isInside(ancestor)
    }

    /// The window, or another widget at the top of the tree.
    package var root: GTKRoot? { gtk_widget_get_root(raw()).map { GTKRoot($0) } }
    /// The window that contains the widget.
    package var window: GTKWindow? { root?.as(GTKWindow.self) }
    /// The widget with a surface that is this widget or its closest ancestor.
    package var native: GTKNative? { gtk_widget_get_native(raw()).map { GTKNative($0) } }
    package func pick(_ point: CGPoint) -> GTKWidget? {
        GTKWidget(gtk_widget_pick(raw(), point.x, point.y, GTK_PICK_DEFAULT))
    }
}

/// A widget at the top of its tree, which knows the focus widget.
package struct GTKRoot: GTKWidgetObject {
    package static var type: GType { gtk_root_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package var focus: GTKWidget? {
        get { GTKWidget(gtk_root_get_focus(pointer)) }
        nonmutating set { gtk_root_set_focus(pointer, newValue?.raw()) }
    }
}

/// A widget that has a surface: a window or a popover.
package struct GTKNative: GTKWidgetObject {
    package static var type: GType { gtk_native_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package var surface: GDKSurface? { gtk_native_get_surface(pointer).map { GDKSurface($0) } }
    /// The position of the widget in its surface, in points.
    @MainActor package var surfaceOrigin: CGPoint {
        var x = 0.0
        var y = 0.0
        gtk_native_get_surface_transform(pointer, &x, &y)
        return CGPoint(x: x, y: y)
    }
}
