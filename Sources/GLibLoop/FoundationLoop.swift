import CGIO
@preconcurrency import CoreFoundation
import Foundation
import Synchronization

/// The integration of Foundation's main run loop into GLib's main loop. Timers fire and blocks are performed as if
/// Foundation's loop ran the program.
///
/// There are two GLib sources. The first waits until the next timer is due. The second runs after each iteration of the
/// loop, when no other source is ready. It is needed because pending blocks (`RunLoop.main.perform`) are not visible
/// from outside. Apart from due timers, neither source wakes a sleeping loop.
///
/// Timers and blocks that another thread adds are noticed in the next iteration. Foundation does not wake the loop for
/// them. `MainLoop.wake()` causes an iteration.
enum FoundationLoop {
    /// The number of times that Foundation's loop has run. For tests: an idle program does not run it.
    static let turns = Atomic<Int>(0)
    /// Whether the timers' source has just run, after a timer was due.
    private static let hasJustRun = Atomic<Bool>(false)

    /// Adds Foundation's loop to GLib's main loop. Main thread.
    static func attach() {
        add(
            name: "zt-foundation-timers", priority: G_PRIORITY_DEFAULT,
            prepare: { _, timeout in
                let wait = FoundationLoop.untilNextTimer()
                timeout?.pointee = wait
                return wait == 0 ? 1 : 0
            },
            check: { _ in
                FoundationLoop.untilNextTimer() == 0 ? 1 : 0
            },
            dispatch: { _, _, _ in
                FoundationLoop.runOnce()
                FoundationLoop.hasJustRun.store(true, ordering: .relaxed)
                return 1
            })
        // The priority is lower than any that GTK and GLib use. The source is checked only when the loop is awake.
        add(
            name: "zt-foundation-blocks", priority: G_PRIORITY_LOW + 100,
            prepare: { _, timeout in
                timeout?.pointee = -1
                return 0
            }, check: { _ in FoundationLoop.isNested ? 0 : 1 },
            dispatch: { _, _, _ in
                FoundationLoop.runOnce()
                MainActor.assumeIsolated { MainLoop.onRest?() }
                return 1
            })
    }

    /// Whether GLib's loop runs inside a callback of itself or of the main queue. Foundation would then drain the main
    /// queue within one of the queue's own blocks, so it has to wait until the callback ends.
    private static var isNested: Bool { g_main_depth() > 0 }

    /// Runs Foundation's loop once without waiting: timers that are due, blocks and sources.
    private static func runOnce() {
        turns.add(1, ordering: .relaxed)
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, false)
    }

    /// Returns the milliseconds until the next timer is due, rounded up; 0 if one is due, and −1 if there is no timer
    /// or the loop is nested.
    private static func untilNextTimer() -> gint {
        guard !isNested else { return -1 }
        let date = CFRunLoopGetNextTimerFireDate(CFRunLoopGetMain(), kCFRunLoopDefaultMode)
        guard date != 0 else { return -1 }
        let left = (date - CFAbsoluteTimeGetCurrent()) * 1000
        // Foundation uses another clock. A timer that it has just skipped is not due yet by that clock.
        let isEarly = hasJustRun.exchange(false, ordering: .relaxed)
        guard left > 0 else { return isEarly ? 1 : 0 }
        // Waits at most a day. After that, the time is computed again.
        return gint(min(left.rounded(.up), 86_400_000))
    }

    private static func add(
        name: String, priority: gint,
        prepare: @escaping @convention(c) (UnsafeMutablePointer<GSource>?, UnsafeMutablePointer<gint>?) -> gboolean,
        check: @escaping @convention(c) (UnsafeMutablePointer<GSource>?) -> gboolean,
        dispatch: @escaping @convention(c) (UnsafeMutablePointer<GSource>?, GSourceFunc?, gpointer?) -> gboolean
    ) {
        // The functions are never freed, because the source exists until the process ends.
        let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
        functions.initialize(to: GSourceFuncs())
        functions.pointee.prepare = prepare
        functions.pointee.check = check
        functions.pointee.dispatch = dispatch
        guard let source = g_source_new(functions, guint(MemoryLayout<GSource>.size)) else { return }
        g_source_set_name(source, name)
        g_source_set_priority(source, priority)
        g_source_attach(source, nil)
        g_source_unref(source)
    }
}
