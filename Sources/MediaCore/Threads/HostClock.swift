import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The machine's monotonic clock, the one GDK's frame clock and PulseAudio's timing speak too.
///
/// Plays the role of `CMClockGetHostTimeClock()`. Units: nanoseconds of CLOCK_MONOTONIC.
public enum HostClock {
    /// Nanoseconds since some moment before the machine's start; never runs back. Saturates at the largest `Int64`. Any
    /// thread.
    public static func now() -> Int64 {
        var t = timespec()
        clock_gettime(CLOCK_MONOTONIC, &t)
        return (Int64(t.tv_sec) * 1_000_000_000 + Int64(t.tv_nsec)).multipliedSaturating(
            by: factor.load(ordering: .relaxed))
    }

    private static let factor = Atomic<Int64>(1)

    /// Lets time pass faster for the whole process, so that thousands of films can be played through where nobody
    /// watches. Before anything has asked for the time; the sound server must not be there, which keeps the machine's
    /// own.
    package static func accelerate(by times: Int) { factor.store(Int64(max(1, times)), ordering: .relaxed) }

    /// What the machine's clock says at `hostTime`: the same, unless time was accelerated.
    package static func machineTime(_ hostTime: Int64) -> Int64 { hostTime / factor.load(ordering: .relaxed) }
}
