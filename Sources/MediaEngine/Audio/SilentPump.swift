import MediaCore
import Synchronization

/// A timer with its own thread. It replaces libpulse's thread for an output if that thread could not be created,
/// because a pipe or memory was not available.
///
/// Usually libpulse's thread calls `AudioOutput.tick` for all outputs.
final class SilentPump: Sendable {
    private struct State {
        var due = HostTime.max
        var isClosed = false
        var thread: WorkerThread?
    }
    private let state = Locked(State())
    /// The lock of the output, which is also held during a tick.
    private let output = Mutex(())

    /// Creates a pump and starts its thread.
    ///
    /// - Parameter tick: Called on the pump's thread, inside `locked`.
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

    /// Sets the time of the next tick; `.max` for none.
    func set(_ hostTime: HostTime) { state.withLock { $0.due = hostTime } }

    /// Ends the thread. No tick runs afterward. Do not call this method within `locked`.
    func close() {
        let thread = state.withLock { state in
            state.isClosed = true
            defer { state.thread = nil }
            return state.thread
        }
        thread?.join()
    }
}
