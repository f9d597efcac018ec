import Foundation

/// A named thread. The code that starts it must either wait for its end (`join`) or detach it (`detach`). Otherwise the
/// thread's stack is not freed until the process ends.
package final class WorkerThread: Sendable {
    private let handle: pthread_t
    private let started: Bool

    private final class Body: Sendable {
        let name: String
        let isUrgent: Bool
        let run: @Sendable () -> Void
        init(name: String, isUrgent: Bool, run: @escaping @Sendable () -> Void) {
            (self.name, self.isUrgent, self.run) = (name, isUrgent, run)
        }
    }

    /// Starts a thread.
    /// - Parameters:
    ///   - name: The name, at most 15 bytes, because the kernel stores no more.
    ///   - isUrgent: Whether the thread produces audio (see `ThreadUrgency`).
    package init(name: String, isUrgent: Bool = false, _ run: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(Body(name: name, isUrgent: isUrgent, run: run))
        var fresh = pthread_t()
        let rc = pthread_create(
            &fresh, nil,
            { raw in
                guard let raw else { return nil }
                let body = Unmanaged<Body>.fromOpaque(raw).takeRetainedValue()
                Thread.current.name = body.name
                if body.isUrgent { ThreadUrgency.raise() }
                body.run()
                return nil
            }, body.toOpaque())
        started = rc == 0
        handle = fresh
        if !started { body.release() }
    }

    /// Runs `body` on a detached thread, or on a global dispatch queue if the system cannot create a thread.
    package static func detached(name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = WorkerThread(name: name, body)
        if thread.isStarted { thread.detach() } else { DispatchQueue.global().async(execute: body) }
    }

    /// Whether the system has created the thread.
    package var isStarted: Bool { started }

    /// Waits for the end of the thread. Must be called at most once, and not after `detach`.
    package func join() {
        if started { pthread_join(handle, nil) }
    }

    /// Detaches the thread, so that its resources are freed when it ends. Must be called at most once. The thread may
    /// already have ended.
    package func detach() {
        if started { pthread_detach(handle) }
    }
}
