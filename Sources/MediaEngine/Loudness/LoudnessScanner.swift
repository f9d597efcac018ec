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

    /// Measures the track that `choice` selects, and calls `completion` on any thread. Does not call `completion` for a
    /// remote file, a file that cannot be read or changes meanwhile, or an abandoned measurement.
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

    private enum Outcome {
        case measured(track: Int, LoudnessMeasure?)
        /// The file cannot be read. It is measured again only on request.
        case failed
        /// No request waits for the measurement, and its task was removed.
        case abandoned
    }

    private func carryOut(_ task: Task) {
        let outcome = keepIfWanted(task) ? read(task) : .abandoned
        if case .abandoned = outcome { return }
        let waiters = state.withLock { state in
            state.tasks.removeAll { $0 == task }
            return state.waiters.removeValue(forKey: task) ?? []
        }
        guard case .measured(let track, let measure) = outcome else { return }
        for waiter in waiters { waiter.completion(track, measure) }
    }

    /// Removes `task` if none of its requests waits any more. A request that joins meanwhile keeps the task.
    /// - Returns: Whether a request still waits for the task.
    private func keepIfWanted(_ task: Task) -> Bool {
        let waiters = state.withLock { $0.waiters[task] ?? [] }
        if waiters.contains(where: { $0.isWaiting() }) { return true }
        return state.withLock { state in
            let joined = state.waiters[task]?.dropFirst(waiters.count) ?? []
            guard joined.isEmpty else {
                state.waiters[task] = Array(joined)
                return true
            }
            state.waiters[task] = nil
            state.tasks.removeAll { $0 == task }
            return false
        }
    }

    private func read(_ task: Task) -> Outcome {
        let selection = TrackSelection(audio: task.choice, video: .none)
        guard let reader = try? ItemReader(url: task.url, selection: selection, interrupt: InterruptToken()),
            let track = reader.description.audio, let key = LoudnessCache.Key(url: task.url, track: track.streamIndex)
        else { return .failed }
        if let known = cache.find(key) { return .measured(track: track.streamIndex, known.measure) }
        var count = 0
        let pass = try? LoudnessPass(reader, track, location: task.url.location).run {
            count += 1
            return count % 64 != 0 || keepIfWanted(task)
        }
        let measure: LoudnessMeasure?
        switch pass {
        case .measured(let result): measure = result
        case .abandoned: return .abandoned
        case nil: return .failed
        }
        state.withLock { $0.measured += 1 }
        // If the file was changed meanwhile, the result belongs to neither version.
        guard LoudnessCache.Key(url: task.url, track: track.streamIndex) == key else { return .failed }
        cache.keep(key, measure)
        return .measured(track: track.streamIndex, measure)
    }
}
