/// A `GtkWidget *`, for GTK code of an app's own and for other bindings of GTK.
///
/// A handle, as the pointer is: it neither keeps the widget alive nor frees it. Whoever hands one out says how long it
/// is good for; whoever takes one into a parent owns it from then on, as usual in GTK (a new widget's floating reference
/// goes to its first parent). Used on the main thread, which is the main actor's.
public struct GTKWidget: Hashable {
    /// The `GtkWidget *`, as Swift has pointers to what it knows nothing of.
    public let pointer: OpaquePointer

    /// - Parameter pointer: to a widget of any class.
    public init(_ pointer: OpaquePointer) { self.pointer = pointer }
    /// - Parameter pointer: to a widget of any class, with the type that any binding of GTK gives it: `gtk_label_new`
    ///   answers an `UnsafeMutablePointer<GtkWidget>`.
    public init<Widget>(_ pointer: UnsafeMutablePointer<Widget>) { self.pointer = OpaquePointer(pointer) }
    /// - Parameter pointer: to a widget of any class, as a `gpointer`.
    public init(_ pointer: UnsafeMutableRawPointer) { self.pointer = OpaquePointer(pointer) }

    /// As another binding of GTK has it, or a class that Swift knows: `widget.pointer(to: GtkWidget.self)`. Nothing is
    /// checked, as of a cast in C.
    public func pointer<Widget>(to type: Widget.Type) -> UnsafeMutablePointer<Widget> {
        UnsafeMutablePointer<Widget>(pointer)
    }
}
