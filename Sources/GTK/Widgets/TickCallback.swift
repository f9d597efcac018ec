import CGTK

/// A widget's turns of the display, until it wants no more, is cancelled or goes. Main actor.
@MainActor
package final class TickCallback {
    // Not kept alive: with it go its callbacks, of which `id` hears.
    private let widget: GTKWidget
    private var id: guint = 0

    private final class Box {
        weak var callback: TickCallback?
        let turn: @MainActor (OpaquePointer?) -> Bool
        init(_ callback: TickCallback, _ turn: @escaping @MainActor (OpaquePointer?) -> Bool) {
            (self.callback, self.turn) = (callback, turn)
        }
    }

    /// - Parameter turn: given the `GdkFrameClock`; false: no more.
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
