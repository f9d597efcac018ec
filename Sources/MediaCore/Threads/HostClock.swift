import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The machine's monotonic clock, which GDK's frame clock and PulseAudio's timing also use.
///
/// ```swift
/// let start = HostClock.now()
/// let image = try await generator.image(at: .zero).image
/// let milliseconds = (HostClock.now() - start) / 1_000_000
/// print("\(image.width)×\(image.height) in \(milliseconds) ms")
/// ```
/// The clock corresponds to `CMClockGetHostTimeClock()`. Its unit is nanoseconds of CLOCK_MONOTONIC.
public enum HostClock {
    /// Returns the nanoseconds since about the machine's start, without the time in which the machine was suspended.
    /// The value never decreases, and saturates at the largest `Int64`. Any thread.
    public static func now() -> Int64 {
        var t = timespec()
        clock_gettime(CLOCK_MONOTONIC, &t)
        return (Int64(t.tv_sec) * 1_000_000_000 + Int64(t.tv_nsec)).multipliedSaturating(
            by: factor.load(ordering: .relaxed))
    }

    private static let factor = Atomic<Int64>(1)

    /// Makes time pass faster for the whole process, so that tests can play thousands of videos.
    ///
    /// Must be called before the first use of the clock. No audio server may be used, because it keeps real time.
    /// - Parameter times: The factor, at least 1.
    package static func accelerate(by times: Int) { factor.store(Int64(max(1, times)), ordering: .relaxed) }

    /// Returns the real clock's value at `hostTime`, which differs only if time is accelerated.
    package static func machineTime(_ hostTime: Int64) -> Int64 { hostTime / factor.load(ordering: .relaxed) }
}
