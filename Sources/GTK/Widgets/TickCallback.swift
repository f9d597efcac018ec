import CGTK

/// A callback at each display refresh of a widget.
///
/// It ends when the closure returns false, when it is canceled, or when the widget is freed.
@MainActor
package final class TickCallback {
    // The widget is not kept alive. When GTK frees it, GTK removes the callback, which resets `id`.
    private let widget: GTKWidget
    private var id: guint = 0

    private final class Box {
        weak var callback: TickCallback?
        let onTick: @MainActor (OpaquePointer?) -> Bool
        init(_ callback: TickCallback, _ onTick: @escaping @MainActor (OpaquePointer?) -> Bool) {
            (self.callback, self.onTick) = (callback, onTick)
        }
    }

    /// Starts the callback.
    ///
    /// - Parameter onTick: A closure that gets the `GdkFrameClock` at each refresh. Returning false ends the callback.
    package init(_ widget: GTKWidget, _ onTick: @escaping @MainActor (OpaquePointer?) -> Bool) {
        self.widget = widget
        id = gtk_widget_add_tick_callback(
            widget.raw(),
            { _, clock, box in
                MainThread.run((clock, box)) { clock, box in
                    box.map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue().onTick(clock) } ?? false
                } ? 1 : 0
            }, Unmanaged.passRetained(Box(self, onTick)).toOpaque(),
            { box in
                MainThread.run(box, as: Box.self) { $0.callback?.id = 0 }
                if let box { Unmanaged<Box>.fromOpaque(box).release() }
            })
    }

    isolated deinit { cancel() }

    package func cancel() {
        if id != 0 { gtk_widget_remove_tick_callback(widget.raw(), id) }
        id = 0
    }
}
