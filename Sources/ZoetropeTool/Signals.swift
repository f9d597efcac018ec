import Composition
import Foundation
import MediaCore
import Synchronization

/// Signals that end a process: taken by a thread that waits for them, so that whoever is at work can end in order.
///
/// They stay blocked everywhere else, which makes writing into a closed pipe an error (EPIPE) instead of the end. A
/// file that grows beyond the limit (SIGXFSZ) is an error where it is written, too.
enum Signals {
    private struct State {
        var handler: (@Sendable (Int32) -> Void)?
        var seen: Int32?
    }
    private static let state = Mutex(State())

    /// First thing in the process, before there are other threads: those inherit what is blocked.
    static func install() {
        signal(SIGXFSZ, SIG_IGN)
        var wanted = sigset_t()
        sigemptyset(&wanted)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] {
            var old = sigaction()
            // What the parent has switched off (nohup, a shell's background jobs) stays so.
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

    /// - Parameter handler: called at the first signal, on the signals' thread; nil: the process ends at once, as it
    ///   does at the second one, and as it has done at one that came before any handler.
    static func setHandler(_ handler: (@Sendable (Int32) -> Void)?) { state.withLock { $0.handler = handler } }

    private static func take(_ number: Int32) {
        let handler = state.withLock { state -> (@Sendable (Int32) -> Void)? in
            defer { state.seen = number }
            return state.seen == nil ? state.handler : nil
        }
        if let handler { handler(number) } else { end(by: number) }
    }

    /// Ends the process as the signal would have, so that whoever started it sees which it was; without half-written
    /// files, and without a core file, as nothing is wrong.
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

    /// For messages.
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
