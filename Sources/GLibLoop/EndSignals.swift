import CGIO
import Foundation

/// A namespace for handling signals that end a process. Handlers run on the main loop, so that a program can end
/// cleanly.
@MainActor
package enum EndSignals {
    private static var sources: [Int32: guint] = [:]
    private static var handler: (@MainActor () -> Void)?
    private static var received: Int32?

    /// Calls `handler` on the main loop after the first SIGINT, SIGTERM or SIGHUP. The second one ends the process
    /// immediately. Signals that are already handled or ignored (`nohup`, a handler of the app) are not changed.
    package static func install(_ handler: @escaping @MainActor () -> Void) {
        self.handler = handler
        for number in [SIGINT, SIGTERM, SIGHUP] where sources[number] == nil && isDefault(number) {
            let context = UnsafeMutableRawPointer(bitPattern: Int(number))
            sources[number] = g_unix_signal_add(
                number,
                { context in
                    let number = Int32(Int(bitPattern: context))
                    MainActor.assumeIsolated { EndSignals.didReceive(number) }
                    return 1
                }, context)
        }
    }

    private static func isDefault(_ number: Int32) -> Bool {
        var now = sigaction()
        guard sigaction(number, nil, &now) == 0 else { return false }
        return unsafeBitCast(now.__sigaction_handler.sa_handler, to: Int.self) == 0
    }

    private static func didReceive(_ number: Int32) {
        received = received ?? number
        // After the sources are removed, GLib restores the default action of the signals.
        let old = sources.values
        sources = [:]
        for source in old { g_source_remove(source) }
        handler?()
    }

    /// Ends the process with the received signal, so that the parent process can see it. Returns if no signal was
    /// received.
    package static func endByReceived() {
        guard let received else { return }
        signal(received, SIG_DFL)
        raise(received)
    }
}
