import MediaCore
import Streaming

/// The failures of a download and the rules for retries. Has no clock and no network.
final class JobRetries {
    /// The maximum number of tries for a refused resource or one with wrong contents.
    static let tries = 3
    /// The maximum number of tries for a refused resource of a live recording. A server may list a segment shortly
    /// before it has the segment.
    static let triesOfRecording = 4
    /// The maximum number of gaps in a recording of which no segment has been loaded.
    static let mostGapsAtStart = 10
    /// The number of times that missing files are loaded again before the download fails.
    private static let mostLosses = 3
    /// The minimum patience with which retries never end, in seconds.
    private static let forever = 1e12

    /// The number of consecutive failures of each resource.
    private var failures: [ItemReference: Int] = [:]
    private var wrongContents: [ItemReference: Int] = [:]
    /// The consecutive failures of the network, for all resources together.
    private var network = TransferRetry()
    private var losses = 0
    /// Whether the playlists have been requested again, because a URL was refused, since the last resource was loaded.
    private var hasRefreshed = false
    /// The resources for whose URLs the playlists have been requested again, without success so far.
    private var refreshedItems: Set<ItemReference> = []
    /// Whether the file is loaded in one piece, because its server does not support ranges or returned parts of
    /// different versions.
    private(set) var isInOnePiece = false

    /// Resets all counts, because the download starts.
    func begin() {
        startOver()
        network.reset()
        (losses, hasRefreshed, refreshedItems, isInOnePiece) = (0, false, [], false)
    }

    /// Resets the counts of resources, because there is another plan.
    func startOver() { (failures, wrongContents) = ([:], [:]) }

    /// Resets the count of network failures, because the resource that failed is left out.
    func leavesOut() { network.reset() }

    /// Returns whether to request the playlists again for a resource whose URL was refused.
    ///
    /// New URLs may expire too. Therefore the playlists are requested again after a resource has been loaded, but only
    /// once for each resource.
    func mayRefresh(for item: ItemReference) -> Bool { !hasRefreshed && !refreshedItems.contains(item) }
    func refreshed(for item: ItemReference) {
        hasRefreshed = true
        refreshedItems.insert(item)
    }
    func loadsInOnePiece() { isInOnePiece = true }

    func succeeded(_ item: ItemReference) {
        (failures[item], wrongContents[item]) = (nil, nil)
        hasRefreshed = false
        refreshedItems.remove(item)
    }

    /// Counts received bytes.
    ///
    /// - Returns: Whether the network works again.
    func gained(_ bytes: Int64) -> Bool {
        network.gained(bytes)
        return network.failures == 0
    }

    // MARK: failures

    /// Counts a resource that a server refused or does not have.
    ///
    /// - Returns: The number of failures in a row.
    func refused(_ item: ItemReference) -> Int {
        failures[item, default: 0] += 1
        return failures[item, default: 1]
    }

    /// Counts a resource with wrong contents.
    ///
    /// - Returns: Whether to load the resource again, and the number of failures in a row.
    func wasWrong(_ item: ItemReference) -> (isRetried: Bool, count: Int) {
        wrongContents[item, default: 0] += 1
        let count = wrongContents[item, default: 1]
        return (count < JobRetries.tries, count)
    }

    /// Counts the loss of complete files, although the entire plan was loaded.
    ///
    /// - Returns: Whether to load the files again.
    func lost() -> Bool {
        losses += 1
        return losses <= JobRetries.mostLosses
    }

    /// Counts a network failure during the transfer of a resource.
    ///
    /// - Parameters:
    ///   - inARow: The transfer's own number of failures in a row. New bytes reset it, so that the pauses do not grow
    ///     for a server that closes each connection early.
    ///   - patience: The maximum time to retry, in seconds.
    /// - Returns: The delay before the next try, in nanoseconds, or nil if the maximum time has passed.
    func stalled(
        _ item: ItemReference, inARow: Int?, _ error: HTTPError, patience: Double, at now: HostTime, random: Double
    ) -> Int64? {
        let count = inARow.map { max(1, $0) } ?? failures[item, default: 0] + 1
        failures[item] = count
        return delay(after: error, count, patience: patience, at: now, random: random)
    }

    /// Counts a network failure during planning. The parameters and the result are those of `stalled`.
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

    /// Returns the delay before the next try, in nanoseconds.
    ///
    /// - Parameter failures: The number of failures in a row.
    static func backoff(_ failures: Int, random: Double) -> Int64 {
        var policy = RetryPolicy(tries: .max, within: .max)
        policy.firstDelay = 500_000_000
        policy.longestDelay = 15_000_000_000
        return policy.delay(failures: max(1, failures), elapsed: 0, retryAfter: nil, random: random)
            ?? policy.longestDelay
    }
}
