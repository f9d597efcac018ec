/// Empties the ring at its own rate by the monotonic clock, when nothing else does.
///
/// A thread of its own, parked while not needed; with it everything upstream goes on without a server.
final class SilentPump: @unchecked Sendable {
    // Everything mutable is guarded by `monitor`.
    private let ring: PCMRing
    private let position: HeardPosition
    private let rate: Double
    private let monitor = Monitor()
    private let condition: Monitor.Condition
    private var isRunning = false
    private var isClosed = false
    private var thread: WorkerThread?

    init(ring: PCMRing, position: HeardPosition, sampleRate: Int) {
        self.ring = ring
        self.position = position
        rate = Double(sampleRate)
        condition = Monitor.Condition(monitor)
    }

    func run() {
        monitor.withLock {
            guard !isClosed, !isRunning else { return }
            isRunning = true
            if thread == nil { thread = WorkerThread(name: "zt-silence") { [self] in pump() } }
            condition.signal()
        }
    }

    /// After this returns the pump does not touch the ring.
    func stop() { monitor.withLock { isRunning = false } }

    func close() {
        let ended = monitor.withLock { () -> WorkerThread? in
            isClosed = true
            isRunning = false
            condition.signal()
            defer { thread = nil }
            return thread
        }
        ended?.join()
    }

    private func pump() {
        monitor.lock()
        defer { monitor.unlock() }
        while !isClosed {
            guard isRunning else {
                condition.wait()
                continue
            }
            // What should have been heard by now is taken out; the ring may hold less.
            let due = Int(position.frames(at: HostClock.now(), limit: .max)) - ring.readFrames
            if due > 0 {
                let got = ring.read(into: nil, frames: due)
                // A ring that has run dry holds time, as a device would.
                if got < due { position.jump(to: Double(ring.readFrames)) }
            }
            condition.wait(until: HostClock.now() + 20_000_000)
        }
    }
}
