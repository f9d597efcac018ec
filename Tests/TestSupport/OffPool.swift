import Foundation

/// Runs `body`, which blocks, on a thread of its own.
///
/// Swift's pool has as many threads as the machine has cores. Two tests that wait for a process on it
/// would hold up every `Task.sleep` in the program, also those of the main actor.
public func offPool<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
