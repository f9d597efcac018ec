import CCurl
import Foundation
import MediaCore
import Synchronization

/// The network loop of the process: one thread, `zt-net`, over libcurl's multi interface.
///
/// The thread starts with the first call and then sleeps in `poll` until a socket, a timer or another thread
/// has something for it: idle, it costs nothing. libcurl itself is loaded with the first http(s) request.
///
/// What it does for every request: up to 10 redirects; cookies kept in memory for the process; a proxy from
/// `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` (as libcurl reads them); TLS verified against the
/// system's certificates; HTTP/2 where the server offers it by TLS, else HTTP/1.1; connections kept and reused.
/// `file:` and `data:` URLs are answered by the loop itself; any other scheme ends in `.unsupportedURL`.
package final class HTTPClient: NetworkLoop {
    package static let shared = HTTPClient()

    private struct Inbox {
        var work: [@NetworkActor () -> Void] = []
        var timers = TimerQueue()
        var isRunning = false
        /// The process exits: nothing is done any more.
        var isEnding = false
        /// Between two rounds of the loop: only then does a newcomer cost a system call.
        var sleeps = false
    }
    private let inbox = Mutex(Inbox())
    private let wakeDescriptor: Int32
    /// Whether the loop has left all libraries, as the process exits.
    private let hasParked = Locked(false)
    private let loopThread = Atomic<UInt>(0)
    @NetworkActor private var engine: CurlEngine?
    private let clock: @Sendable () -> Int64

    /// - Parameter clock: for a test, which then wakes the loop by `perform` after moving it. Nobody ends its thread.
    package init(clock: @escaping @Sendable () -> Int64 = { HostClock.now() }) {
        self.clock = clock
        wakeDescriptor = zt_wake_descriptor()
    }

    package var time: HostTime { HostTime(nanoseconds: clock()) }

    /// Begins the thread, if it has not begun yet. For those whose own threads are nice: one begun by them is no less
    /// so.
    package func begin() { hand { _ in false } }

    package func perform(_ work: @escaping @NetworkActor () -> Void) {
        hand { inbox in
            inbox.work.append(work)
            return true
        }
    }

    @discardableResult
    package func schedule(at time: HostTime, _ work: @escaping @NetworkActor () -> Void) -> any NetworkTimer {
        let timer = LoopTimer(time: time, work: work)
        hand { $0.timers.insert(timer) }
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
            let transfer = LocalTransfer(request, callbacks, loop: self)
            perform { transfer.begin() }
            return transfer
        }
    }

    /// libcurl's side, on the loop; nil when there is no libcurl.
    @NetworkActor func requireEngine() -> CurlEngine? {
        if engine == nil {
            engine = CurlLibrary.shared.flatMap { CurlEngine(library: $0, wakeDescriptor: wakeDescriptor, loop: self) }
            // Once more, before whatever the libraries have registered.
            stopAtExit()
        }
        return engine
    }

    // MARK: the process's end

    /// `exit`, and a return from `main`, end libraries that libcurl calls (GnuTLS, OpenSSL) while other threads still
    /// run: the loop has to be out of them by then. Handlers run in the reverse order of their registration, and before
    /// the libraries' own destructors.
    private func stopAtExit() { atexit { HTTPClient.shared.park() } }

    /// Ends the loop for good and waits until it has left all libraries, two seconds at most. Nothing that was handed
    /// to it is done any more, and nobody told.
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

    /// - Parameter body: puts something in; returns whether the loop has to look at it before it would wake by itself.
    private func hand(_ body: (inout Inbox) -> Bool) {
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
            // Out of threads: the next call tries again.
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
            for piece in work where !isEnding { piece() }
            // Before timers judge a silence: what came while the loop itself was held up (stopped, swapped out) lies in
            // the sockets unread.
            if !isEnding { engine?.advance() }
            if fireTimers(), !isEnding { engine?.advance() }
            sleep()
        }
        hasParked.withLock { $0 = true }
        // Not returned from: a thread's end, too, calls into libraries.
        while true { pause() }
    }

    /// Those that are due; whether there were any.
    @NetworkActor private func fireTimers() -> Bool {
        var hasFired = false
        while !isEnding, let timer = inbox.withLock({ $0.timers.popDue(at: time) }) {
            timer.fire()
            hasFired = true
        }
        return hasFired
    }

    private var isEnding: Bool { inbox.withLock { $0.isEnding } }

    /// While something is received, milliseconds. Bytes may lie in libcurl although its sockets are empty: a TLS record
    /// brings the answers of two HTTP/2 streams, and the second one waits for a timeout of seconds (seen with 7.88).
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
            // Rounded up: a timer never fires early.
            return Int32(clamping: wait.addingSaturating(999_999) / 1_000_000)
        }
        guard let timeout else { return }
        let wasWoken: Bool
        if let engine, engine.isBusy {
            let longest = engine.isReceiving ? HTTPClient.longestSleep : 60_000
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
