import Glibc

/// The priorities of threads. Audio threads are more urgent than others, because late audio is audible, while few
/// people notice a late frame.
package enum ThreadUrgency {
    /// The nice value of audio threads, which is that of audio servers.
    package static let nice: Int32 = -11
    /// The real-time priority of PulseAudio (pulse-daemon.conf(5), `realtime-priority`).
    package static let realTimePriority: Int32 = 5

    /// Gives the calling thread a higher priority on a busy machine: nice −11, like audio servers.
    ///
    /// Only root, or users with the required `RLIMIT_NICE`, may do so (limits.conf(5)). Otherwise, and if the priority
    /// is already as high, nothing changes.
    package static func raise() {
        // 0 means the calling thread. On Linux, each thread has its own value (setpriority(2), "C library/kernel
        // differences").
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        if getpriority(which, 0) > nice { setpriority(which, 0, nice) }
    }

    /// Gives the calling thread the lowest priority, nice 19, for work that is not urgent.
    package static func lower() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }

    /// Gives the calling thread real-time priority 5 with round-robin scheduling. Use it only for threads that run
    /// briefly and often.
    ///
    /// Nice values are compared only between threads of one session (sched(7), "The autogroup feature"), so they have
    /// no effect against a build in another terminal. Only root, or users with the required `RLIMIT_RTPRIO`, may use
    /// real-time priorities (limits.conf(5)). Otherwise the effect is that of `raise()`.
    package static func raiseToRealTime() {
        var parameters = sched_param()
        parameters.sched_priority = realTimePriority
        // New threads do not inherit the priority. SCHED_RESET_ON_FORK of sched.h requires _GNU_SOURCE there.
        let resetOnFork: Int32 = 0x4000_0000
        if sched_setscheduler(0, SCHED_RR | resetOnFork, &parameters) != 0 { raise() }
    }
}
