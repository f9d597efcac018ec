import MediaCore

/// A counter of failures in a row. Only new bytes end such a row. It has no clock; callers pass the time.
package struct TransferRetry: Sendable {
    /// The number of new bytes that counts as a recovery. Fewer bytes between two failures do not end the row.
    static let recovery: Int64 = 16 << 10
    /// The time limit for finding a host before the first byte, in nanoseconds. It includes the DNS lookups themselves,
    /// because a lookup that times out takes long each time.
    private static let lookup: Int64 = 10_000_000_000

    package private(set) var failures = 0
    /// The number of failures since the last new byte.
    package private(set) var failuresWithoutProgress = 0
    /// The time of the first failure in the row, or nil if there is none.
    package private(set) var since: HostTime?
    private var gained: Int64 = 0

    package init() {}

    package mutating func failed(at time: HostTime) {
        failures += 1
        failuresWithoutProgress += 1
        if since == nil { since = time }
        gained = 0
    }

    /// Records progress, which ends the row of failures after 16 KiB.
    /// - Parameter bytes: The number of bytes that were not present before.
    package mutating func gained(_ bytes: Int64) {
        guard bytes > 0 else { return }
        failuresWithoutProgress = 0
        gained = gained.addingSaturating(bytes)
        if gained >= Self.recovery { reset() }
    }

    package mutating func reset() {
        failures = 0
        failuresWithoutProgress = 0
        since = nil
    }

    /// Returns the time since the first failure in the row in nanoseconds, or 0 if there is none.
    package func elapsed(at time: HostTime) -> Int64 { since.map { time - $0 } ?? 0 }

    /// Returns the delay before the next try in nanoseconds, or nil to stop retrying.
    /// - Parameters:
    ///   - error: The last failure, or nil if it was not a request that failed.
    ///   - random: A number in 0…1 (see `RetryPolicy.delay`).
    package func delay(after error: HTTPError?, _ policy: RetryPolicy, at time: HostTime, random: Double) -> Int64? {
        let elapsed = elapsed(at: time)
        // The limit for DNS lookups applies only to the default opening policy, not to a time set by the app or to
        // playback.
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
