import MediaCore

/// A loop that runs requests and timers.
///
/// Everything about a stream happens on one loop, one thing after the other. The state of a stream therefore needs no
/// locks, and its types are isolated to `NetworkActor`. The real loop is `HTTPClient.shared`, a thread that runs
/// libcurl. Tests use loops with their own clock and network.
package protocol NetworkLoop: AnyObject, Sendable {
    /// The current time of the machine's clock, or of a test's clock. Any thread.
    var time: HostTime { get }

    /// Runs `work` on the loop soon, in the order of the calls. Any thread.
    func perform(_ work: @escaping @NetworkActor () -> Void)

    /// Runs `work` on the loop, at `time` or later. Any thread.
    @discardableResult
    func schedule(at time: HostTime, _ work: @escaping @NetworkActor () -> Void) -> any NetworkTimer

    /// Starts a request. Any thread.
    ///
    /// Callbacks are called on the loop. If this function is called on the loop, it returns before the first callback;
    /// on another thread, the first callback may be earlier. `onEnd` is called exactly once, unless the task is
    /// canceled. After `cancel()` on the loop, no callback is called.
    func start(_ request: HTTPRequest, _ callbacks: HTTPCallbacks) -> any HTTPTask
}

extension NetworkLoop {
    /// The loop's time in nanoseconds, for code that keeps times as numbers.
    package var now: Int64 { time.nanoseconds }

    /// Runs `work` on the loop, at `time` or later. Any thread.
    /// - Parameter time: A time on the clock of `now`, in nanoseconds.
    @discardableResult
    package func schedule(at time: Int64, _ work: @escaping @NetworkActor () -> Void) -> any NetworkTimer {
        schedule(at: HostTime(nanoseconds: time), work)
    }
}

/// A scheduled call that can be canceled.
package protocol NetworkTimer: AnyObject, Sendable {
    /// Cancels the call. Has no effect once the call has begun. Any thread.
    func cancel()
}

/// A running request.
package protocol HTTPTask: AnyObject, Sendable {
    /// Cancels the request. Has no effect after the request has ended. Any thread.
    func cancel()
    /// Pauses or resumes the request. Any thread. While the request is paused, no bytes are delivered. When the
    /// socket's buffers are full, the server stops sending.
    func setPaused(_ paused: Bool)
}

/// The callbacks of a request.
package struct HTTPCallbacks: Sendable {
    /// Called with the final response, after redirects. A status outside 2xx is reported as an `HTTPError` instead.
    package var onResponse: @NetworkActor (HTTPResponse) -> Void
    /// Called with bytes of the body after decompression. The bytes are valid only during the call.
    package var onBytes: @NetworkActor (UnsafeRawBufferPointer) -> Void
    /// Called once at the end, with the measurements or the error.
    package var onEnd: @NetworkActor (Result<HTTPMetrics, HTTPError>) -> Void
    /// Called with the title that an internet radio plays, and again whenever it changes. nil requests no titles.
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
