import Glibc

/// Sound that comes late is heard; a picture that does is seen by few.
package enum ThreadUrgency {
    /// As sound servers give themselves.
    package static let nice: Int32 = -11

    /// Lets the calling thread go before others on a busy machine: nice −11, as sound servers have it. Where the user may not
    /// (root may, others by `RLIMIT_NICE`, see limits.conf(5)), and where it goes before them already, it stays as it is.
    package static func raise() {
        // 0: this thread; on Linux each has its own (setpriority(2), "C library/kernel differences").
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        if getpriority(which, 0) > nice { setpriority(which, 0, nice) }
    }
}
