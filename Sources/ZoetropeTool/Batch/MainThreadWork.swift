import MediaCore

/// A queue of closures that other threads run on the main thread, because exports are set up on the main actor.
///
/// The main thread calls `serve` while it waits for the end of a batch.
final class MainThreadWork: Sendable {
    private struct State {
        var waiting: [@MainActor @Sendable () -> Void] = []
        var isOver = false
    }
    private let state = Locked(State())

    /// Runs `body` on the main thread and waits until it returns. Never call it on the main thread, which would wait
    /// forever.
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

    /// Runs waiting closures for `seconds`, or until `finish` is called. Call on the main thread.
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

    /// Makes `serve` return when no closures are waiting.
    func finish() { state.withLock { $0.isOver = true } }

    /// Allows `serve` to be called again after `finish`.
    func reset() { state.withLock { $0.isOver = false } }
}
