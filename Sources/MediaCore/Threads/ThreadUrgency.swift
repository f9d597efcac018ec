import Glibc

/// Sound that comes late is heard; a picture that does is seen by few.
package enum ThreadUrgency {
    /// As sound servers give themselves.
    package static let nice: Int32 = -11
    /// PulseAudio's own (pulse-daemon.conf(5), `realtime-priority`).
    package static let realTimePriority: Int32 = 5

    /// Lets the calling thread go before others on a busy machine: nice −11, as sound servers have it. Where the user
    /// may not (root may, others by `RLIMIT_NICE`, see limits.conf(5)), and where it goes before them already, it stays
    /// as it is.
    package static func raise() {
        // 0: this thread; on Linux each has its own (setpriority(2), "C library/kernel differences").
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        if getpriority(which, 0) > nice { setpriority(which, 0, nice) }
    }

    /// Lets the calling thread give way to the process's others: nice 19. What it does may take its time.
    package static func lower() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }

    /// Lets the calling thread go before everybody who is not real-time himself: round robin, priority 5. Only for a
    /// thread whose every turn is short: what it has to answer comes many times a second. Niceness counts among the
    /// threads of one session alone (sched(7), "The autogroup feature"): against a build in another terminal it does
    /// nothing. Where the user may not (root may, others by `RLIMIT_RTPRIO`, see limits.conf(5)), as `raise()`.
    package static func raiseToRealTime() {
        var parameters = sched_param()
        parameters.sched_priority = realTimePriority
        // What it starts is not real-time: SCHED_RESET_ON_FORK of sched.h, which needs _GNU_SOURCE there.
        let resetOnFork: Int32 = 0x4000_0000
        if sched_setscheduler(0, SCHED_RR | resetOnFork, &parameters) != 0 { raise() }
    }
}
