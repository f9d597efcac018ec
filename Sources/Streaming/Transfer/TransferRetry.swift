import MediaCore

/// Counts failures in a row. Only bytes that nobody had before end such a row. A value without a clock.
package struct TransferRetry: Sendable {
    /// A few bytes between two failures are no recovery.
    static let recovery: Int64 = 16 << 10
    /// How long a host's name is looked for while nothing has come, nanoseconds, the look-ups counted in: a name that
    /// nobody answers for takes its time each time.
    private static let lookup: Int64 = 10_000_000_000

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
    /// - Parameters:
    ///   - error: the last failure; nil: of something else than a request.
    ///   - random: in 0…1, see `RetryPolicy.delay`.
    package func delay(after error: HTTPError?, _ policy: RetryPolicy, at time: HostTime, random: Double) -> Int64? {
        let elapsed = elapsed(at: time)
        // Where an app has said how long to try, or something plays, that holds.
        if policy == .opening, let error, error.kind == .cannotFindHost,
            error.spent > Self.lookup - min(Self.lookup, max(0, elapsed))
        {
            return nil
        }
        return policy.delay(failures: failures, elapsed: elapsed, retryAfter: error?.retryAfter, random: random)
    }

    package func isUsedUp(_ policy: RetryPolicy, at time: HostTime) -> Bool {
        failures > 0 && (failures >= policy.tries || elapsed(at: time) > policy.within)
    }
}
