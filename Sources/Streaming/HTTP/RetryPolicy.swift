/// The number and timing of retries after a failure: exponential backoff with jitter.
package struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of tries, including the first one.
    package var tries: Int
    /// The time limit since the first failure, in nanoseconds. No try starts later.
    package var within: Int64
    /// The delay before the second try, in nanoseconds. Each further delay is twice as long.
    package var firstDelay: Int64 = 250_000_000
    /// The maximum delay between two tries, in nanoseconds.
    package var longestDelay: Int64 = 8_000_000_000

    package init(tries: Int, within: Int64) {
        self.tries = tries
        self.within = within
    }

    /// The policy while an item is opening, when someone waits for the result: 3 tries within 20 s.
    package static let opening = RetryPolicy(tries: 3, within: 20_000_000_000)
    /// The policy during playback, when a buffer bridges the time: up to 60 s, with as many tries as fit.
    package static let playing = RetryPolicy(tries: 1000, within: 60_000_000_000)

    /// Returns a policy with unlimited tries within the given time, or `self` if that is nil.
    /// - Parameter within: The time limit since the first failure, in nanoseconds. `.max` means forever.
    package func lasting(_ within: Int64?) -> RetryPolicy {
        guard let within else { return self }
        var policy = self
        policy.tries = .max
        policy.within = max(0, within)
        return policy
    }

    /// Returns the delay before the next try in nanoseconds, or nil to stop retrying.
    /// - Parameters:
    ///   - failures: The number of failures in a row, at least 1.
    ///   - elapsed: The time since the first of these failures, in nanoseconds.
    ///   - retryAfter: The delay that the server requests, in seconds. If it exceeds the time left, the result is nil.
    ///   - random: A number in 0…1, which selects a delay between half and all of its nominal length. Clients of a
    ///     server then do not all return at the same moment.
    package func delay(failures: Int, elapsed: Int64, retryAfter: Double?, random: Double) -> Int64? {
        guard failures < tries else { return nil }
        let doublings = min(max(0, failures - 1), 30)
        let nominal = min(Double(longestDelay), Double(firstDelay) * Double(1 << doublings))
        var delay = nominal * (0.5 + 0.5 * min(1, max(0, random)))
        if let retryAfter { delay = max(delay, min(retryAfter, 1e9) * 1e9) }
        let left = Double(within - min(within, max(0, elapsed)))
        // The last try happens at the end of the time limit, even if its delay would be longer.
        if delay > left, left >= Double(firstDelay), (retryAfter ?? 0) * 1e9 <= left { delay = left }
        guard delay <= left else { return nil }
        return Int64(delay)
    }
}
