import CGIO
import Dispatch
import Foundation
import Synchronization

/// A main loop that runs GLib's events and Swift's main actor on one thread.
///
/// GTK owns the main thread, and the main actor uses libdispatch's main queue. GLib watches the event descriptor of
/// that queue, and drains the queue when the descriptor is signaled, as CoreFoundation's run loop does. Switching to
/// the main actor takes microseconds, and an idle loop costs nothing. Foundation's main run loop runs inside it too
/// (`FoundationLoop`). The loop also works without GTK, for example in a command-line tool.
public enum MainLoop {
    private struct State {
        var loop: UInt = 0
        var watch: guint = 0
    }
    private static let state = Mutex(State())

    /// Runs the loop until `quit()`. Call it from a synchronous `main` on the main thread, not from within the main
    /// queue, and not while the loop runs.
    @MainActor @preconcurrency
    public static func run() {
        guard let loop = g_main_loop_new(nil, 0) else { return }
        attach()
        state.withLock { $0.loop = UInt(bitPattern: loop) }
        g_main_loop_run(loop)
        state.withLock { $0.loop = 0 }
        g_main_loop_unref(loop)
    }

    /// Ends `run()` in the next iteration of the loop, even if it is called just before `run()`. A loop that other code
    /// runs does not end. Any thread.
    public static func quit() {
        // Deferred to the loop, so that a call just before `run()` also takes effect.
        DispatchQueue.main.async {
            let raw = state.withLock { $0.loop }
            if let loop = OpaquePointer(bitPattern: raw) { g_main_loop_quit(loop) }
        }
    }

    /// Connects the main actor to a GLib loop that other code runs, such as that of a GtkApplication. Call it before or
    /// while that loop runs. The loop must run GLib's default main context on the main thread. Further calls have no
    /// effect.
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
                // The counter must be read first. Otherwise the descriptor stays readable and the loop never sleeps.
                var count: UInt64 = 0
                _ = read(descriptor, &count, 8)
                _dispatch_main_queue_callback_4CF(nil)
                return 1
            }, nil)
        state.withLock { $0.watch = id }
        FoundationLoop.attach()
    }

    /// Continues the loop after `run()` has returned, until `isDone` returns true. Use this to wait for the answer to a
    /// last message before the process ends. Must not be called from within the main queue.
    /// - Parameters:
    ///   - seconds: The time limit, clamped to 0…60 s.
    ///   - isDone: Returns whether to stop. Called at the start and after every iteration.
    @MainActor @preconcurrency
    package static func linger(atMost seconds: Double, until isDone: () -> Bool) {
        guard !isDone() else { return }
        let deadline = ContinuousClock.now + .milliseconds(Int(max(0, min(seconds, 60)) * 1000))
        // The timer wakes the loop if no other event does.
        let tick = g_timeout_add(10, { _ in 1 }, nil)
        defer { g_source_remove(tick) }
        while !isDone(), ContinuousClock.now < deadline { g_main_context_iteration(nil, 1) }
    }

    /// A closure that is called after each iteration of the loop, when no other source is ready.
    @MainActor package static var onRest: (@MainActor () -> Void)?

    /// Makes the loop check for timers and blocks of `RunLoop.main` that another thread has added. Foundation does not
    /// wake the loop for them. Any thread.
    package static func wake() { g_main_context_wakeup(nil) }

    /// The number of times that Foundation's loop has run. For tests.
    package static var foundationTurns: Int { FoundationLoop.turns.load(ordering: .relaxed) }
}
