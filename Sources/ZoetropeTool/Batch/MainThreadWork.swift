import MediaCore

/// Runs closures of other threads on the main thread, which serves them while it waits for the end of a batch: exports
/// are set up on the main actor.
final class MainThreadWork: Sendable {
    private struct State {
        var waiting: [@MainActor @Sendable () -> Void] = []
        var isOver = false
    }
    private let state = Locked(State())

    /// Runs `body` on the main thread and waits for it. Never on the main thread.
    func run<T: Sendable>(_ body: @escaping @MainActor @Sendable () throws -> T) throws(ToolFailure) -> T {
        let answer = Locked<Result<T, ToolFailure>?>(nil)
        state.withLock { state in
            state.waiting.append {
                let result: Result<T, ToolFailure>
                do { result = .success(try body()) } catch { result = .failure(ToolFailure(error)) }
                answer.withLock { $0 = result }
            }
        }
        return try answer.wait { $0 }.get()
    }

    /// Serves for `seconds`, or until `finish`. The main thread.
    /// - Returns: Whether `finish` has been called.
    func serve(seconds: Double) -> Bool {
        let deadline = HostTime(nanoseconds: HostTime.now().nanoseconds + Int64(seconds * 1e9))
        while true {
            enum Next: Sendable {
                case work(@MainActor @Sendable () -> Void)
                case over
            }
            let next = state.wait(until: deadline) { state -> Next? in
                if !state.waiting.isEmpty { return .work(state.waiting.removeFirst()) }
                return state.isOver ? .over : nil
            }
            switch next {
            case .work(let body)?: MainActor.assumeIsolated { body() }
            case .over?: return true
            case nil: return false
            }
        }
    }

    /// Ends `serve`.
    func finish() { state.withLock { $0.isOver = true } }

    /// `serve` can be called again.
    func reset() { state.withLock { $0.isOver = false } }
}
