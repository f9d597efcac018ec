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
        let turn: @MainActor (OpaquePointer?) -> Bool
        init(_ callback: TickCallback, _ turn: @escaping @MainActor (OpaquePointer?) -> Bool) {
            (self.callback, self.turn) = (callback, turn)
        }
    }

    /// Starts the callback.
    ///
    /// - Parameter turn: A closure that gets the `GdkFrameClock` at each refresh. It returns false to end the callback.
    package init(_ widget: GTKWidget, _ turn: @escaping @MainActor (OpaquePointer?) -> Bool) {
        self.widget = widget
        id = gtk_widget_add_tick_callback(
            widget.raw(),
            { _, clock, box in
                MainThread.run((clock, box)) { clock, box in
                    box.map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue().turn(clock) } ?? false
                } ? 1 : 0
            }, Unmanaged.passRetained(Box(self, turn)).toOpaque(),
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
