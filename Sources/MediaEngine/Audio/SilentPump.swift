import MediaCore

/// Ticks for an output that has not even a thread of libpulse's: the system refused it its pipe or memory.
///
/// Otherwise libpulse's thread does this work, for all outputs (`AudioOutput.tick`).
final class SilentPump: @unchecked Sendable {
    // Everything mutable is guarded by `monitor`.
    private let monitor = Monitor()
    private let condition: Monitor.Condition
    private var due = HostTime.max
    private var isClosed = false
    private var thread: WorkerThread?

    /// - Parameter tick: called with the monitor locked.
    init(tick: @escaping @Sendable () -> Void) {
        condition = Monitor.Condition(monitor)
        thread = WorkerThread(name: "zt-silence") { [monitor, condition, weak self] in
            monitor.lock()
            defer { monitor.unlock() }
            while let self, !isClosed {
                if due == .max {
                    condition.wait()
                } else if HostTime.now() < due {
                    condition.wait(until: due)
                } else {
                    due = .max
                    tick()
                }
            }
        }
    }

    /// Runs `body` with the monitor locked.
    func locked<T>(_ body: () -> T) -> T { monitor.withLock(body) }

    /// The next tick; `.max`: none. With the monitor locked.
    func set(_ hostTime: HostTime) {
        due = hostTime
        condition.signal()
    }

    /// With the monitor unlocked. No tick runs after this.
    func close() {
        monitor.withLock {
            isClosed = true
            condition.signal()
        }
        thread?.join()
        thread = nil
    }
}
