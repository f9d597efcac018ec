import CGIO
@preconcurrency import CoreFoundation
import Foundation
import Synchronization

/// Foundation's main run loop inside GLib's: timers fire and blocks are performed as where Foundation's loop runs the
/// program.
///
/// Two sources. One sleeps until the next timer is due. The other runs after each of the loop's turns, when nothing of
/// any priority is left: blocks (`RunLoop.main.perform`) are kept where nobody can see them. A loop that sleeps is not
/// woken by either.
///
/// What another thread adds is seen at the next turn, as Foundation wakes nobody for it (it does not where it runs
/// itself, either); `MainLoop.wake()` brings that turn about.
enum FoundationLoop {
    /// How often Foundation's loop has had a turn. For tests: an idle program has none.
    static let turns = Atomic<Int>(0)
    /// The timers' source was told that one is due, and has had its turn since.
    private static let hasJustRun = Atomic<Bool>(false)

    /// Main thread.
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
                FoundationLoop.turn()
                FoundationLoop.hasJustRun.store(true, ordering: .relaxed)
                return 1
            })
        // Below everything GTK and GLib give a turn; asked only after the loop has been awake.
        add(
            name: "zt-foundation-blocks", priority: G_PRIORITY_LOW + 100,
            prepare: { _, timeout in
                timeout?.pointee = -1
                return 0
            }, check: { _ in FoundationLoop.isNested ? 0 : 1 },
            dispatch: { _, _, _ in
                FoundationLoop.turn()
                MainActor.assumeIsolated { MainLoop.onRest?() }
                return 1
            })
    }

    /// GLib's loop runs inside something that it, or the main queue, gave a turn. Foundation would drain the main queue
    /// in the midst of one of its own blocks then; its turn comes when that is done.
    private static var isNested: Bool { g_main_depth() > 0 }

    /// One turn without waiting: timers that are due, blocks, sources.
    private static func turn() {
        turns.add(1, ordering: .relaxed)
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, false)
    }

    /// Milliseconds, rounded up, until a timer is due; 0: now; −1: there is none.
    private static func untilNextTimer() -> gint {
        guard !isNested else { return -1 }
        let date = CFRunLoopGetNextTimerFireDate(CFRunLoopGetMain(), kCFRunLoopDefaultMode)
        guard date != 0 else { return -1 }
        let left = (date - CFAbsoluteTimeGetCurrent()) * 1000
        // Foundation fires by another clock: what it left lying a moment ago is not due for it yet.
        let isEarly = hasJustRun.exchange(false, ordering: .relaxed)
        guard left > 0 else { return isEarly ? 1 : 0 }
        // A day at most; then the loop asks anew.
        return gint(min(left.rounded(.up), 86_400_000))
    }

    private static func add(
        name: String, priority: gint,
        prepare: @escaping @convention(c) (UnsafeMutablePointer<GSource>?, UnsafeMutablePointer<gint>?) -> gboolean,
        check: @escaping @convention(c) (UnsafeMutablePointer<GSource>?) -> gboolean,
        dispatch: @escaping @convention(c) (UnsafeMutablePointer<GSource>?, GSourceFunc?, gpointer?) -> gboolean
    ) {
        // As long as the process lives, as the source does.
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
