import Foundation
import MediaCore

/// Random access to one http(s) resource, for a thread that reads it as if it were a file.
///
/// What is read lies in a cache in memory; the loop fills it ahead of the reader and rests while it is full
/// enough. Reading inside the cache costs no request. A jump a little ahead of the running request reads on
/// over it; any other one asks for a range. A server without ranges is read from its start: going back further
/// than the cache reaches starts again and skips, and so does going on after a broken connection.
///
/// `TransferPlan` decides what is requested and what an answer means; transient failures are retried by
/// `Settings.opening` and `Settings.playing`. When the tries are used up, or at once for what a retry cannot fix, the
/// file has *failed*: reads of what is not in the cache throw until `clearFailure()`.
package final class RemoteFile: @unchecked Sendable {
    // Guarded by `monitor`: every stored `var`. Callbacks of the loop take it too.

    package struct Settings: Sendable {
        /// Of the cache, bytes; at least 1 MiB is taken. Default: 64 MiB.
        package var memoryBudget = 64 << 20
        /// How far ahead of the reader is fetched, bytes; at most three quarters of the budget, and 1 MiB less than it.
        /// Default: 8 MiB.
        package var forwardBytes: Int64 = 8 << 20
        /// A jump ahead of the running request by no more than this reads on over it, bytes. Default: 1 MiB.
        package var skipLimit: Int64 = 1 << 20
        /// Until the first byte has come, and after that.
        package var opening = RetryPolicy.opening
        package var playing = RetryPolicy.playing
        /// In 0…1, for the jitter.
        package var random: @Sendable () -> Double = { Double.random(in: 0...1) }
        package init() {}
    }

    package let url: URL
    let options: HTTPOptions
    let settings: Settings
    let loop: any NetworkLoop
    let monitor = Monitor()
    let changed: Monitor.Condition

    var cache: ByteCache
    var forward: Int64
    /// Where the reader is: the end of its last read, or the start of the one that waits.
    var position: Int64 = 0
    var formerPositions: [Int64] = []
    var readers = 0
    var transfer: Transfer?
    var serial = 0
    var plan = TransferPlan(probesRanges: true, earlierBytes: .compared)
    var failure: HTTPError?
    var retryTimer: (any NetworkTimer)?
    /// Bytes have come: what is retried is playing, not opening.
    var hasStarted = false
    var log = TransferLog()
    var isClosed = false
    var onChange: (@Sendable () -> Void)?
    var radio = RadioState()
    enum Notice { case soon, later }
    var noticeIsDue: Notice?

    /// A request under way.
    struct Transfer {
        let serial: Int
        var task: any HTTPTask
        /// What it brings may be another version of the file: it is compared with what is in the cache.
        var isCompared = false
        var isPaused = false
        /// When the last bytes, the answer or the end of a pause came.
        var mark = HostTime(nanoseconds: 0)
    }

    package init(
        url: URL, options: HTTPOptions = HTTPOptions(), settings: Settings = Settings(),
        loop: any NetworkLoop = HTTPClient.shared
    ) {
        self.url = url
        self.options = options
        self.settings = settings
        self.loop = loop
        changed = Monitor.Condition(monitor)
        cache = ByteCache(budget: settings.memoryBudget)
        forward = 0
        forward = clampForward(settings.forwardBytes)
    }

    deinit { transfer?.task.cancel() }

    // MARK: reading

    /// Asks for the file and waits until its length (if the server tells it) and whether it has ranges are known.
    /// - Parameters: as `read`.
    package func open(until deadline: Int64 = .max, isInterrupted: () -> Bool = { false }) throws(HTTPError) {
        try wait(until: deadline, isInterrupted: isInterrupted) { plan.isKnown ? () : nil }
    }

    /// Blocks until there are bytes at `offset`, and copies as many as are there in one piece.
    ///
    /// One thread at a time reads; never the loop's.
    /// - Parameters:
    ///   - offset: from 0.
    ///   - deadline: CLOCK_MONOTONIC nanoseconds; at it the read throws `.timedOut`. Asked anew after each `wake()`.
    ///   - isInterrupted: asked on the way, and after `wake()`; true makes the read throw `.cancelled`.
    /// - Returns: the number of bytes; 0 at the end.
    package func read(
        at offset: Int64, into buffer: UnsafeMutableRawBufferPointer,
        until deadline: @autoclosure () -> Int64 = .max, isInterrupted: () -> Bool = { false }
    ) throws(HTTPError) -> Int {
        monitor.withLock { moveReader(to: offset) }
        return try wait(until: deadline(), isInterrupted: isInterrupted) {
            if let length = plan.facts.length, offset >= length { return 0 }
            let count = cache.copy(from: offset, into: buffer)
            guard count > 0 else { return buffer.isEmpty ? 0 : nil }
            position = offset + Int64(count)
            return count
        }
    }

    /// Lets a blocked read look at its deadline and its interruption again. Any thread.
    package func wake() {
        monitor.withLock { changed.broadcast() }
    }

    /// Ends everything; blocked and later reads throw `.cancelled`. Any thread.
    package func close() {
        monitor.withLock {
            isClosed = true
            retryTimer?.cancel()
            retryTimer = nil
            endTransfer()
            onChange = nil
            radio.onTitle = nil
            changed.broadcast()
        }
    }

    /// After a failure: reads ask the network again, with all tries anew. Any thread.
    package func clearFailure() {
        monitor.withLock {
            guard failure != nil else { return }
            failure = nil
            plan.retry.reset()
        }
    }

    private func wait<T>(
        until deadline: @autoclosure () -> Int64, isInterrupted: () -> Bool, _ attempt: () -> T?
    ) throws(HTTPError) -> T {
        monitor.lock()
        defer { monitor.unlock() }
        var isWaiting = false
        defer {
            if isWaiting {
                readers -= 1
                notice(soon: true)
            }
        }
        while true {
            if isClosed { throw HTTPError(.cancelled, url: url, reason: "the file was closed") }
            if let result = attempt() {
                steer()
                return result
            }
            if isInterrupted() { throw HTTPError(.cancelled, url: url, reason: "the operation was cancelled") }
            if let failure { throw failure }
            let limit = deadline()
            if HostClock.now() >= limit { throw HTTPError(.timedOut, url: url, reason: "no data arrived in time") }
            if !isWaiting {
                isWaiting = true
                readers += 1
                notice(soon: true)
                retrySooner()
            }
            steer()
            if failure != nil { continue }
            limit == .max ? changed.wait() : changed.wait(until: limit)
        }
    }

    /// With the monitor locked.
    private func moveReader(to offset: Int64) {
        guard offset != position else { return }
        // What it leaves it may come back to.
        formerPositions.removeAll { abs($0 - position) < 1 << 20 }
        formerPositions.append(position)
        if formerPositions.count > 4 { formerPositions.removeFirst() }
        position = max(0, offset)
    }

    // MARK: state

    /// Bytes; nil while unknown. Of an answer without a length it becomes known at its end.
    package var length: Int64? { monitor.withLock { plan.facts.length } }

    /// The server answers ranges. Without them jumps backwards beyond the cache start from the beginning.
    package var acceptsRanges: Bool { monitor.withLock { hasRanges } }

    /// Jumps are cheap: the server has ranges, or the whole file fits into the cache.
    package var isSeekable: Bool { monitor.withLock { hasRanges || fitsWhole } }

    /// What is in the cache, ascending.
    package func bufferedRanges() -> [Range<Int64>] { monitor.withLock { Array(cache.ranges.ranges) } }

    /// How many bytes can be read from `offset` on without the network.
    package func contiguousBytes(from offset: Int64) -> Int64 {
        monitor.withLock { cache.contiguousEnd(from: offset) - offset }
    }

    /// A read is blocked.
    package var isWaiting: Bool { monitor.withLock { readers > 0 } }

    /// Why reads outside the cache fail; nil while they do not.
    package var currentFailure: HTTPError? { monitor.withLock { failure } }

    package var transferLog: TransferLog { monitor.withLock { log } }

    /// Of the cache's blocks, bytes; at most the budget.
    package var bytesInMemory: Int { monitor.withLock { cache.bytesInMemory } }

    /// How far ahead of the reader is fetched, bytes; from 64 KiB to what `Settings` says. Any time.
    package var forwardBytes: Int64 {
        get { monitor.withLock { forward } }
        set {
            monitor.withLock {
                forward = clampForward(newValue)
                if plan.isKnown { steer() }
            }
        }
    }

    /// Called on the loop after the buffer, `isWaiting`, `length` or the failure have changed: for the bytes at most
    /// ten times a second, for the others soon. One at a time; nil to be told nothing more.
    package func setOnChange(_ body: (@Sendable () -> Void)?) {
        monitor.withLock { onChange = body }
    }

    private func clampForward(_ bytes: Int64) -> Int64 {
        // The rest is for what was read, and for the file's head and tail.
        let most = Int64(cache.budget - max(cache.budget / 4, 1 << 20))
        return max(min(bytes, most), 64 << 10)
    }

    private var hasRanges: Bool { [.accepted, .promised].contains(plan.facts.ranges) }

    /// With the monitor locked.
    var fitsWhole: Bool { plan.facts.length.map { $0 <= Int64(cache.budget) } ?? false }
}
