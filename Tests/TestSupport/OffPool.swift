import Foundation

/// Runs `body`, which blocks, on a separate thread.
///
/// Swift's thread pool has as many threads as the machine has cores. Two tests that wait for a process in the pool
/// would delay every `Task.sleep` in the program, including those on the main actor.
public func offPool<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
