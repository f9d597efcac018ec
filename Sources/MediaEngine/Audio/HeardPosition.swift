import Synchronization

/// The ring position being heard, as a smooth function of host time.
///
/// The server's timing reports jitter by milliseconds; pictures timed by them directly would stutter.
/// So the position runs with the host clock and is drawn slowly toward the reports; only when it is off
/// by more than 40 ms it is set. Never runs back while running.
final class HeardPosition: Sendable {
    private struct State {
        var frames = 0.0
        var host: Int64 = 0
        var isRunning = false
        var told = 0.0
        var corrections = 0
        /// A device takes a moment to begin: until its first report, or this host time, position stands.
        var waitsUntil: Int64 = 0
    }
    private let state = Mutex(State())
    private let rate: Double

    init(sampleRate: Int) { rate = Double(sampleRate) / 1e9 }

    private func now(_ s: State, _ host: Int64) -> Double {
        guard s.isRunning else { return s.frames }
        if s.corrections == 0, s.waitsUntil > 0 { return s.frames + Double(max(0, host - s.waitsUntil)) * rate }
        return s.frames + Double(host - s.host) * rate
    }

    func frames(at host: Int64, limit: Int) -> Double {
        state.withLock { s in
            let value = min(now(s, host), Double(limit))
            // Asked for a moment ahead (a display's next tick) it may tell more without having heard it.
            if value < s.told, s.told - value < 0.1 * rate * 1e9 { return min(s.told, Double(limit)) }
            s.told = value
            return value
        }
    }

    /// - Parameter isReported: a device will report; without one (the silent pump) time runs at once.
    func run(isReported: Bool, host: Int64 = HostClock.now()) {
        state.withLock { s in
            s.frames = now(s, host)
            s.waitsUntil = isReported ? host + 150_000_000 : 0
            s.host = host
            s.isRunning = true
            s.corrections = 0
        }
    }

    func stop(host: Int64 = HostClock.now()) {
        state.withLock { s in
            s.frames = max(now(s, host), s.told)
            s.host = host
            s.isRunning = false
        }
    }

    func jump(to frames: Double, host: Int64 = HostClock.now()) {
        state.withLock { s in
            s.frames = frames
            s.host = host
            s.told = frames
            s.corrections = 0
        }
    }

    /// A report: `heard` is being heard now.
    func correct(_ heard: Double, onlyForward: Bool, host: Int64 = HostClock.now()) {
        state.withLock { s in
            guard s.isRunning else { return }
            let expected = now(s, host)
            let error = heard - expected
            if onlyForward, error < 0 { return }
            s.corrections += 1
            // The first reports after a start say how long the device took to begin.
            let isOff = abs(error) > 0.040 * rate * 1e9
            s.frames = isOff || s.corrections < 4 ? heard : expected + error * 0.05
            s.host = host
        }
    }

    var hasMoved: Bool { state.withLock { $0.corrections > 3 } }
}
