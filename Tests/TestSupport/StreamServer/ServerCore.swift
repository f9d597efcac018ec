import Foundation
import MediaCore

/// What the listener, the connections and the tests share.
final class ServerCore: Sendable {
    struct Handler {
        let pattern: String
        let answer: StreamServer.Handler
    }

    let log = ServerLog()
    let rules = FaultRules()
    private let files: FileAnswers?

    private struct State {
        var handlers: [Handler] = []
        var pacer: Pacer?
        var connections: [Int: (socket: ServerSocket, thread: WorkerThread)] = [:]
        var finished: [WorkerThread] = []
        var lastConnection = 0
        var isUp = true
    }
    private let state = Locked(State())

    init(root: URL?) {
        files = root.map(FileAnswers.init)
    }

    var network: Pacer? { state.read { $0.pacer } }
    var connectionCount: Int { state.read { $0.lastConnection } }
    var openConnectionCount: Int { state.read { $0.connections.count } }

    func setNetwork(_ throughput: Throughput?) {
        state.withLock { state in
            if let throughput, let pacer = state.pacer {
                pacer.set(throughput)
            } else {
                state.pacer = throughput.map(Pacer.init)
            }
        }
        wakeAll()
    }

    func add(_ handler: Handler) { state.withLock { $0.handlers.append(handler) } }

    /// The newest handler that answers, then the built-in paths, then the files.
    func answer(_ request: ServerRequest, _ context: ServerContext) throws -> ServerResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .status(405, headers: ["Allow": "GET, HEAD"])
        }
        for handler in state.read({ $0.handlers }).reversed() where fnmatch(handler.pattern, request.path, 0) == 0 {
            if let answer = try handler.answer(request, context) { return answer }
        }
        return BuiltInAnswers.answer(request) ?? files?.answer(request) ?? .status(404)
    }

    /// Every waiting connection looks again at what it waits for.
    func wakeAll() { for socket in state.read({ $0.connections.values.map(\.socket) }) { socket.wake() } }

    /// Serves a connection on a thread of its own, of this name, and joins those that have ended.
    func serve(_ fd: Int32, thread name: String) {
        guard let socket = ServerSocket(fd) else {
            close(fd)
            return
        }
        state.withLock { state in
            guard state.isUp else { return socket.close(reset: true) }
            state.lastConnection += 1
            let number = state.lastConnection
            // The thread's end takes the lock, so it finds itself in the table.
            let thread = WorkerThread(name: name) { [self] in
                ServerConnection(core: self, socket: socket, number: number).run()
                ended(number)
            }
            if thread.isStarted { state.connections[number] = (socket, thread) } else { socket.close(reset: true) }
        }
        joinFinished()
    }

    private func ended(_ number: Int) {
        state.withLock { state in
            if let thread = state.connections.removeValue(forKey: number)?.thread { state.finished.append(thread) }
        }
    }

    private func joinFinished() {
        let threads = state.withLock { state in
            defer { state.finished = [] }
            return state.finished
        }
        for thread in threads { thread.join() }
    }

    /// Resets every connection and waits until their threads have ended; none is served until `raise`.
    func cutAll() {
        let open = state.withLock { state in
            state.isUp = false
            return Array(state.connections.values)
        }
        for one in open { one.socket.cut() }
        // Each thread moves itself to `finished` before it ends; joining by `open` would join it twice.
        state.wait { $0.connections.isEmpty ? () : nil }
        joinFinished()
    }

    func raise() { state.withLock { $0.isUp = true } }
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
