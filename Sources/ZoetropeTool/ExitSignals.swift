import Export
import Foundation
import MediaCore
import Synchronization

/// The handling of the signals that end a process. A thread waits for them, so that commands can end in an orderly way.
///
/// All other threads block these signals. Writing to a closed pipe is therefore an error (EPIPE) and does not end the
/// process. Likewise, writing beyond the maximum file size is an error, because SIGXFSZ is ignored.
enum ExitSignals {
    private struct State {
        var handler: (@Sendable (Int32) -> Void)?
        var lastSignal: Int32?
    }
    private static let state = Mutex(State())

    /// Blocks the signals and starts the thread that waits for them. Call before other threads start, because they
    /// inherit the blocked signals.
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
                handle(number)
            }
        }
    }

    /// Sets the handler for the first signal. Without a handler, and at the second signal, the process ends
    /// immediately.
    /// - Parameter handler: Called on the signal thread.
    static func setHandler(_ handler: (@Sendable (Int32) -> Void)?) { state.withLock { $0.handler = handler } }

    private static func handle(_ number: Int32) {
        let handler = state.withLock { state -> (@Sendable (Int32) -> Void)? in
            defer { state.lastSignal = number }
            return state.lastSignal == nil ? state.handler : nil
        }
        if let handler { handler(number) } else { end(by: number) }
    }

    /// Deletes unfinished files and ends the process by the signal, so that the parent process sees which signal it
    /// was. Writes no core file.
    static func end(by number: Int32) -> Never {
        PartialFile.abandonAll()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        _exit(128 + number)
    }
}
