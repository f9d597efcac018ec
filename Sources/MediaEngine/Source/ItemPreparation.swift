import MediaCore
import Streaming
import Synchronization

/// The preparation of one item ahead of its playback. Thread-safe.
final class ItemPreparation: Sendable {
    private enum Phase {
        case waiting, running
        case ready(HandedOver<PreparedItem>)
        case over
    }
    private struct State {
        var phase = Phase.waiting
        var isGivenUp = false
        weak var entry: PlaybackEntry?
        /// The result; `nil` until it is known.
        var result: Result<Void, AVError>?
        /// The closures that receive the result.
        var waiters: [@Sendable (AVError?) -> Void] = []

        /// Ends the preparation, and returns the item if it was ready.
        mutating func end() -> HandedOver<PreparedItem>? {
            defer { phase = .over }
            return if case .ready(let item) = phase { item } else { nil }
        }
    }
    /// The state. `take` waits on it for the thread that prepares the item.
    private let state: Locked<State>
    let interrupt = InterruptToken()
    private let location: String
    private let selection: TrackSelection
    private let onChange: @Sendable (Bool) -> Void

    /// Creates a preparation.
    ///
    /// - Parameter onChange: Called on any thread with `true` when the item is ready, and with `false` when it was
    ///   taken or cancelled.
    init(_ entry: PlaybackEntry, _ selection: TrackSelection, onChange: @escaping @Sendable (Bool) -> Void) {
        state = Locked(State(entry: entry))
        location = entry.url.location
        self.selection = selection
        self.onChange = onChange
    }

    /// Calls `call` once, on any thread: with `nil` when the item is ready or is a live stream, otherwise with the
    /// error. A cancelled preparation has finished, even if no thread has begun it or a thread still runs it.
    func whenFinished(_ call: @escaping @Sendable (AVError?) -> Void) {
        let result = state.withLock { state in
            if state.result == nil { state.waiters.append(call) }
            return state.result
        }
        if let result { call(result.error) }
    }

    private func finish(_ result: Result<Void, AVError>) {
        let waiters = state.withLock { state -> [@Sendable (AVError?) -> Void] in
            guard state.result == nil else { return [] }
            state.result = result
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter(result.error) }
    }

    /// Ends the preparation with an error, because the system cannot create a thread for it. The entry can be prepared
    /// again.
    func failToStart() {
        state.withLock { state in
            state.isGivenUp = true
            _ = state.end()
        }
        finish(
            .failure(
                AVError(
                    .unknown, at: location, reason: "the system can't create another thread",
                    suggestion: "Close other programs and try again")))
    }

    private var cancelled: Result<Void, AVError> {
        .failure(AVError(.cancelled, at: location, reason: "the operation was cancelled"))
    }

    /// Prepares the item on a thread of `ItemPreparer`. Waits for an earlier preparation of the same entry to end.
    func run() {
        var result = cancelled
        defer { finish(result) }
        guard let entry = state.read({ $0.entry }) else { return }
        entry.runPreparation {
            let begins = state.withLock { state in
                guard case .waiting = state.phase else { return false }
                state.phase = .running
                return true
            }
            guard begins else { return }
            do throws(AVError) {
                let item = try PreparedItem(entry, selection, interrupt: interrupt)
                let isLive = item == nil
                keep(item.map(HandedOver.init))
                if isLive || isReady { result = .success(()) }
            } catch {
                result = .failure(error)
                keep(nil)
            }
        }
        if isReady { onChange(true) }
    }

    private func keep(_ item: HandedOver<PreparedItem>?) {
        state.withLock { state in
            // The item was cancelled too late to stop its preparation.
            guard let item, !state.isGivenUp else { return state.phase = .over }
            state.phase = .ready(item)
        }
    }

    /// Whether the preparation was cancelled. A thread may still be running it.
    var wasGivenUp: Bool { state.read { $0.isGivenUp } }
    var isReady: Bool { state.read { if case .ready = $0.phase { true } else { false } } }

    /// Returns the first frame, its media time and the description of the item; `nil` until they are available.
    func firstFrame() -> (frame: VideoFrame, media: MediaTime, description: ItemDescription)? {
        state.read { state in
            guard case .ready(let item) = state.phase, let first = item.value.firstFrame else { return nil }
            return (first.frame, first.media, item.value.description)
        }
    }

    /// Takes the prepared item and ends the preparation. A preparation that is not ready is cancelled. A thread that
    /// runs it is interrupted, and this method waits until the thread has stopped.
    ///
    /// - Returns: The item; `nil` if it was not ready or was prepared for another selection.
    func take(for requested: TrackSelection) -> PreparedItem? {
        state.read { if case .running = $0.phase { interrupt.interrupt() } }
        let item = state.wait { state -> HandedOver<PreparedItem>?? in
            if case .running = state.phase { return nil }
            return .some(state.end())
        }?.value
        finish(cancelled)
        onChange(false)
        guard let item, item.selection == requested else { return nil }
        interrupt.reset()
        return item
    }

    /// Cancels the preparation. Does not wait for a thread that runs it.
    func cancel() {
        let dropped = state.withLock { state -> HandedOver<PreparedItem>? in
            state.isGivenUp = true
            interrupt.interrupt()
            if case .running = state.phase { return nil }
            return state.end()
        }
        // Released outside the lock, because that closes files.
        withExtendedLifetime(dropped) {}
        finish(cancelled)
        onChange(false)
    }
}

extension Result<Void, AVError> {
    fileprivate var error: AVError? { if case .failure(let error) = self { error } else { nil } }
}

/// The threads that prepare items: at most two in the process, each of which ends when no work is left. A server that
/// does not answer blocks only one of them.
enum ItemPreparer {
    private static let work = Mutex<(waiting: [ItemPreparation], threads: Int)>(([], 0))

    static func add(_ preparation: ItemPreparation) {
        let starts = work.withLock { work in
            work.waiting.append(preparation)
            guard work.threads < 2 else { return false }
            work.threads += 1
            return true
        }
        guard starts else { return }
        // A thread inherits the nice value of the thread that starts it (setpriority(2), fork(2)). If the thread below
        // started the network loop, the loop would keep the low priority for the life of the process.
        HTTPClient.shared.begin()
        let thread = WorkerThread(name: "zt-preload") {
            ThreadUrgency.lower()
            while let next = next() { next.run() }
        }
        thread.detach()
        guard !thread.isStarted else { return }
        // The other thread, if there is one, prepares the waiting items.
        let stranded = work.withLock { work -> [ItemPreparation] in
            work.threads -= 1
            guard work.threads == 0 else { return [] }
            defer { work.waiting = [] }
            return work.waiting
        }
        for preparation in stranded { preparation.failToStart() }
    }

    private static func next() -> ItemPreparation? {
        work.withLock { work in
            guard !work.waiting.isEmpty else {
                work.threads -= 1
                return nil
            }
            return work.waiting.removeFirst()
        }
    }
}
