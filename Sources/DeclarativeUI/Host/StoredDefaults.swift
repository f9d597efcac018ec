import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// A writer of the app's `UserDefaults` to the disk, while the app runs and when it ends.
///
/// On Linux, Foundation keeps changes in memory until `synchronize()`, and reports none of them. Therefore this type
/// calls `synchronize()` half a second after any activity of the main loop, and at the end. A call without changes
/// takes less than a microsecond. An idle program makes no calls.
@MainActor
enum StoredDefaults {
    private static var timer: LoopTimer?
    /// Whether the current iteration of the main loop runs the timer itself.
    private static var isTimerIteration = false
    private static let delay: UInt32 = 500

    static func begin() {
        MainLoop.onRest = { StoredDefaults.loopRested() }
        // An app may end by calling `exit`.
        atexit { _ = UserDefaults.standard.synchronize() }
    }

    private static func loopRested() {
        // In the timer's iteration, other code may have stored values after the timer ran. They are written now, and
        // the timer is not started again.
        if isTimerIteration {
            (isTimerIteration, timer) = (false, nil)
            return write()
        }
        guard timer == nil else { return }
        timer = LoopTimer(milliseconds: delay) {
            isTimerIteration = true
            write()
            return false
        }
    }

    static func write() {
        UserDefaults.standard.synchronize()
        WrittenStores.write()
    }

    static func end() {
        MainLoop.onRest = nil
        timer = nil
        write()
    }
}
