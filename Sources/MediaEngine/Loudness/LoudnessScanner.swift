import Foundation
import MediaCore
import Synchronization

/// A scanner that measures the loudness of files in the background. It measures one file at a time for the whole
/// process, on a low-priority thread. A completed measurement is not repeated. All methods can be called from any
/// thread.
final class LoudnessScanner: Sendable {
    static let shared = LoudnessScanner(cache: LoudnessCache(folder: LoudnessCache.folder()))

    /// A request to measure one track of a file.
    private struct Task: Hashable {
        let file: FileIdentity
        let url: URL
        let choice: TrackSelection.Choice
    }
    /// A closure that receives the index of the measured track and its loudness, which is nil if it has none.
    typealias Completion = @Sendable (Int, LoudnessMeasure?) -> Void
    private struct Waiter {
        let isWaiting: @Sendable () -> Bool
        let completion: Completion
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

    /// The number of files that have been measured completely.
    var measuredFiles: Int { state.withLock { $0.measured } }
    private var cache: LoudnessCache { state.withLock { $0.cache } }
    /// Sets the cache for later measurements.
    func use(_ cache: LoudnessCache) { state.withLock { $0.cache = cache } }

    /// Returns the cached loudness of `track`; nil if it is unknown. The first call reads the cache file.
    func known(_ url: URL, track: Int) -> LoudnessCache.Entry? {
        LoudnessCache.Key(url: url, track: track).flatMap { cache.find($0) }
    }

    /// Measures the track that `choice` selects, and calls `completion` on any thread. Never calls `completion` for a
    /// remote file or a file that cannot be read.
    /// - Parameter isWaiting: Called from time to time. When it returns false for all requests of a file, the
    ///   measurement is abandoned.
    func measure(
        _ url: URL, _ choice: TrackSelection.Choice, while isWaiting: @escaping @Sendable () -> Bool,
        _ completion: @escaping Completion
    ) {
        guard let file = FileIdentity(url: url) else { return }
        let task = Task(file: file, url: url, choice: choice)
        let starts = state.withLock { state -> Bool in
            state.waiters[task, default: []].append(Waiter(isWaiting: isWaiting, completion: completion))
            if !state.tasks.contains(task) { state.tasks.append(task) }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        // The thread ends when there is nothing to measure.
        let thread = WorkerThread(name: "zt-loudness") { [self] in
            ThreadUrgency.lower()
            while let task = next() { carryOut(task) }
        }
        thread.detach()
        if !thread.isStarted { state.withLock { ($0.isRunning, $0.tasks, $0.waiters) = (false, [], [:]) } }
    }

    /// Returns the first task, which stays in the list while it runs, so that further requests for the same track can
    /// join it.
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
        for waiter in waiters { waiter.completion(outcome.track, outcome.measure) }
    }

    private func isWanted(_ task: Task) -> Bool {
        let waiters = state.withLock { $0.waiters[task] ?? [] }
        return waiters.contains { $0.isWaiting() }
    }

    /// Reads and measures a track. Returns nil if the measurement was abandoned or the file cannot be read; it is then
    /// measured again only on request.
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
        // If the file was changed meanwhile, the result belongs to neither version.
        guard LoudnessCache.Key(url: task.url, track: track.streamIndex) == key else { return nil }
        cache.keep(key, measure)
        return (track.streamIndex, measure)
    }
}
