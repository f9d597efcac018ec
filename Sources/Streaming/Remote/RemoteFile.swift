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
package final class RemoteFile: Sendable {
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
    let state: Locked<State>

    /// What the reader, the loop and the player share.
    struct State: Sendable {
        var cache: ByteCache
        var window: ReadWindow
        /// Reads that are blocked.
        var readers = 0
        var transfer: Transfer?
        /// Of the newest request.
        var serial = 0
        var plan = TransferPlan(probesRanges: true, earlierBytes: .compared)
        var failure: HTTPError?
        var retryTimer: (any NetworkTimer)?
        /// Bytes have come: what is retried is playing, not opening.
        var hasStarted = false
        var isClosed = false
        var log = TransferLog()
        var notices = ChangeNotices()
        var radio = RadioState()

        init(_ settings: Settings) {
            cache = ByteCache(budget: settings.memoryBudget)
            window = ReadWindow(forward: settings.forwardBytes, budget: cache.budget)
        }

        /// The first missing byte from the reader on.
        var goal: Int64 { cache.contiguousEnd(from: window.position) }
        var hasRanges: Bool { [.accepted, .promised].contains(plan.facts.ranges) }
        var fitsWhole: Bool { plan.facts.length.map { $0 <= Int64(cache.budget) } ?? false }
    }

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
        state = Locked(State(settings))
    }

    deinit { state.read { $0.transfer?.task.cancel() } }

    // MARK: reading

    /// Asks for the file and waits until its length (if the server tells it) and whether it has ranges are known.
    /// - Parameters: as `read`.
    package func open(until deadline: Int64 = .max, isInterrupted: () -> Bool = { false }) throws(HTTPError) {
        try wait(until: deadline, isInterrupted: isInterrupted) { $0.plan.isKnown ? () : nil }
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
        try wait(until: deadline(), isInterrupted: isInterrupted) { state in
            state.window.move(to: offset)
            if let length = state.plan.facts.length, offset >= length { return 0 }
            let count = state.cache.copy(from: offset, into: buffer)
            guard count > 0 else { return buffer.isEmpty ? 0 : nil }
            state.window.advance(by: count)
            return count
        }
    }

    /// Lets a blocked read look at its deadline and its interruption again. Any thread.
    package func wake() { state.withLock { _ in } }

    /// Ends everything; blocked and later reads throw `.cancelled`. Any thread.
    package func close() {
        _ = state.withLock { state in
            state.isClosed = true
            state.retryTimer?.cancel()
            state.retryTimer = nil
            endTransfer(&state)
            return (exchange(&state.notices.onChange, nil), exchange(&state.radio.onTitle, nil))
        }
    }

    /// After a failure: reads ask the network again, with all tries anew. Any thread.
    package func clearFailure() {
        state.withLock { state in
            guard state.failure != nil else { return }
            state.failure = nil
            state.plan.retry.reset()
        }
    }

    /// - Parameter attempt: what is waited for; called with the state locked.
    private func wait<T: Sendable>(
        until deadline: @autoclosure () -> Int64, isInterrupted: () -> Bool, _ attempt: (inout State) -> T?
    ) throws(HTTPError) -> T {
        var isWaiting = false
        while true {
            let limit = deadline()
            let outcome = state.wait(until: HostTime(nanoseconds: limit)) { state -> Outcome<T>? in
                let current = deadline()
                var result = look(&state, until: current, isInterrupted, attempt)
                if result == nil, !isWaiting {
                    isWaiting = true
                    state.readers += 1
                    notice(.soon, &state)
                    retrySooner(&state)
                }
                steer(&state)
                result = result ?? state.failure.map { .failure($0) }
                guard let result else { return current < limit ? .deadlineIsSooner : nil }
                if isWaiting {
                    state.readers -= 1
                    notice(.soon, &state)
                }
                return .ended(result)
            }
            if case .ended(let result) = outcome { return try result.get() }
        }
    }

    private enum Outcome<T: Sendable>: Sendable {
        case ended(Result<T, HTTPError>)
        case deadlineIsSooner
    }

    private func look<T>(
        _ state: inout State, until limit: Int64, _ isInterrupted: () -> Bool, _ attempt: (inout State) -> T?
    ) -> Result<T, HTTPError>? {
        if state.isClosed { return .failure(HTTPError(.cancelled, url: url, reason: "the file was closed")) }
        if let result = attempt(&state) { return .success(result) }
        if isInterrupted() { return .failure(HTTPError(.cancelled, url: url, reason: "the operation was cancelled")) }
        if let failure = state.failure { return .failure(failure) }
        guard HostClock.now() < limit else {
            return .failure(HTTPError(.timedOut, url: url, reason: "no data arrived in time"))
        }
        return nil
    }

    // MARK: state

    /// Bytes; nil while unknown. Of an answer without a length it becomes known at its end.
    package var length: Int64? { state.read { $0.plan.facts.length } }

    /// The server answers ranges. Without them jumps backwards beyond the cache start from the beginning.
    package var acceptsRanges: Bool { state.read { $0.hasRanges } }

    /// Jumps are cheap: the server has ranges, or the whole file fits into the cache.
    package var isSeekable: Bool { state.read { $0.hasRanges || $0.fitsWhole } }

    /// What is in the cache, ascending.
    package func bufferedRanges() -> [Range<Int64>] { state.read { Array($0.cache.ranges.ranges) } }

    /// How many bytes can be read from `offset` on without the network.
    package func contiguousBytes(from offset: Int64) -> Int64 {
        state.read { $0.cache.contiguousEnd(from: offset) - offset }
    }

    /// A read is blocked.
    package var isWaiting: Bool { state.read { $0.readers > 0 } }

    /// Why reads outside the cache fail; nil while they do not.
    package var currentFailure: HTTPError? { state.read { $0.failure } }

    package var transferLog: TransferLog { state.read { $0.log } }

    /// Of the cache's blocks, bytes; at most the budget.
    package var bytesInMemory: Int { state.read { $0.cache.bytesInMemory } }

    /// How far ahead of the reader is fetched, bytes; from 64 KiB to what `Settings` says. Any time.
    package var forwardBytes: Int64 {
        get { state.read { $0.window.forward } }
        set {
            state.withLock { state in
                state.window.setForward(newValue)
                if state.plan.isKnown { steer(&state) }
            }
        }
    }

    /// Called on the loop after the buffer, `isWaiting`, `length` or the failure have changed: for the bytes at most
    /// ten times a second, for the others soon. One at a time; nil to be told nothing more.
    package func setOnChange(_ body: (@Sendable () -> Void)?) {
        _ = state.withLock { exchange(&$0.notices.onChange, body) }
    }
}
