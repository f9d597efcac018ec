import CGTK
import Foundation

/// A `GtkWindow *`: a handle like `GTKWidget`.
public struct GTKWindow: Hashable {
    /// The same window as a widget.
    public let widget: GTKWidget

    /// - Parameter pointer: to a `GtkWindow`, or a class below it.
    public init(_ pointer: OpaquePointer) { widget = GTKWidget(pointer) }
    /// - Parameter pointer: to a `GtkWindow`, or a class below it, with the type that any binding of GTK gives it.
    public init<Window>(_ pointer: UnsafeMutablePointer<Window>) { widget = GTKWidget(pointer) }

    /// The `GtkWindow *`.
    public var pointer: OpaquePointer { widget.pointer }
    /// As another binding of GTK has it: `window.pointer(to: GtkWindow.self)`. Nothing is checked, as of a cast in C.
    public func pointer<Window>(to type: Window.Type) -> UnsafeMutablePointer<Window> { widget.pointer(to: type) }
}

extension GTKWindow: GTKWidgetObject {
    package static var type: GType { gtk_window_get_type() }
}

@MainActor
extension GTKWindow {
    /// A new window, which GTK owns until it is destroyed.
    package init() { self.init(new: gtk_window_new()) }

    /// The window's own surface, once it is realized.
    package var surface: GDKSurface? { GTKNative(pointer).surface }
    package var child: GTKWidget? {
        get { GTKWidget(gtk_window_get_child(raw())) }
        nonmutating set { gtk_window_set_child(raw(), newValue?.raw()) }
    }
    package var focus: GTKWidget? {
        get { GTKWidget(gtk_window_get_focus(raw())) }
        nonmutating set { gtk_window_set_focus(raw(), newValue?.raw()) }
    }
    package func setShowsFocus(_ shows: Bool) { gtk_window_set_focus_visible(raw(), shows.gboolean) }

    package func setTitle(_ title: String) { gtk_window_set_title(raw(), title) }
    package func setIcon(_ name: String) { gtk_window_set_icon_name(raw(), name) }
    package func setTitlebar(_ bar: GTKWidget) { gtk_window_set_titlebar(raw(), bar.raw()) }
    package func setDefaultSize(_ width: Int32, _ height: Int32) { gtk_window_set_default_size(raw(), width, height) }
    package var isDecorated: Bool {
        get { gtk_window_get_decorated(raw()) != 0 }
        nonmutating set { gtk_window_set_decorated(raw(), newValue.gboolean) }
    }
    /// Whether it has a button to close it.
    package var isDeletable: Bool {
        get { gtk_window_get_deletable(raw()) != 0 }
        nonmutating set { gtk_window_set_deletable(raw(), newValue.gboolean) }
    }
    package var isResizable: Bool {
        get { gtk_window_get_resizable(raw()) != 0 }
        nonmutating set { gtk_window_set_resizable(raw(), newValue.gboolean) }
    }
    /// Stays above `parent`, which takes no input meanwhile.
    package func setModal(over parent: GTKWindow) {
        gtk_window_set_transient_for(raw(), parent.raw())
        gtk_window_set_modal(raw(), 1)
    }

    package var isActive: Bool { gtk_window_is_active(raw()) != 0 }
    package var isFullScreen: Bool { gtk_window_is_fullscreen(raw()) != 0 }
    package var isMaximized: Bool { gtk_window_is_maximized(raw()) != 0 }
    package func present() { gtk_window_present(raw()) }
    package func setFullScreen(_ isFullScreen: Bool) {
        if isFullScreen { gtk_window_fullscreen(raw()) } else { gtk_window_unfullscreen(raw()) }
    }
    package func maximize() { gtk_window_maximize(raw()) }
    package func minimize() { gtk_window_minimize(raw()) }
    /// Asks it to close: "close-request".
    package func close() { gtk_window_close(raw()) }
    package func destroy() { gtk_window_destroy(raw()) }

    /// What GTK draws around the content in the window's surface (shadow and border), points.
    package var frameExtents: GtkBorder { zt_gtk_frame_extents(raw()) }
}
