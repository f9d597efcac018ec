import MediaCore

/// The variants that failed recently, and the time until which each is avoided.
struct RungFailures: Sendable {
    private struct Record: Sendable {
        var count: Int
        var until: HostTime
    }

    private var records: [Int: Record] = [:]

    /// Records a failure. Each failure in a row doubles the time, from `first` to at most `longest` nanoseconds.
    mutating func add(_ rung: Int, at now: HostTime, first: Int64, longest: Int64) {
        let count = min(62, (records[rung]?.count ?? 0) + 1)
        let (doubled, overflow) = max(0, first).multipliedReportingOverflow(by: Int64(1) << Int64(min(61, count - 1)))
        let wait = overflow ? max(0, longest) : min(max(0, longest), doubled)
        records[rung] = Record(count: count, until: now + wait)
    }

    mutating func forget(_ rung: Int) {
        records[rung] = nil
    }

    func avoids(_ rung: Int, at now: HostTime) -> Bool {
        records[rung].map { now < $0.until } ?? false
    }

    /// Returns the variant of `rungs` that may be tried again first. Of equal ones, the first is returned.
    func soonest(of rungs: [Int]) -> Int? {
        rungs.min { (records[$0]?.until ?? HostTime.min) < (records[$1]?.until ?? HostTime.min) }
    }
}
