import CGIO
import Dispatch
import Foundation
import Synchronization

/// One thread for GLib's main loop and Swift's main actor.
///
/// GTK owns the main thread; the main actor is libdispatch's main queue. GLib watches that queue's
/// event descriptor and drains the queue when it is signalled, as CoreFoundation's run loop does: a hop
/// costs microseconds and an idle loop costs nothing. Foundation's main run loop has its turns in it too
/// (`FoundationLoop`). Works without GTK too (a headless tool).
public enum MainLoop {
    private struct State {
        var loop: UInt = 0
        var watch: guint = 0
    }
    private static let state = Mutex(State())

    /// Runs until `quit()`. Call from a synchronous `main`, on the main thread, not from inside the main queue.
    @MainActor @preconcurrency
    public static func run() {
        guard let loop = g_main_loop_new(nil, 0) else { return }
        attach()
        state.withLock { $0.loop = UInt(bitPattern: loop) }
        g_main_loop_run(loop)
        state.withLock { $0.loop = 0 }
        g_main_loop_unref(loop)
    }

    /// Ends `run()`; from any thread.
    public static func quit() {
        // In the loop's own turn, so that a quit just before `run` is not lost either.
        DispatchQueue.main.async {
            let raw = state.withLock { $0.loop }
            if let loop = OpaquePointer(bitPattern: raw) { g_main_loop_quit(loop) }
        }
    }

    /// Lets a GLib loop that somebody else runs (a GtkApplication's) serve the main actor. Once is enough.
    @MainActor @preconcurrency
    public static func attach() {
        let isAttached = state.withLock { s in
            defer { s.watch = max(s.watch, 1) }
            return s.watch != 0
        }
        guard !isAttached else { return }
        let descriptor = _dispatch_get_main_queue_handle_4CF()
        let id = g_unix_fd_add(
            descriptor, G_IO_IN,
            { descriptor, _, _ in
                // The counter must be taken first, or the descriptor stays readable and the loop spins.
                var count: UInt64 = 0
                _ = read(descriptor, &count, 8)
                _dispatch_main_queue_callback_4CF(nil)
                return 1
            }, nil)
        state.withLock { $0.watch = id }
        FoundationLoop.attach()
    }

    /// Has the loop's turns go on after `run()` has returned, until `isDone`, for `seconds` (0…60, clamped) at most: what
    /// is to be said before the process ends may have to wait for an answer. Not from inside the main queue.
    @MainActor @preconcurrency
    package static func linger(atMost seconds: Double, until isDone: () -> Bool) {
        guard !isDone() else { return }
        let deadline = ContinuousClock.now + .milliseconds(Int(max(0, min(seconds, 60)) * 1000))
        // It wakes the loop where nothing else does.
        let tick = g_timeout_add(10, { _ in 1 }, nil)
        defer { g_source_remove(tick) }
        while !isDone(), ContinuousClock.now < deadline { g_main_context_iteration(nil, 1) }
    }

    /// Called after each of the loop's turns, when nothing of any priority is left. Main actor.
    @MainActor package static var onRest: (@MainActor () -> Void)?

    /// Has the loop look again for timers and blocks of `RunLoop.main` that were added from another thread: Foundation
    /// wakes nobody for them. Any thread.
    package static func wake() { g_main_context_wakeup(nil) }

    /// How often Foundation's loop has had a turn so far. For tests.
    package static var foundationTurns: Int { FoundationLoop.turns.load(ordering: .relaxed) }
}
