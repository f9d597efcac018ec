import Dispatch

/// How a batcher waits: one call after some seconds, which can be given up.
@MainActor
struct BatchTimer {
    /// Calls the block once after so many seconds, on the main actor and never before it returns. What it
    /// returns gives the call up.
    let start: (_ seconds: Double, _ fire: @escaping @MainActor () -> Void) -> @MainActor () -> Void

    /// A timer of the main queue that exists while somebody waits for it, and may be a tenth late so that
    /// the system can wake for several at once.
    static let mainQueue = BatchTimer { seconds, fire in
        let timer = DispatchSource.makeTimerSource(queue: .main)
        let wait = DispatchTimeInterval.nanoseconds(Int(min(seconds, 1e6) * 1e9))
        timer.schedule(deadline: .now() + wait, leeway: .nanoseconds(Int(min(seconds, 1e6) * 1e8)))
        timer.setEventHandler {
            timer.cancel()
            MainActor.assumeIsolated { fire() }
        }
        timer.resume()
        return { timer.cancel() }
    }
}
