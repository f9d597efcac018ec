import Export
import Foundation
import MediaCore
import Synchronization

/// Handles the signals that end a process, on a thread that waits for them, so that commands can end in order.
///
/// The signals are blocked on all other threads. Writing to a closed pipe is therefore an error (EPIPE) and does not
/// end the process. The same holds for a file that grows beyond the limit (SIGXFSZ).
enum ExitSignals {
    private struct State {
        var handler: (@Sendable (Int32) -> Void)?
        var seen: Int32?
    }
    private static let state = Mutex(State())

    /// Must be called before other threads start, because they inherit the blocked signals.
    static func install() {
        signal(SIGXFSZ, SIG_IGN)
        var wanted = sigset_t()
        sigemptyset(&wanted)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] {
            var old = sigaction()
            // Signals that the parent ignores (nohup, background jobs of a shell) stay ignored.
            guard sigaction(number, nil, &old) == 0,
                unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) != 1
            else { continue }
            sigaddset(&wanted, number)
        }
        pthread_sigmask(SIG_BLOCK, &wanted, nil)
        let set = wanted
        WorkerThread.detached(name: "zt-signals") {
            var set = set
            var number: Int32 = 0
            while true {
                guard sigwait(&set, &number) == 0 else { continue }
                take(number)
            }
        }
    }

    /// - Parameter handler: Called on the signals' thread at the first signal. Without a handler, and at the second
    ///   signal, the process ends at once.
    static func setHandler(_ handler: (@Sendable (Int32) -> Void)?) { state.withLock { $0.handler = handler } }

    private static func take(_ number: Int32) {
        let handler = state.withLock { state -> (@Sendable (Int32) -> Void)? in
            defer { state.seen = number }
            return state.seen == nil ? state.handler : nil
        }
        if let handler { handler(number) } else { end(by: number) }
    }

    /// Ends the process by the signal, so that the parent sees which one it was. Deletes unfinished files and writes no
    /// core file.
    static func end(by number: Int32) -> Never {
        PartialFile.abandonAll()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        signal(number, SIG_DFL)
        var one = sigset_t()
        sigemptyset(&one)
        sigaddset(&one, number)
        pthread_sigmask(SIG_UNBLOCK, &one, nil)
        raise(number)
        _exit(128 + number)
    }

    /// The signal's name, for messages.
    static func name(_ number: Int32) -> String {
        switch number {
        case SIGINT: "SIGINT"
        case SIGTERM: "SIGTERM"
        case SIGHUP: "SIGHUP"
        case SIGQUIT: "SIGQUIT"
        case SIGPIPE: "SIGPIPE"
        default: "signal \(number)"
        }
    }
}
