/// A time on the machine's monotonic clock, in nanoseconds (see `HostClock`).
///
/// It is a separate type, so that it cannot be mixed with media times. Differences of two times are nanoseconds. All
/// arithmetic saturates.
package struct HostTime: Sendable, Hashable, Comparable {
    package let nanoseconds: Int64

    package static let max = HostTime(nanoseconds: .max)
    package static let min = HostTime(nanoseconds: .min)
    /// The zero of the clock.
    package static let zero = HostTime(nanoseconds: 0)

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    /// Creates a time from microseconds, the unit of GDK and libpulse. Saturates.
    package init(microseconds: Int64) { self.init(nanoseconds: microseconds.multipliedSaturating(by: 1000)) }
    /// Creates a time from seconds. Saturates; NaN becomes zero.
    package init(seconds: Double) { self.init(nanoseconds: Int64(saturating: seconds * 1e9)) }
    package static func now() -> HostTime { HostTime(nanoseconds: HostClock.now()) }
    package var seconds: Double { Double(nanoseconds) / 1e9 }

    package static func < (a: HostTime, b: HostTime) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (a: HostTime, nanoseconds: Int64) -> HostTime {
        HostTime(nanoseconds: a.nanoseconds.addingSaturating(nanoseconds))
    }
    package static func - (a: HostTime, nanoseconds: Int64) -> HostTime {
        HostTime(nanoseconds: a.nanoseconds.subtractingSaturating(nanoseconds))
    }
    package static func - (a: HostTime, b: HostTime) -> Int64 { a.nanoseconds.subtractingSaturating(b.nanoseconds) }
}

extension HostTime: CustomStringConvertible {
    package var description: String { "\(seconds) s of the machine" }
}
