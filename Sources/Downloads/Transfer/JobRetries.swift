import MediaCore
import Streaming

/// What has failed of a download so far, and whether and when it is tried again. Has no clock and no network.
final class JobRetries {
    /// How often a server's refusal, or content that is not as it should be, is answered by another try.
    static let tries = 3
    /// So often it is believed that something on the disk was lost by accident.
    private static let mostLosses = 3
    /// From here on it is waited without an end, seconds.
    private static let forever = 1e12

    /// Failures in a row of each resource.
    private var failures: [ItemReference: Int] = [:]
    private var wrongContents: [ItemReference: Int] = [:]
    /// Failures of the network in a row, whatever was loaded.
    private var network = TransferRetry()
    private var losses = 0
    /// The playlists have been requested again because a URL was refused.
    private(set) var hasRefreshed = false
    /// The file is loaded in one piece: its server gives no parts of it, or parts of several versions.
    private(set) var isInOnePiece = false

    /// The download starts: everything may be tried again.
    func begin() {
        startOver()
        network.reset()
        (losses, hasRefreshed, isInOnePiece) = (0, false, false)
    }

    /// Another plan: its resources have not failed yet.
    func startOver() { (failures, wrongContents) = ([:], [:]) }

    func refreshes() { hasRefreshed = true }
    func loadsInOnePiece() { isInOnePiece = true }

    func succeeded(_ item: ItemReference) { (failures[item], wrongContents[item]) = (nil, nil) }

    /// - Returns: whether the network no longer fails.
    func gained(_ bytes: Int64) -> Bool {
        network.gained(bytes)
        return network.failures == 0
    }

    // MARK: failures

    /// A server refused a resource, or does not have it.
    ///
    /// - Returns: how often in a row.
    func refused(_ item: ItemReference) -> Int {
        failures[item, default: 0] += 1
        return failures[item, default: 1]
    }

    /// What came of a resource is not what it should be.
    ///
    /// - Returns: whether it is loaded again.
    func wasWrong(_ item: ItemReference) -> (isRetried: Bool, count: Int) {
        wrongContents[item, default: 0] += 1
        let count = wrongContents[item, default: 1]
        return (count < JobRetries.tries, count)
    }

    /// Something that had come is missing on the disk although all of the plan was there.
    ///
    /// - Returns: whether it is loaded again.
    func lost() -> Bool {
        losses += 1
        return losses <= JobRetries.mostLosses
    }

    /// The network failed while a resource was loaded.
    ///
    /// - Parameters:
    ///   - inARow: The transfer's own count. New bytes end it: a server that closes each connection early is not
    ///     waited for longer and longer.
    ///   - patience: How long the network is waited for, in seconds.
    /// - Returns: nanoseconds until the next try; nil: it has been waited for long enough.
    func stalled(
        _ item: ItemReference, inARow: Int?, _ error: HTTPError, patience: Double, at now: HostTime, random: Double
    ) -> Int64? {
        let count = inARow.map { max(1, $0) } ?? failures[item, default: 0] + 1
        failures[item] = count
        return delay(after: error, count, patience: patience, at: now, random: random)
    }

    /// The network failed while something was planned. Parameters and result as for `stalled`.
    func planningFailed(_ error: HTTPError, patience: Double, at now: HostTime, random: Double) -> Int64? {
        delay(after: error, network.failures + 1, patience: patience, at: now, random: random)
    }

    private func delay(after error: HTTPError, _ count: Int, patience: Double, at now: HostTime, random: Double)
        -> Int64?
    {
        network.failed(at: now)
        let delay = max(
            JobRetries.backoff(count, random: random), Int64(saturating: min(error.retryAfter ?? 0, 3600) * 1e9))
        guard patience < JobRetries.forever else { return delay }
        return delay <= Int64(saturating: patience * 1e9) - network.elapsed(at: now) ? delay : nil
    }

    /// The nanoseconds before the next try.
    /// - Parameter failures: The number of failures in a row.
    static func backoff(_ failures: Int, random: Double) -> Int64 {
        var policy = RetryPolicy(tries: .max, within: .max)
        policy.firstDelay = 500_000_000
        policy.longestDelay = 15_000_000_000
        return policy.delay(failures: max(1, failures), elapsed: 0, retryAfter: nil, random: random)
            ?? policy.longestDelay
    }
}
