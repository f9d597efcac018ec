import MediaCore

/// The variants that failed recently, and the time until which each is avoided.
struct VariantFailures: Sendable {
    private struct Record: Sendable {
        var count: Int
        var until: HostTime
    }

    private var records: [Int: Record] = [:]

    /// Records a failure. Each failure in a row doubles the time, from `first` to at most `longest` nanoseconds.
    mutating func add(_ variant: Int, at now: HostTime, first: Int64, longest: Int64) {
        let count = min(62, (records[variant]?.count ?? 0) + 1)
        let (doubled, overflow) = max(0, first).multipliedReportingOverflow(by: Int64(1) << Int64(min(61, count - 1)))
        let wait = overflow ? max(0, longest) : min(max(0, longest), doubled)
        records[variant] = Record(count: count, until: now + wait)
    }

    mutating func forget(_ variant: Int) {
        records[variant] = nil
    }

    func avoids(_ variant: Int, at now: HostTime) -> Bool {
        records[variant].map { now < $0.until } ?? false
    }

    /// Returns the variant of `variants` that may be tried again first. Of equal ones, the first is returned.
    func soonest(of variants: [Int]) -> Int? {
        variants.min { (records[$0]?.until ?? HostTime.min) < (records[$1]?.until ?? HostTime.min) }
    }
}
