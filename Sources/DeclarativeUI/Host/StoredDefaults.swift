import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// Writes an app's `UserDefaults` to the disk while it runs, and when it ends.
///
/// On Linux Foundation keeps changes in memory until `synchronize()`, and tells nobody of them. So this one, which the
/// app's life cycle owns, calls it half a second after something happened, as long as something happens, and at the
/// end. A call that finds no change costs less than a microsecond; an idle program makes none. Main actor.
@MainActor
enum StoredDefaults {
    private static var timer: LoopTimer?
    /// The turn under way is the timer's own.
    private static var isOwnTurn = false
    private static let delay: UInt32 = 500

    static func begin() {
        MainLoop.onRest = { StoredDefaults.rested() }
        // An app may end by `exit`.
        atexit { _ = UserDefaults.standard.synchronize() }
    }

    private static func rested() {
        // What else happened in the timer's turn may have come after it. That turn is no reason for another one.
        if isOwnTurn {
            (isOwnTurn, timer) = (false, nil)
            return write()
        }
        guard timer == nil else { return }
        timer = LoopTimer(milliseconds: delay) {
            isOwnTurn = true
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
