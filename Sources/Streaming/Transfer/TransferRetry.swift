import MediaCore

/// Counts failures in a row. Only bytes that nobody had before end such a row. A value without a clock.
package struct TransferRetry: Sendable {
    /// A few bytes between two failures are no recovery.
    static let recovery: Int64 = 16 << 10

    package private(set) var failures = 0
    /// The failures since the last new byte.
    package private(set) var barren = 0
    /// When the first failure of the row happened.
    package private(set) var since: HostTime?
    private var gained: Int64 = 0

    package init() {}

    package mutating func failed(at time: HostTime) {
        failures += 1
        barren += 1
        if since == nil { since = time }
        gained = 0
    }

    /// - Parameter bytes: bytes that were not there before.
    package mutating func gained(_ bytes: Int64) {
        guard bytes > 0 else { return }
        barren = 0
        gained = gained.addingSaturating(bytes)
        if gained >= Self.recovery { reset() }
    }

    package mutating func reset() {
        failures = 0
        barren = 0
        since = nil
    }

    package func elapsed(at time: HostTime) -> Int64 { since.map { time - $0 } ?? 0 }

    /// How long to wait before the next try, in nanoseconds; nil to give up.
    package func delay(after error: HTTPError, _ policy: RetryPolicy, at time: HostTime, random: Double) -> Int64? {
        policy.delay(after: error, failures: failures, elapsed: elapsed(at: time), random: random)
    }

    package func isUsedUp(_ policy: RetryPolicy, at time: HostTime) -> Bool {
        failures > 0 && (failures >= policy.tries || elapsed(at: time) > policy.within)
    }
}
