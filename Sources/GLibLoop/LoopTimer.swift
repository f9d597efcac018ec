import CGIO

/// A timer in GLib's main loop. It runs until its closure returns false, it is canceled, or it is released.
@MainActor
package final class LoopTimer {
    private var id: guint = 0

    private final class Box {
        weak var timer: LoopTimer?
        let fire: @MainActor () -> Bool
        init(_ timer: LoopTimer, _ fire: @escaping @MainActor () -> Bool) { (self.timer, self.fire) = (timer, fire) }
    }

    /// Starts a timer.
    /// - Parameters:
    ///   - milliseconds: The time until the first call and between calls.
    ///   - fire: Called each time. Returns whether the timer continues.
    package init(milliseconds: UInt32, _ fire: @escaping @MainActor () -> Bool) {
        id = g_timeout_add_full(
            G_PRIORITY_DEFAULT, milliseconds,
            { box in MainThread.run(box, as: Box.self) { $0.fire() } ?? false ? 1 : 0 },
            Unmanaged.passRetained(Box(self, fire)).toOpaque(),
            { box in
                MainThread.run(box, as: Box.self) { $0.timer?.id = 0 }
                if let box { Unmanaged<Box>.fromOpaque(box).release() }
            })
    }

    isolated deinit { cancel() }

    package func cancel() {
        if id != 0 { g_source_remove(id) }
        id = 0
    }
}
