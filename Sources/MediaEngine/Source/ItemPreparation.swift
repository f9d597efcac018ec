import MediaCore
import Streaming
import Synchronization

/// The making ready of one item, wherever it stands. Any thread.
final class ItemPreparation: Sendable {
    private enum Stage {
        case waiting, running
        case ready(PreparedItem)
        case over
    }
    private struct State {
        var stage = Stage.waiting
        var isGivenUp = false
    }
    private let state = Locked(State())
    let interrupt = InterruptToken()
    private weak let entry: PlaybackEntry?
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
        self.entry = entry
        location = entry.url.location
        self.selection = selection
        self.onChange = onChange
    }

    /// The thread of `ItemPreparer`. Waits for another that was given up in this one's favour.
    func run() {
        var error: AVError? = AVError(.cancelled, at: location, reason: "the operation was cancelled")
        defer { onFinish?(error) }
        guard let entry else { return }
        entry.openingAhead.withLock { _ in
            let begins = state.withLock { state -> Bool in
                guard case .waiting = state.stage else { return false }
                state.stage = .running
                return true
            }
            guard begins else { return }
            var item: PreparedItem?
            var failure: AVError?
            do throws(AVError) {
                item = try PreparedItem(entry, selection, interrupt: interrupt)
            } catch {
                failure = error
            }
            let isLive = item == nil && failure == nil
            finish(item)
            if let failure { error = failure } else if isLive || isReady { error = nil }
        }
        if isReady { onChange(true) }
    }

    private func finish(_ item: sending PreparedItem?) {
        state.withLock(giving: item) { state, item in
            // Too late to stop, and wanted no more.
            guard let item, !state.isGivenUp else { return state.stage = .over }
            state.stage = .ready(item)
        }
    }

    /// It was cancelled: nothing comes of it, though a thread may still be at it.
    var wasGivenUp: Bool { state.withLock { $0.isGivenUp } }
    var isReady: Bool { state.withLock { if case .ready = $0.stage { true } else { false } } }

    /// The picture that comes first, with what tells of the item; nil before it is there.
    func firstPicture() -> (frame: VideoFrame, media: MediaTime, description: ItemDescription)? {
        state.withLock { state in
            guard case .ready(let item) = state.stage, let picture = item.picture else { return nil }
            return (picture.frame, picture.media, item.description)
        }
    }

    /// What is there of it, which then is no longer; nil when it has not come so far, and then it is given up. Waits
    /// for a thread that is at it to let go, which it does at once.
    func take(for wanted: TrackSelection) -> PreparedItem? {
        let item: PreparedItem? = state.wait { state in
            switch state.stage {
            case .running:
                interrupt.interrupt()
                return nil
            case .ready(let item):
                state.stage = .over
                return .some(item)
            case .waiting, .over:
                state.stage = .over
                return .some(nil)
            }
        }
        onChange(false)
        guard let item, item.selection == wanted else { return nil }
        interrupt.reset()
        return item
    }

    /// Gives it up; does not wait for a thread that is at it.
    func cancel() {
        let dropped: PreparedItem? = state.withLock { state in
            state.isGivenUp = true
            interrupt.interrupt()
            switch state.stage {
            case .ready(let item):
                state.stage = .over
                return item
            case .waiting: state.stage = .over
            case .running, .over: break
            }
            return nil
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
