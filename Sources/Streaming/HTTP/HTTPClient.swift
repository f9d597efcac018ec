import CCurl
import Foundation
import MediaCore
import Synchronization

/// The network loop of the process: one thread, `zt-net`, which runs libcurl's multi interface.
///
/// The thread starts with the first call. It sleeps in `poll` until a socket, a timer or another thread needs it, so an
/// idle loop costs nothing. The first http or https request loads libcurl.
///
/// Every request follows up to 10 redirects and shares cookies, which stay in memory until the process ends. Proxies
/// come from `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, as libcurl reads them. TLS certificates are
/// verified against those of the system. HTTP/2 is used if the server offers it during the TLS handshake, else
/// HTTP/1.1. Connections are reused. The loop serves `file:` and `data:` URLs itself. Any other scheme is left to
/// the request's `HTTPOptions.custom`, or fails with `.unsupportedURL`.
package final class HTTPClient: NetworkLoop {
    package static let shared = HTTPClient()

    private struct Inbox {
        var work: [@NetworkActor () -> Void] = []
        var timers = TimerQueue()
        var isRunning = false
        /// Whether the process is exiting. No more work is done then.
        var isEnding = false
        /// Whether the loop is waiting between two rounds. New work needs a system call only then, to wake the loop.
        var sleeps = false
    }
    private let inbox = Mutex(Inbox())
    private let wakeDescriptor: Int32
    /// Whether the loop no longer calls any library, because the process is exiting.
    private let hasParked = Locked(false)
    private let loopThread = Atomic<UInt>(0)
    @NetworkActor private var engine: CurlEngine?
    private let clock: @Sendable () -> Int64

    /// Creates a loop, whose thread starts with the first call.
    /// - Parameter clock: A clock for tests, in nanoseconds. After moving it, the test wakes the loop with `perform`.
    ///   The loop's thread never ends.
    package init(clock: @escaping @Sendable () -> Int64 = { HostClock.now() }) {
        self.clock = clock
        wakeDescriptor = zt_wake_descriptor()
    }

    package var time: HostTime { HostTime(nanoseconds: clock()) }

    /// Starts the thread if it is not running. Any thread.
    ///
    /// A thread inherits the nice value of the thread that starts it. A program that makes its requests on threads of
    /// low priority therefore calls this function first, on a thread of normal priority.
    package func begin() { enqueue { _ in false } }

    package func perform(_ work: @escaping @NetworkActor () -> Void) {
        enqueue { inbox in
            inbox.work.append(work)
            return true
        }
    }

    @discardableResult
    package func schedule(at time: HostTime, _ work: @escaping @NetworkActor () -> Void) -> any NetworkTimer {
        let timer = LoopTimer(time: time, work: work)
        enqueue { $0.timers.insert(timer) }
        return timer
    }

    package func start(_ request: HTTPRequest, _ callbacks: HTTPCallbacks) -> any HTTPTask {
        if let copy = request.options.copies?.copy(for: request) {
            let transfer = LocalTransfer(request, callbacks, loop: self, copy: copy)
            perform { transfer.begin() }
            return transfer
        }
        switch request.url.scheme?.lowercased() {
        case "http", "https":
            let transfer = CurlTransfer(request, callbacks, client: self)
            perform { transfer.begin() }
            return transfer
        default:
            if let source = request.options.custom?.source, source.loads(request.url) {
                return source.start(request, callbacks, on: self)
            }
            let transfer = LocalTransfer(request, callbacks, loop: self)
            perform { transfer.begin() }
            return transfer
        }
    }

    /// Returns the engine, which it creates on the first call, or nil if libcurl is missing.
    @NetworkActor func requireEngine() -> CurlEngine? {
        if engine == nil {
            engine = CurlLibrary.shared.flatMap { CurlEngine(library: $0, wakeDescriptor: wakeDescriptor, loop: self) }
            // Registered again, so that this handler runs before those that the libraries have just registered.
            stopAtExit()
        }
        return engine
    }

    // MARK: the end of the process

    /// Registers a handler that stops the loop when the process exits.
    ///
    /// `exit`, and a return from `main`, shut down libraries that libcurl uses (GnuTLS, OpenSSL) while other threads
    /// still run. The loop must have left those libraries by then. Handlers run in reverse order of registration, and
    /// before the destructors of the libraries.
    private func stopAtExit() { atexit { HTTPClient.shared.park() } }

    /// Stops the loop permanently and waits, for two seconds at most, until it has left all libraries. Pending work is
    /// dropped without notice.
    private func park() {
        guard !isOnLoop else { return }
        let isIdle = inbox.withLock { inbox in
            inbox.isEnding = true
            return !inbox.isRunning
        }
        if isIdle { return }
        wake()
        _ = hasParked.wait(until: .now() + 2_000_000_000) { $0 ? true : nil }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }

    // MARK: the loop

    /// Adds work for the loop, and starts or wakes the thread if required.
    /// - Parameter body: Adds the work. Returns whether the loop must process it before it would wake by itself.
    private func enqueue(_ body: (inout Inbox) -> Bool) {
        let (mustWake, mustStart) = inbox.withLock { inbox in
            let isUrgent = body(&inbox)
            if inbox.isEnding { return (false, false) }
            let mustStart = !inbox.isRunning
            inbox.isRunning = true
            let mustWake = isUrgent && inbox.sleeps
            if mustWake { inbox.sleeps = false }
            return (mustWake, mustStart)
        }
        if mustStart {
            stopAtExit()
            let thread = WorkerThread(name: "zt-net") { [self] in NetworkActor.runLoop { run() } }
            // The thread could not be created; the next call tries again.
            if !thread.isStarted { inbox.withLock { $0.isRunning = false } }
        }
        if mustWake { wake() }
    }

    var isOnLoop: Bool { loopThread.load(ordering: .relaxed) == pthread_self() }

    @NetworkActor private func run() {
        loopThread.store(pthread_self(), ordering: .relaxed)
        zt_block_sigpipe()
        while !isEnding {
            let work = inbox.withLock { inbox in
                defer { inbox.work.removeAll(keepingCapacity: inbox.work.capacity < 1024) }
                return inbox.work
            }
            for body in work where !isEnding { body() }
            // Sockets are read before timers judge a silence. If the process was stopped or swapped out, data may be
            // waiting unread.
            if !isEnding { engine?.advance() }
            if fireTimers(), !isEnding { engine?.advance() }
            sleep()
        }
        hasParked.withLock { $0 = true }
        // The function never returns, because the end of a thread calls into libraries too.
        while true { pause() }
    }

    /// Runs the timers that are due. Returns whether there was at least one.
    @NetworkActor private func fireTimers() -> Bool {
        var hasFired = false
        while !isEnding, let timer = inbox.withLock({ $0.timers.popDue(at: time) }) {
            timer.fire()
            hasFired = true
        }
        return hasFired
    }

    private var isEnding: Bool { inbox.withLock { $0.isEnding } }

    /// The longest wait while data is being received, in milliseconds, because libcurl can hold bytes while its sockets
    /// are empty (see `CurlSockets`).
    private static let longestSleep: Int32 = 100

    @NetworkActor private func sleep() {
        let timeout: Int32? = inbox.withLock { inbox in
            guard inbox.work.isEmpty, !inbox.isEnding else { return nil }
            guard let next = inbox.timers.nextTime() else {
                inbox.sleeps = true
                return -1
            }
            let wait = next - time
            guard wait > 0 else { return nil }
            inbox.sleeps = true
            // Rounded up, so that a timer never fires early.
            return Int32(clamping: wait.addingSaturating(999_999) / 1_000_000)
        }
        guard let timeout else { return }
        let wasWoken: Bool
        // While all transfers are paused, libcurl 8.14 asks to be called again and again.
        if let engine, engine.isReceiving {
            let longest = HTTPClient.longestSleep
            wasWoken = engine.wait(milliseconds: timeout < 0 ? longest : min(timeout, longest))
        } else {
            var descriptor = pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)
            wasWoken = poll(&descriptor, 1, timeout) > 0
        }
        inbox.withLock { $0.sleeps = false }
        if wasWoken {
            var count: UInt64 = 0
            _ = read(wakeDescriptor, &count, 8)
        }
    }
}
