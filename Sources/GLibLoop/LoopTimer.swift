import CGIO

/// A timer in GLib's main loop, until it has done, is cancelled or goes. Main actor.
@MainActor
package final class LoopTimer {
    private var id: guint = 0

    private final class Box {
        weak var timer: LoopTimer?
        let fire: @MainActor () -> Bool
        init(_ timer: LoopTimer, _ fire: @escaping @MainActor () -> Bool) { (self.timer, self.fire) = (timer, fire) }
    }

    /// - Parameters:
    ///   - milliseconds: from now, and between two turns.
    ///   - fire: false: it has done.
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
