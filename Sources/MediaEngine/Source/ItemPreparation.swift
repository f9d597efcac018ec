import MediaCore
import Streaming
import Synchronization

/// The making ready of one item, wherever it stands. Any thread.
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

        /// Ends it, and returns the item if it was ready.
        mutating func end() -> HandedOver<PreparedItem>? {
            defer { phase = .over }
            return if case .ready(let item) = phase { item } else { nil }
        }
    }
    /// Who takes the item waits here for the thread that prepares it.
    private let state: Locked<State>
    let interrupt = InterruptToken()
    private let location: String
    private let selection: TrackSelection
    private let onChange: @Sendable (Bool) -> Void
    private let onFinish: (@Sendable (AVError?) -> Void)?

    /// - Parameters:
    ///   - onChange: called on any thread when it is ready, and when it is no longer there.
    ///   - onFinish: called once, on any thread: when it is ready or a live stream, and else with the error.
    init(
        _ entry: PlaybackEntry, _ selection: TrackSelection, onChange: @escaping @Sendable (Bool) -> Void,
        onFinish: (@Sendable (AVError?) -> Void)? = nil
    ) {
        self.onFinish = onFinish
        state = Locked(State(entry: entry))
        location = entry.url.location
        self.selection = selection
        self.onChange = onChange
    }

    /// The thread of `ItemPreparer`. Waits for another that was given up in this one's favour.
    func run() {
        var error: AVError? = AVError(.cancelled, at: location, reason: "the operation was cancelled")
        defer { onFinish?(error) }
        guard let entry = state.read({ $0.entry }) else { return }
        entry.openingAhead.withLock { _ in
            let begins = state.withLock { state in
                guard case .waiting = state.phase else { return false }
                state.phase = .running
                return true
            }
            guard begins else { return }
            var failure: AVError?
            var isLive = false
            do throws(AVError) {
                let item = try PreparedItem(entry, selection, interrupt: interrupt)
                isLive = item == nil
                finish(item.map(HandedOver.init))
            } catch {
                failure = error
                finish(nil)
            }
            if let failure { error = failure } else if isLive || isReady { error = nil }
        }
        if isReady { onChange(true) }
    }

    private func finish(_ item: HandedOver<PreparedItem>?) {
        state.withLock { state in
            // Too late to stop, and wanted no more.
            guard let item, !state.isGivenUp else { return state.phase = .over }
            state.phase = .ready(item)
        }
    }

    /// It was cancelled: nothing comes of it, though a thread may still be at it.
    var wasGivenUp: Bool { state.read { $0.isGivenUp } }
    var isReady: Bool { state.read { if case .ready = $0.phase { true } else { false } } }

    /// The picture that comes first, with what tells of the item; nil before it is there.
    func firstPicture() -> (frame: VideoFrame, media: MediaTime, description: ItemDescription)? {
        state.read { state in
            guard case .ready(let item) = state.phase, let picture = item.value.picture else { return nil }
            return (picture.frame, picture.media, item.value.description)
        }
    }

    /// What is there of it, which then is no longer; nil when it has not come so far, and then it is given up. Waits
    /// for a thread that is at it to let go, which it does at once.
    func take(for wanted: TrackSelection) -> PreparedItem? {
        state.read { if case .running = $0.phase { interrupt.interrupt() } }
        let item = state.wait { state -> HandedOver<PreparedItem>?? in
            if case .running = state.phase { return nil }
            return .some(state.end())
        }?.value
        onChange(false)
        guard let item, item.selection == wanted else { return nil }
        interrupt.reset()
        return item
    }

    /// Gives it up; does not wait for a thread that is at it.
    func cancel() {
        let dropped = state.withLock { state -> HandedOver<PreparedItem>? in
            state.isGivenUp = true
            interrupt.interrupt()
            if case .running = state.phase { return nil }
            return state.end()
        }
        // Let go of outside the lock: it closes files.
        withExtendedLifetime(dropped) {}
        onChange(false)
    }
}

/// The threads that make items ready, for the whole process: two at most, each gone when there is nothing to do. A
/// server that does not answer holds up one of them.
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
        // Begun by the thread below it would be as nice as that for the life of the process (setpriority(2), fork(2)).
        HTTPClient.shared.begin()
        let thread = WorkerThread(name: "zt-preload") {
            ThreadUrgency.lower()
            while let next = next() { next.run() }
        }
        thread.detach()
        if !thread.isStarted { work.withLock { $0.threads -= 1 } }
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
