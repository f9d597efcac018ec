import Glibc

/// The isolation of code that runs on a network loop: on `zt-net`, or on the thread that runs a test's loop.
///
/// A `NetworkLoop` calls what it is handed on this actor, so such code is never called from another thread, and what it
/// calls in turn runs at once. A process has one loop; a test that makes others gives each of them objects of its own.
@globalActor
package actor NetworkActor {
    package static let shared = NetworkActor()

    private static let executor = LoopExecutor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// Not nil on threads that run a loop.
    private static let mark = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Whether this thread runs a network loop now.
    package static var isCurrent: Bool { pthread_getspecific(mark) != nil }

    /// Runs `body` as the work of a network loop, on this thread. Only a `NetworkLoop` calls it.
    package static func runLoop<Result>(_ body: @NetworkActor () throws -> Result) rethrows -> Result {
        let before = pthread_getspecific(mark)
        pthread_setspecific(mark, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(mark, before) }
        return try assumeIsolated(body)
    }

    /// Runs `body` at once, for code that the compiler doesn't know to be on the loop. Ends the program when called
    /// from another thread, as `MainActor.assumeIsolated` does.
    package static func assumeIsolated<Result>(_ body: @NetworkActor () throws -> Result) rethrows -> Result {
        precondition(isCurrent, "this code must run on the network loop")
        // What `MainActor.assumeIsolated` does too: an actor's synchronous function is called like any other one.
        return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: (() throws -> Result).self)() }
    }

    /// Puts what tasks do on the actor into the process's loop.
    private final class LoopExecutor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            HTTPClient.shared.perform { job.runSynchronously(on: NetworkActor.shared.unownedExecutor) }
        }

        func isIsolatingCurrentContext() -> Bool? { NetworkActor.isCurrent }
        func checkIsolated() { precondition(NetworkActor.isCurrent, "this code must run on the network loop") }
    }
}
