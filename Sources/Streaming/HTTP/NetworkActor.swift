import Glibc

/// The isolation of code that runs on a network loop: on `zt-net`, or on the thread that runs a test's loop.
///
/// A `NetworkLoop` runs its work on this actor, so such code never runs on another thread. Functions of the actor call
/// each other synchronously. A process has one loop. A test that creates other loops gives each of them its own
/// objects.
@globalActor
package actor NetworkActor {
    package static let shared = NetworkActor()

    private static let executor = LoopExecutor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// The key of a thread-specific value, which is not nil on threads that run a loop.
    private static let loopKey = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Whether the current thread is running a network loop.
    package static var isCurrent: Bool { pthread_getspecific(loopKey) != nil }

    /// Runs `body` as the work of a network loop on the current thread. Only a `NetworkLoop` may call this.
    package static func runLoop<Result>(_ body: @NetworkActor () throws -> Result) rethrows -> Result {
        let outerValue = pthread_getspecific(loopKey)
        pthread_setspecific(loopKey, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(loopKey, outerValue) }
        return try assumeIsolated(body)
    }

    /// Runs `body` synchronously, for code on the loop whose isolation the compiler can't see. Called from another
    /// thread, it ends the program, as `MainActor.assumeIsolated` does.
    package static func assumeIsolated<Result>(_ body: @NetworkActor () throws -> Result) rethrows -> Result {
        precondition(isCurrent, "this code must run on the network loop")
        // `MainActor.assumeIsolated` does the same: a synchronous function of an actor is called like any other
        // function.
        return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: (() throws -> Result).self)() }
    }

    /// The executor that runs the actor's tasks on the process's loop.
    private final class LoopExecutor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            HTTPClient.shared.perform { job.runSynchronously(on: NetworkActor.shared.unownedExecutor) }
        }

        func isIsolatingCurrentContext() -> Bool? { NetworkActor.isCurrent }
        func checkIsolated() { precondition(NetworkActor.isCurrent, "this code must run on the network loop") }
    }
}
