import Foundation
import MediaCore
import Synchronization

/// Measures files in the background, one after the other for the whole process, each once: on a thread that gives way
/// to all others and has a reader of its own. Any thread.
final class LoudnessScanner: Sendable {
    static let shared = LoudnessScanner(cache: LoudnessCache(folder: LoudnessCache.folder()))

    /// A file and which of its tracks plays.
    private struct Task: Hashable {
        let file: FileIdentity
        let url: URL
        let choice: TrackSelection.Choice
    }
    /// - Parameters: the track that was measured, and what came of it; nil: it has no loudness.
    typealias Answer = @Sendable (Int, LoudnessMeasure?) -> Void
    private struct Waiter {
        let isWaiting: @Sendable () -> Bool
        let answer: Answer
    }
    private struct State {
        var cache: LoudnessCache
        var tasks: [Task] = []
        var waiters: [Task: [Waiter]] = [:]
        var isRunning = false
        var measured = 0
    }
    private let state: Mutex<State>

    init(cache: LoudnessCache) { state = Mutex(State(cache: cache)) }

    /// Files read to their end so far.
    var measuredFiles: Int { state.withLock { $0.measured } }
    private var cache: LoudnessCache { state.withLock { $0.cache } }
    /// Keeps what is measured elsewhere from now on.
    func use(_ cache: LoudnessCache) { state.withLock { $0.cache = cache } }

    /// What is known already of track `track`. Reads the cache's file, the first time.
    func known(_ url: URL, track: Int) -> LoudnessCache.Entry? {
        LoudnessCache.Key(url: url, track: track).flatMap { cache.find($0) }
    }

    /// Has the track that `choice` means measured, and calls `answer` on any thread; never for what is no local file or
    /// cannot be read.
    /// - Parameter isWaiting: asked now and then; when none of those who asked for a file waits any longer, it is left.
    func measure(
        _ url: URL, _ choice: TrackSelection.Choice, while isWaiting: @escaping @Sendable () -> Bool,
        _ answer: @escaping Answer
    ) {
        guard let file = FileIdentity(url: url) else { return }
        let task = Task(file: file, url: url, choice: choice)
        let starts = state.withLock { state -> Bool in
            state.waiters[task, default: []].append(Waiter(isWaiting: isWaiting, answer: answer))
            if !state.tasks.contains(task) { state.tasks.append(task) }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        // It ends by itself when there is nothing to measure.
        let thread = WorkerThread(name: "zt-loudness") { [self] in
            ThreadUrgency.lower()
            while let task = next() { carryOut(task) }
        }
        thread.detach()
        if !thread.isStarted { state.withLock { ($0.isRunning, $0.tasks, $0.waiters) = (false, [], [:]) } }
    }

    /// The first task stays in the list while it is carried out, so that whoever asks for the same joins in.
    private func next() -> Task? {
        state.withLock { state in
            if state.tasks.isEmpty { state.isRunning = false }
            return state.tasks.first
        }
    }

    private func carryOut(_ task: Task) {
        let outcome = isWanted(task) ? read(task) : nil
        let waiters = state.withLock { state in
            state.tasks.removeAll { $0 == task }
            return state.waiters.removeValue(forKey: task) ?? []
        }
        guard let outcome else { return }
        for waiter in waiters { waiter.answer(outcome.track, outcome.measure) }
    }

    private func isWanted(_ task: Task) -> Bool {
        let waiters = state.withLock { $0.waiters[task] ?? [] }
        return waiters.contains { $0.isWaiting() }
    }

    /// Nil when it was given up, or cannot be read: then it is not measured again before somebody asks again.
    private func read(_ task: Task) -> (track: Int, measure: LoudnessMeasure?)? {
        let selection = TrackSelection(audio: task.choice, video: .none)
        guard let reader = try? ItemReader(url: task.url, selection: selection, interrupt: InterruptToken()),
            let track = reader.description.audio, let key = LoudnessCache.Key(url: task.url, track: track.streamIndex)
        else { return nil }
        if let known = cache.find(key) { return (track.streamIndex, known.measure) }
        var count = 0
        let pass = try? LoudnessPass(reader, track, location: task.url.location).run {
            count += 1
            return count % 64 != 0 || isWanted(task)
        }
        guard case .measured(let measure)? = pass else { return nil }
        state.withLock { $0.measured += 1 }
        // Written to meanwhile, it was another file.
        guard LoudnessCache.Key(url: task.url, track: track.streamIndex) == key else { return nil }
        cache.keep(key, measure)
        return (track.streamIndex, measure)
    }
}
