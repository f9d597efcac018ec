import MediaCore
import Synchronization

/// Ticks for an output that has not even a thread of libpulse's: the system refused it its pipe or memory.
///
/// Otherwise libpulse's thread does this work, for all outputs (`AudioOutput.tick`).
final class SilentPump: Sendable {
    private struct State {
        var due = HostTime.max
        var isClosed = false
        var thread: WorkerThread?
    }
    private let state = Locked(State())
    /// Held while the output is used, and during a tick.
    private let output = Mutex(())

    /// - Parameter tick: called as in `locked`.
    init(tick: @escaping @Sendable () -> Void) {
        let thread = WorkerThread(name: "zt-silence") { [state, weak self] in
            while true {
                let due = state.read { $0.due }
                let isOver = state.wait(until: due) { $0.isClosed ? true : $0.due == due ? nil : false }
                if isOver == true { return }
                guard isOver == nil, let self else { continue }
                let isDue = state.withLock { state in
                    guard state.due <= .now() else { return false }
                    state.due = .max
                    return true
                }
                if isDue { locked(tick) }
            }
        }
        state.withLock { $0.thread = thread }
    }

    /// Runs `body` while no tick runs.
    func locked<T>(_ body: () -> T) -> T { output.withLock { _ in body() } }

    /// The next tick; `.max`: none.
    func set(_ hostTime: HostTime) { state.withLock { $0.due = hostTime } }

    /// No tick runs after this. Not within `locked`.
    func close() {
        let thread = state.withLock { state in
            state.isClosed = true
            defer { state.thread = nil }
            return state.thread
        }
        thread?.join()
    }
}
