import Foundation

/// A named thread. Whoever starts it waits for its end on close (`join`), or lets go of it at once (`detach`): what is
/// neither keeps its stack for as long as the process lives.
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

    /// - Parameters:
    ///   - name: at most 15 bytes, as the kernel keeps no more.
    ///   - isUrgent: it brings sound, see `ThreadUrgency`.
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

    /// Runs `body` on a thread that nobody waits for; on one of the system's where it gives us none.
    package static func detached(name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = WorkerThread(name: name, body)
        if thread.isStarted { thread.detach() } else { DispatchQueue.global().async(execute: body) }
    }

    /// Whether the system gave us a thread at all.
    package var isStarted: Bool { started }

    /// Waits for the end. Call once, and not after `detach`.
    package func join() {
        if started { pthread_join(handle, nil) }
    }

    /// Nobody waits for its end, which it finds by itself: what it holds goes with it. Call once; it may have ended
    /// already.
    package func detach() {
        if started { pthread_detach(handle) }
    }
}
