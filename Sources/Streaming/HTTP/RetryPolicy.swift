import Foundation

/// How often and how fast something that failed is tried again: exponential backoff with jitter.
package struct RetryPolicy: Sendable, Hashable {
    /// The first one included.
    package var tries: Int
    /// From the first failure on, nanoseconds; no try begins later.
    package var within: Int64
    /// Before the second try, nanoseconds; doubled for each one after it.
    package var firstDelay: Int64 = 250_000_000
    package var longestDelay: Int64 = 8_000_000_000

    package init(tries: Int, within: Int64) {
        self.tries = tries
        self.within = within
    }

    /// While nothing has played yet, somebody waits for an answer: 3 tries within 20 s.
    package static let opening = RetryPolicy(tries: 3, within: 20_000_000_000)
    /// In the middle of playing a buffer bridges the time: 60 s, with as many tries as fit.
    package static let playing = RetryPolicy(tries: 1000, within: 60_000_000_000)

    /// As many tries as time allows, or `self` where nobody has said how much that is.
    /// - Parameter within: nanoseconds from the first failure on; `.max`: for ever.
    package func lasting(_ within: Int64?) -> RetryPolicy {
        guard let within else { return self }
        var policy = self
        policy.tries = .max
        policy.within = max(0, within)
        return policy
    }

    /// How long to wait before the next try; nil to give up.
    /// - Parameters:
    ///   - failures: how many tries have failed in a row, at least 1.
    ///   - elapsed: since the first of these failures, nanoseconds.
    ///   - retryAfter: what the server asks for, seconds; it is honoured, or we give up.
    ///   - random: in 0…1; the delay is between half and all of its nominal length, so that clients of a
    ///     server that came back do not all come at once.
    package func delay(failures: Int, elapsed: Int64, retryAfter: Double?, random: Double) -> Int64? {
        guard failures < tries else { return nil }
        let doublings = min(max(0, failures - 1), 30)
        let nominal = min(Double(longestDelay), Double(firstDelay) * Double(1 << doublings))
        var delay = nominal * (0.5 + 0.5 * min(1, max(0, random)))
        if let retryAfter { delay = max(delay, min(retryAfter, 1e9) * 1e9) }
        let left = Double(within - min(within, max(0, elapsed)))
        // The last try is made when the time is over, not given up before.
        if delay > left, left >= Double(firstDelay), (retryAfter ?? 0) * 1e9 <= left { delay = left }
        guard delay <= left else { return nil }
        return Int64(delay)
    }
}
