import Dispatch

/// A timer that a batcher uses for one delayed call, which can be canceled.
@MainActor
struct BatchTimer {
    /// Calls `fire` once after `seconds`, on the main actor and never before this function returns. Returns a function
    /// that cancels the call.
    let start: (_ seconds: Double, _ fire: @escaping @MainActor () -> Void) -> @MainActor () -> Void

    /// A timer on the main queue that exists only while a call is pending. It may be late by a tenth of the time, so
    /// that the system can wake up for several timers at once.
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
