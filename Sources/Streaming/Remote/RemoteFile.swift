import Foundation
import MediaCore
import Synchronization

/// A reader with random access to one http or https resource, for a thread that reads it like a file.
///
/// The loop fills a cache in memory ahead of the reader, and pauses while enough bytes are buffered. Reading from the
/// cache needs no request. A jump shortly ahead of the running request continues that request; any other jump requests
/// a range. A server without ranges sends the resource from its start, and sends it from its start again after a jump
/// back beyond the cache or a lost connection.
///
/// `TransferPlan` decides about requests and responses. Transient failures are retried according to `Settings.opening`
/// and `Settings.playing`. The file has *failed* when the retries are used up, or immediately if a retry cannot help.
/// Then reads outside the cache throw until `clearFailure()`.
package final class RemoteFile: Sendable {
    package struct Settings: Sendable {
        /// The size of the cache in bytes, at least 1 MiB. The default is 64 MiB.
        package var memoryBudget = 64 << 20
        /// The number of bytes to load ahead of the reader. The default is 8 MiB. The value is limited to three
        /// quarters of the budget, and to 1 MiB less than the budget.
        package var forwardBytes: Int64 = 8 << 20
        /// The longest jump ahead of the running request, in bytes, that continues this request. The default is 1 MiB.
        package var skipLimit: Int64 = 1 << 20
        /// The retry policy until the first byte has arrived.
        package var opening = RetryPolicy.opening
        /// The retry policy after the first byte has arrived.
        package var playing = RetryPolicy.playing
        /// Returns a number in 0…1, for the jitter of retries.
        package var random: @Sendable () -> Double = { Double.random(in: 0...1) }
        package init() {}
    }

    package let url: URL
    let options: HTTPOptions
    let settings: Settings
    let loop: any NetworkLoop
    let state: Locked<State>
    /// Whether a radio station has sent a title.
    let hasReceivedTitle = Atomic<Bool>(false)

    /// The state that the reader, the loop and the player share.
    struct State: Sendable {
        var cache: ByteCache
        var window: ReadWindow
        /// The number of blocked reads.
        var readers = 0
        var transfer: Transfer?
        /// The number of the newest request.
        var serial = 0
        var plan = TransferPlan(probesRanges: true, earlierBytes: .compared)
        var failure: HTTPError?
        var retryTimer: (any NetworkTimer)?
        /// Whether bytes have arrived. Retries then follow the policy for playing, not the one for opening.
        var hasStarted = false
        var isClosed = false
        var log = TransferLog()
        var notices = ChangeNotices()
        var radio = RadioState()

        init(_ settings: Settings) {
            cache = ByteCache(budget: settings.memoryBudget)
            window = ReadWindow(forward: settings.forwardBytes, budget: cache.budget)
        }

        /// The offset of the first missing byte at or after the reader's position.
        var nextMissingByte: Int64 { cache.contiguousEnd(from: window.position) }
        var hasRanges: Bool { [.accepted, .promised].contains(plan.facts.ranges) }
        var fitsWhole: Bool { plan.facts.length.map { $0 <= Int64(cache.budget) } ?? false }
    }

    /// A running request.
    struct Transfer {
        let serial: Int
        var task: any HTTPTask
        /// Whether the response may have another version of the file, so that its bytes are compared with the cache.
        var isCompared = false
        var isPaused = false
        /// The time of the last bytes, of the response's head, or of the last pause or resumption, whichever is latest.
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

    /// Requests the file, and waits for a usable response. `acceptsRanges` is then known, and so is `length` if the
    /// server sends it. Never call it on the loop's thread.
    /// - Parameters:
    ///   - deadline: The time at which the call throws `.timedOut`, in nanoseconds of CLOCK_MONOTONIC.
    ///   - isInterrupted: Checked while waiting and after `wake()`. If it returns true, the call throws `.cancelled`.
    /// - Throws: The failure of the request.
    package func open(until deadline: Int64 = .max, isInterrupted: () -> Bool = { false }) throws(HTTPError) {
        try wait(until: deadline, isInterrupted: isInterrupted) { $0.plan.isKnown ? () : nil }
    }

    /// Waits until there are bytes at `offset`, and copies the contiguous ones.
    ///
    /// Only one thread at a time may read, and never the loop's thread.
    /// - Parameters:
    ///   - offset: The offset of the first byte, from 0.
    ///   - deadline: The time at which the read throws `.timedOut`, in nanoseconds of CLOCK_MONOTONIC. Evaluated again
    ///     after each `wake()`.
    ///   - isInterrupted: Checked while waiting and after `wake()`. If it returns true, the read throws `.cancelled`.
    /// - Returns: The number of bytes, or 0 at the end of the file.
    /// - Throws: The failure of the file, if the bytes are not in the cache.
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

    /// Makes a blocked read check its deadline and its interruption again. Any thread.
    package func wake() { state.withLock { _ in } }

    /// Ends all requests, and removes the observers. Blocked and later reads throw `.cancelled`. Any thread.
    package func close() {
        _ = state.withLock { state in
            state.isClosed = true
            state.retryTimer?.cancel()
            state.retryTimer = nil
            endTransfer(&state)
            return (exchange(&state.notices.onChange, nil), exchange(&state.radio.onTitle, nil))
        }
    }

    /// Clears a failure, so that reads use the network again with all retries. Any thread.
    package func clearFailure() {
        state.withLock { state in
            guard state.failure != nil else { return }
            state.failure = nil
            state.plan.retry.reset()
        }
    }

    /// Waits for a result of `attempt`.
    /// - Parameter attempt: Returns the result, or nil to wait. Called with the state locked.
    private func wait<T: Sendable>(
        until deadline: @autoclosure () -> Int64, isInterrupted: () -> Bool, _ attempt: (inout State) -> T?
    ) throws(HTTPError) -> T {
        var isWaiting = false
        while true {
            let limit = deadline()
            let outcome = state.wait(until: HostTime(nanoseconds: limit)) { state -> Outcome<T>? in
                let current = deadline()
                var result = check(&state, until: current, isInterrupted, attempt)
                if result == nil, !isWaiting {
                    isWaiting = true
                    state.readers += 1
                    notice(.soon, &state)
                    retrySooner(&state)
                }
                updateTransfer(&state)
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

    private func check<T>(
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

    /// The length in bytes, or nil if it is unknown. If the response states no length, the length becomes known at the
    /// end of the response.
    package var length: Int64? { state.read { $0.plan.facts.length } }

    /// Whether the server supports byte ranges. Without them, a jump back beyond the cache reads the file from its
    /// start again.
    package var acceptsRanges: Bool { state.read { $0.hasRanges } }

    /// Whether jumps are cheap: the server supports ranges, or the whole file fits into the cache.
    package var isSeekable: Bool { state.read { $0.hasRanges || $0.fitsWhole } }

    /// Returns the byte ranges in the cache, in ascending order.
    package func bufferedRanges() -> [Range<Int64>] { state.read { Array($0.cache.ranges.ranges) } }

    /// Returns the number of bytes that can be read from `offset` on without the network.
    package func contiguousBytes(from offset: Int64) -> Int64 {
        state.read { $0.cache.contiguousEnd(from: offset) - offset }
    }

    /// Whether a read is blocked.
    package var isWaiting: Bool { state.read { $0.readers > 0 } }

    /// The reason why reads outside the cache fail, or nil if they do not fail.
    package var currentFailure: HTTPError? { state.read { $0.failure } }

    package var transferLog: TransferLog { state.read { $0.log } }

    /// The size of the cache's blocks in bytes, at most the budget.
    package var bytesInMemory: Int { state.read { $0.cache.bytesInMemory } }

    /// The number of bytes to load ahead of the reader, clamped to at least 64 KiB and at most the limit of
    /// `Settings.forwardBytes`. Can be set at any time.
    package var forwardBytes: Int64 {
        get { state.read { $0.window.forward } }
        set {
            state.withLock { state in
                state.window.setForward(newValue)
                if state.plan.isKnown { updateTransfer(&state) }
            }
        }
    }

    /// Sets an observer, which is called on the loop after a change of the buffer, `isWaiting`, `length` or the
    /// failure.
    ///
    /// It is called at most ten times per second for new bytes, and soon for other changes. There is one observer at a
    /// time; nil removes it.
    package func setOnChange(_ body: (@Sendable () -> Void)?) {
        _ = state.withLock { exchange(&$0.notices.onChange, body) }
    }
}
