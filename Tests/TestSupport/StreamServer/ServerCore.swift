import Foundation
import MediaCore

/// The state that the listener, the connections and the tests share.
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

    /// Returns an answer from the newest handler that has one, otherwise from the built-in paths, otherwise from the
    /// files.
    func answer(_ request: ServerRequest, _ context: ServerContext) throws -> ServerResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .status(405, headers: ["Allow": "GET, HEAD"])
        }
        for handler in state.read({ $0.handlers }).reversed() where fnmatch(handler.pattern, request.path, 0) == 0 {
            if let answer = try handler.answer(request, context) { return answer }
        }
        return BuiltInAnswers.answer(request) ?? files?.answer(request) ?? .status(404)
    }

    /// Makes every waiting connection check its condition again.
    func wakeAll() { for socket in state.read({ $0.connections.values.map(\.socket) }) { socket.wake() } }

    /// Serves a connection on a separate thread with the given name, and joins the threads that have ended.
    func serve(_ fd: Int32, thread name: String) {
        guard let socket = ServerSocket(fd) else {
            close(fd)
            return
        }
        state.withLock { state in
            guard state.isUp else { return socket.close(reset: true) }
            state.lastConnection += 1
            let number = state.lastConnection
            // The ending thread needs the lock that is held here. It therefore always finds its entry in the table.
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

    /// Resets every connection and waits until their threads have ended. New connections are refused until `raise` is
    /// called.
    func cutAll() {
        let open = state.withLock { state in
            state.isUp = false
            return Array(state.connections.values)
        }
        for one in open { one.socket.cut() }
        // Each thread moves itself to `finished` before it ends. Joining the threads in `open` would join them twice.
        state.wait { $0.connections.isEmpty ? () : nil }
        joinFinished()
    }

    func raise() { state.withLock { $0.isUp = true } }
}

/// The access of a handler to its connection.
package struct ServerContext: Sendable {
    let socket: ServerSocket

    /// Delays the answer until `condition` is true, for example for a blocking reload. The condition is checked again
    /// after each `StreamServer.wake()`.
    ///
    /// - Parameter seconds: The maximum delay.
    /// - Returns: False if the time ends first.
    /// - Throws: An error if the client or the server has closed the connection. The handler must rethrow it.
    @discardableResult
    package func wait(seconds: Double, _ condition: () -> Bool) throws -> Bool {
        try socket.wait(until: HostClock.now() + Int64(min(seconds, 1e9) * 1e9), condition)
    }
}
