import Foundation
import MediaCore

/// Where requests run and time passes. Everything about a stream happens on one loop, one thing after the
/// other: its state needs no locks, and its type says so by `@NetworkActor`. The real loop is `HTTPClient.shared`, a
/// thread over libcurl; tests bring one with a clock and a network of their own.
package protocol NetworkLoop: AnyObject, Sendable {
    /// The machine's, or a test's. Any thread.
    var time: HostTime { get }

    /// Runs `work` on the loop, soon, in order. Any thread.
    func perform(_ work: @escaping @NetworkActor () -> Void)

    /// Runs `work` on the loop at or after `time`. Any thread.
    @discardableResult
    func schedule(at time: HostTime, _ work: @escaping @NetworkActor () -> Void) -> any NetworkTimer

    /// Begins a request. Callbacks come on the loop, never before this has returned, and `onEnd` exactly
    /// once unless the task is cancelled; after `cancel()` on the loop none comes at all. Any thread.
    func start(_ request: HTTPRequest, _ callbacks: HTTPCallbacks) -> any HTTPTask
}

extension NetworkLoop {
    /// The loop's time in plain nanoseconds, for those whose own times are numbers.
    package var now: Int64 { time.nanoseconds }

    /// - Parameter time: of `now`.
    @discardableResult
    package func schedule(at time: Int64, _ work: @escaping @NetworkActor () -> Void) -> any NetworkTimer {
        schedule(at: HostTime(nanoseconds: time), work)
    }
}

package protocol NetworkTimer: AnyObject, Sendable {
    func cancel()
}

package protocol HTTPTask: AnyObject, Sendable {
    func cancel()
    /// While paused no bytes are delivered and, once the socket's buffers are full, none are sent.
    func setPaused(_ paused: Bool)
}

package struct HTTPCallbacks: Sendable {
    /// The final response, after redirects; not for a status that is no success (that is an `HTTPError`).
    package var onResponse: @NetworkActor (HTTPResponse) -> Void
    /// Bytes of the body, content codings undone; valid only during the call.
    package var onBytes: @NetworkActor (UnsafeRawBufferPointer) -> Void
    package var onEnd: @NetworkActor (Result<HTTPMetrics, HTTPError>) -> Void
    /// The title of what an internet radio plays, again with each change; nil: the server is not asked for titles.
    package var onTitle: (@NetworkActor (String) -> Void)?

    package init(
        onResponse: @escaping @NetworkActor (HTTPResponse) -> Void = { _ in },
        onBytes: @escaping @NetworkActor (UnsafeRawBufferPointer) -> Void,
        onEnd: @escaping @NetworkActor (Result<HTTPMetrics, HTTPError>) -> Void,
        onTitle: (@NetworkActor (String) -> Void)? = nil
    ) {
        self.onTitle = onTitle
        self.onResponse = onResponse
        self.onBytes = onBytes
        self.onEnd = onEnd
    }
}
