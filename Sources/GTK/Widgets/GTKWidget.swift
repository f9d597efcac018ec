/// A `GtkWidget *`, for an app's own GTK code and for other bindings of GTK.
///
/// Like the pointer, a handle neither keeps the widget alive nor frees it. Code that returns a handle documents how
/// long the widget exists. As usual in GTK, a new widget has a floating reference, which its first parent takes over.
/// Use handles on the main thread, which is the main actor's.
public struct GTKWidget: Hashable {
    /// The `GtkWidget *` as an opaque pointer.
    public let pointer: OpaquePointer

    /// Creates a handle.
    ///
    /// - Parameter pointer: A widget of any class.
    public init(_ pointer: OpaquePointer) { self.pointer = pointer }
    /// Creates a handle from the pointer type of a GTK binding: `gtk_label_new` returns an
    /// `UnsafeMutablePointer<GtkWidget>`.
    ///
    /// - Parameter pointer: A widget of any class.
    public init<Widget>(_ pointer: UnsafeMutablePointer<Widget>) { self.pointer = OpaquePointer(pointer) }
    /// Creates a handle from a `gpointer`.
    ///
    /// - Parameter pointer: A widget of any class.
    public init(_ pointer: UnsafeMutableRawPointer) { self.pointer = OpaquePointer(pointer) }

    /// Returns the pointer in the type of another GTK binding: `widget.pointer(to: GtkWidget.self)`. Like a cast in C,
    /// the conversion is not checked.
    public func pointer<Widget>(to type: Widget.Type) -> UnsafeMutablePointer<Widget> {
        UnsafeMutablePointer<Widget>(pointer)
    }
}
