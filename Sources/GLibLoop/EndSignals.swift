import CGIO
import Foundation

/// The signals that end a process, as turns of the main loop, so that a program can end in order. Main actor.
@MainActor
package enum EndSignals {
    private static var sources: [Int32: guint] = [:]
    private static var handler: (@MainActor () -> Void)?
    private static var received: Int32?

    /// Calls `handler` in a turn of the loop at the first SIGINT, SIGTERM or SIGHUP. The second one ends the process at
    /// once. Signals that are handled or ignored already (`nohup`, a handler of the app's) stay as they are.
    package static func install(_ handler: @escaping @MainActor () -> Void) {
        self.handler = handler
        for number in [SIGINT, SIGTERM, SIGHUP] where sources[number] == nil && isDefault(number) {
            let context = UnsafeMutableRawPointer(bitPattern: Int(number))
            sources[number] = g_unix_signal_add(
                number,
                { context in
                    let number = Int32(Int(bitPattern: context))
                    MainActor.assumeIsolated { EndSignals.took(number) }
                    return 1
                }, context)
        }
    }

    private static func isDefault(_ number: Int32) -> Bool {
        var now = sigaction()
        guard sigaction(number, nil, &now) == 0 else { return false }
        return unsafeBitCast(now.__sigaction_handler.sa_handler, to: Int.self) == 0
    }

    private static func took(_ number: Int32) {
        received = received ?? number
        // GLib gives signals that nobody waits for their default again.
        let old = sources.values
        sources = [:]
        for source in old { g_source_remove(source) }
        handler?()
    }

    /// Ends the process by the signal that was received, so that its parent sees which one it was. Returns if there was
    /// none.
    package static func endByReceived() {
        guard let received else { return }
        signal(received, SIG_DFL)
        raise(received)
    }
}
