#if canImport(Glibc)
import Glibc
#endif

/// The machine's monotonic clock, the one GDK's frame clock and PulseAudio's timing speak too.
///
/// Plays the role of `CMClockGetHostTimeClock()`. Units: nanoseconds of CLOCK_MONOTONIC.
public enum HostClock {
    public static func now() -> Int64 {
        var t = timespec()
        clock_gettime(CLOCK_MONOTONIC, &t)
        return Int64(t.tv_sec) * 1_000_000_000 + Int64(t.tv_nsec)
    }
}
