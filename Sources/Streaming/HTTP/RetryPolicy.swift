import Foundation

/// How long to wait before asking again, and when to give up.
package struct RetryPolicy: Sendable, Hashable {
    /// Before the second try, nanoseconds; doubled each time, at most `longest`. Each wait is shortened by chance to
    /// between half and all of it, so that many players do not come back to a server at once.
    package var first: Int64 = 250_000_000
    package var longest: Int64 = 8_000_000_000
    /// From the first failure on, nanoseconds; then the item fails. `.max`: never.
    package var openingPatience: Int64 = 20_000_000_000
    package var playingPatience: Int64 = 120_000_000_000

    package init() {}

    /// - Parameters:
    ///   - failures: how many there were in a row, from 1.
    ///   - retryAfter: what the server asked for, seconds.
    ///   - chance: 0…1, random.
    package func delay(afterFailures failures: Int, retryAfter: Double? = nil, chance: Double) -> Int64 {
        var wait = first
        for _ in 1..<max(2, min(failures, 32)) { wait = min(longest, wait > longest / 2 ? longest : wait * 2) }
        if failures <= 1 { wait = first }
        let jittered = Int64(Double(wait) * (0.5 + 0.5 * min(max(chance, 0), 1)))
        guard let retryAfter, retryAfter > 0 else { return jittered }
        // A server that asks for an hour is asked again after a minute all the same.
        return max(jittered, Int64(min(retryAfter, 60) * 1e9))
    }
}
