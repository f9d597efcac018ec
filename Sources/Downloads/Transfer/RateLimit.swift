import MediaCore
import Streaming
import Synchronization

/// A limit in bytes per second for the transfers that share it. It is a token bucket that holds the bytes of a tenth of
/// a second. Any thread.
final class RateLimit: Sendable {
    private struct State {
        /// The limit, or nil for none.
        var bytesPerSecond: Int64?
        /// The time until which the received bytes use up the limit.
        var paidUntil = HostTime(nanoseconds: .min / 2)
    }
    private let loop: any NetworkLoop
    private let state: Mutex<State>

    init(loop: any NetworkLoop, bytesPerSecond: Int64?) {
        self.loop = loop
        state = Mutex(State(bytesPerSecond: RateLimit.valid(bytesPerSecond)))
    }

    func set(_ bytesPerSecond: Int64?) {
        let now = loop.time
        state.withLock { state in
            state.bytesPerSecond = RateLimit.valid(bytesPerSecond)
            state.paidUntil = min(state.paidUntil, now)
        }
    }

    /// Counts received bytes.
    ///
    /// - Returns: The time until which to pause, or nil to continue at once.
    func take(_ bytes: Int) -> HostTime? {
        let now = loop.time
        return state.withLock { state in
            guard let bytesPerSecond = state.bytesPerSecond else { return nil }
            let cost = Int64(saturating: Double(bytes) / Double(bytesPerSecond) * 1e9)
            state.paidUntil = max(state.paidUntil, now - 100_000_000) + cost
            return state.paidUntil > now ? state.paidUntil : nil
        }
    }

    private static func valid(_ bytesPerSecond: Int64?) -> Int64? { bytesPerSecond.flatMap { $0 > 0 ? $0 : nil } }
}
