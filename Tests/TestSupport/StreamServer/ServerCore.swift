import Foundation
import MediaCore

/// What the listener, the connections and the tests share.
final class ServerCore: @unchecked Sendable {
    struct Handler {
        let pattern: String
        let answer: StreamServer.Handler
    }

    let log = ServerLog()
    let rules = FaultRules()
    private let files: FileAnswers?

    // From here on guarded by the lock.
    private let lock = Monitor()
    private let hasEnded: Monitor.Condition
    private var handlers: [Handler] = []
    private var pacer: Pacer?
    private var connections: [Int: (socket: ServerSocket, thread: WorkerThread)] = [:]
    private var finished: [WorkerThread] = []
    private var lastConnection = 0
    private var isUp = true

    init(root: URL?) {
        files = root.map(FileAnswers.init)
        hasEnded = Monitor.Condition(lock)
    }

    var network: Pacer? { lock.withLock { pacer } }
    var connectionCount: Int { lock.withLock { lastConnection } }
    var openConnectionCount: Int { lock.withLock { connections.count } }

    func setNetwork(_ throughput: Throughput?) {
        lock.withLock {
            if let throughput, let pacer { pacer.set(throughput) } else { pacer = throughput.map(Pacer.init) }
        }
        wakeAll()
    }

    func add(_ handler: Handler) { lock.withLock { handlers.append(handler) } }

    /// The newest handler that answers, then the built-in paths, then the files.
    func answer(_ request: ServerRequest, _ context: ServerContext) throws -> ServerResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .status(405, headers: ["Allow": "GET, HEAD"])
        }
        for handler in lock.withLock({ handlers }).reversed() where fnmatch(handler.pattern, request.path, 0) == 0 {
            if let answer = try handler.answer(request, context) { return answer }
        }
        return BuiltInAnswers.answer(request) ?? files?.answer(request) ?? .status(404)
    }

    /// Every waiting connection looks again at what it waits for.
    func wakeAll() { for socket in lock.withLock({ connections.values.map(\.socket) }) { socket.wake() } }

    /// Serves a connection on a thread of its own, of this name, and joins those that have ended.
    func serve(_ fd: Int32, thread name: String) {
        guard let socket = ServerSocket(fd) else {
            close(fd)
            return
        }
        lock.withLock {
            guard isUp else { return socket.close(reset: true) }
            lastConnection += 1
            let number = lastConnection
            // The thread's end takes the lock, so it finds itself in the table.
            let thread = WorkerThread(name: name) { [self] in
                ServerConnection(core: self, socket: socket, number: number).run()
                ended(number)
            }
            if thread.isStarted { connections[number] = (socket, thread) } else { socket.close(reset: true) }
        }
        joinFinished()
    }

    private func ended(_ number: Int) {
        lock.withLock {
            if let thread = connections.removeValue(forKey: number)?.thread { finished.append(thread) }
            hasEnded.broadcast()
        }
    }

    private func joinFinished() {
        let threads = lock.withLock {
            defer { finished = [] }
            return finished
        }
        for thread in threads { thread.join() }
    }

    /// Resets every connection and waits until their threads have ended; none is served until `raise`.
    func cutAll() {
        let open = lock.withLock {
            isUp = false
            return Array(connections.values)
        }
        for one in open { one.socket.cut() }
        // Each thread moves itself to `finished` before it ends; joining by `open` would join it twice.
        lock.withLock { while !connections.isEmpty { hasEnded.wait() } }
        joinFinished()
    }

    func raise() { lock.withLock { isUp = true } }
}

/// What a handler may ask of the connection it answers on.
package struct ServerContext: Sendable {
    let socket: ServerSocket

    /// Holds the answer back until `condition` holds (blocking reload), looked at again after each
    /// `StreamServer.wake()`, at most `seconds`.
    ///
    /// - Returns: false when the time passed first.
    /// - Throws: when the client or the server has gone; to be passed on.
    @discardableResult
    package func wait(seconds: Double, _ condition: () -> Bool) throws -> Bool {
        try socket.wait(until: HostClock.now() + Int64(min(seconds, 1e9) * 1e9), condition)
    }
}
