import CGTK
import Foundation

/// A `GtkWindow *`: a handle like `GTKWidget`.
public struct GTKWindow: Hashable {
    /// The same window as a widget.
    public let widget: GTKWidget

    /// Creates a handle.
    ///
    /// - Parameter pointer: A `GtkWindow` or an object of a subclass.
    public init(_ pointer: OpaquePointer) { widget = GTKWidget(pointer) }
    /// Creates a handle from the pointer type of a GTK binding.
    ///
    /// - Parameter pointer: A `GtkWindow` or an object of a subclass.
    public init<Window>(_ pointer: UnsafeMutablePointer<Window>) { widget = GTKWidget(pointer) }

    /// The `GtkWindow *`.
    public var pointer: OpaquePointer { widget.pointer }
    /// Returns the pointer in the type of another GTK binding: `window.pointer(to: GtkWindow.self)`. Like a cast in C,
    /// the conversion is not checked.
    public func pointer<Window>(to type: Window.Type) -> UnsafeMutablePointer<Window> { widget.pointer(to: type) }
}

extension GTKWindow: GTKWidgetObject {
    package static var type: GType { gtk_window_get_type() }
}

@MainActor
extension GTKWindow {
    /// Creates a window, which GTK owns until it is destroyed.
    package init() { self.init(new: gtk_window_new()) }

    /// The window's surface, once the window is realized.
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
    /// Whether the window has a close button.
    package var isDeletable: Bool {
        get { gtk_window_get_deletable(raw()) != 0 }
        nonmutating set { gtk_window_set_deletable(raw(), newValue.gboolean) }
    }
    package var isResizable: Bool {
        get { gtk_window_get_resizable(raw()) != 0 }
        nonmutating set { gtk_window_set_resizable(raw(), newValue.gboolean) }
    }
    /// Keeps the window above `parent`, which receives no input while the window is open.
    package func setModal(over parent: GTKWindow) {
        gtk_window_set_transient_for(raw(), parent.raw())
        gtk_window_set_modal(raw(), 1)
    }

    /// The window below a modal window.
    package var parent: GTKWindow? { gtk_window_get_transient_for(raw()).map { GTKWindow($0) } }

    package var isActive: Bool { gtk_window_is_active(raw()) != 0 }
    package var isFullScreen: Bool { gtk_window_is_fullscreen(raw()) != 0 }
    package var isMaximized: Bool { gtk_window_is_maximized(raw()) != 0 }
    package func present() { gtk_window_present(raw()) }
    package func setFullScreen(_ isFullScreen: Bool) {
        if isFullScreen { gtk_window_fullscreen(raw()) } else { gtk_window_unfullscreen(raw()) }
    }
    package func maximize() { gtk_window_maximize(raw()) }
    package func minimize() { gtk_window_minimize(raw()) }
    /// Requests that the window closes, with the signal "close-request".
    package func close() { gtk_window_close(raw()) }
    package func destroy() { gtk_window_destroy(raw()) }

    /// The CSS padding and border around the content in the window's surface, in points. GTK reserves the space for the
    /// window's shadow as padding.
    package var frameExtents: GtkBorder { zt_gtk_frame_extents(raw()) }
}
