import Dispatch

/// The global actor of all downloads in the process: one serial queue, `zt-downloads`. The files and databases of
/// libraries are also written on this queue.
///
/// Blocks and tasks run in the order in which they were enqueued; their priorities have no effect.
@globalActor
actor DownloadActor {
    static let shared = DownloadActor()
    private static let queue = DispatchQueue(label: "zt-downloads", qos: .utility)
    private static let executor = Executor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { DownloadActor.executor.asUnownedSerialExecutor() }

    /// Runs `body` after everything that was enqueued before, without waiting. Any thread.
    static func enqueue(_ body: @escaping @DownloadActor () -> Void) { queue.async { isolated(body) } }

    /// Runs `body` after everything that was enqueued before, and waits for its result. Any thread except the queue's
    /// own.
    static func sync<Value: Sendable, Failure: Error>(_ body: @DownloadActor () throws(Failure) -> Value)
        throws(Failure) -> Value
    {
        let result: Result<Value, Failure> = queue.sync {
            isolated { () -> Result<Value, Failure> in
                do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
            }
        }
        return try result.get()
    }

    /// Calls `body` on the queue.
    ///
    /// The compiler does not know that a closure runs on the queue of the actor. The isolation is therefore checked at
    /// run time, as `MainActor.assumeIsolated` does, before it is removed from the closure's type.
    private static func isolated<Value>(_ body: @DownloadActor () -> Value) -> Value {
        shared.preconditionIsolated()
        return withoutActuallyEscaping(body) { unsafeBitCast($0, to: (() -> Value).self)() }
    }

    private final class Executor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
        func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
    }
}
