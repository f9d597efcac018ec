import Foundation
import MediaCore
import Testing

/// An HTTP/1.1 server on the loopback, in the test's own process.
///
/// Of our own, over POSIX sockets and a thread for each connection:
/// - A library's server is made to send correct answers; the tests need resets in the middle of a body, lengths
///   that lie, heads that come a byte at a time.
/// - The threads are not Swift's: blocking tests hold the task pool, and a server on it would wait for its client.
///
/// Serves the files of a folder, handlers' answers for virtual paths, and the paths of `BuiltInAnswers`; knows
/// ranges, validators, HEAD and keep-alive. Everything may be called from any thread.
package final class StreamServer: @unchecked Sendable {
    // `listener`, `holder` and `isClosed` are guarded by the lock; the rest is fixed and guards itself.
    private let core: ServerCore
    private let lock = NSLock()
    private var listener: ServerListener?
    private var holder: Int32 = -1
    private var isClosed = false
    /// The port in use, also while the cable is pulled.
    package let port: UInt16

    /// - Parameters:
    ///   - root: the folder whose files are served; nil: only what handlers answer.
    ///   - port: 0: any that is free.
    /// - Throws: `ServerFailed` when it cannot listen.
    package init(root: URL? = nil, port: UInt16 = 0) throws {
        core = ServerCore(root: root)
        let listener = try ServerListener(core: core, port: port)
        self.listener = listener
        self.port = listener.port
    }

    deinit { close() }

    package var url: URL { url(for: "") }

    /// - Parameter path: without a leading slash; may carry a query.
    package func url(for path: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)/\(path)") ?? URL(fileURLWithPath: "/")
    }

    // MARK: What is served

    package typealias Handler = @Sendable (ServerRequest, ServerContext) throws -> ServerResponse?

    /// Answers the paths of a shell pattern; the newest handler is asked first, nil leaves it to the next.
    ///
    /// The handler is called on the connection's thread and may block through its context. It need not care
    /// for ranges: of a 200 with a known length, what was asked for is sent. What it throws is answered 500.
    package func serve(_ pattern: String, _ answer: @escaping Handler) {
        core.add(ServerCore.Handler(pattern: pattern, answer: answer))
    }

    package func serve(_ pattern: String, _ answer: @escaping @Sendable (ServerRequest) -> ServerResponse?) {
        serve(pattern) { request, _ in answer(request) }
    }

    /// Handlers that wait look at their conditions again.
    package func wake() { core.wakeAll() }

    // MARK: What goes wrong

    /// From the next request on, until removed.
    @discardableResult
    package func inject(
        _ faults: Fault..., on pattern: String = "*", nth: ClosedRange<Int>? = nil,
        where condition: (@Sendable (ServerRequest) -> Bool)? = nil
    ) -> FaultRule.ID {
        core.rules.add(FaultRule(faults, on: pattern, nth: nth, where: condition))
    }

    @discardableResult
    package func inject(_ rule: FaultRule) -> FaultRule.ID { core.rules.add(rule) }

    /// No longer from the next request on; an answer that stalls under this rule goes on.
    package func remove(_ rule: FaultRule.ID) {
        core.rules.remove(rule)
        core.wakeAll()
    }

    package func removeAllFaults() {
        core.rules.removeAll()
        core.wakeAll()
    }

    /// How often a rule's pattern has matched; nil once it is removed.
    package func matches(_ rule: FaultRule.ID) -> Int? { core.rules.matches(rule) }

    /// What all connections share, heads included; nil: no limit. Takes effect at once, also on running answers.
    package func setNetwork(_ throughput: Throughput?) { core.setNetwork(throughput) }

    /// Resets every connection and refuses new ones, at the same port, until `plugCable()`.
    package func pullCable() {
        lock.withLock {
            guard let old = listener else { return }
            old.stop()
            core.cutAll()
            listener = nil
            // Bound but not listening: refuses, and nobody else gets the port meanwhile.
            holder = ServerListener.bind(port)?.fd ?? -1
        }
    }

    /// - Throws: `ServerFailed` when the port cannot be had again.
    package func plugCable() throws {
        try lock.withLock {
            guard listener == nil, !isClosed else { return }
            if holder >= 0 { Foundation.close(holder) }
            holder = -1
            core.raise()
            listener = try ServerListener(core: core, port: port)
        }
    }

    // MARK: What was asked for

    /// All requests, in the order of their arrival.
    package var requests: [ServedRequest] {
        let all = core.log.requests
        Sightings.note { Self.words(all) }
        return all
    }
    private static func words(_ all: [ServedRequest]) -> String {
        "\(all.count) requests, the last: \(all.suffix(12).map { "\($0.path) \($0.status ?? 0) \($0.outcome)" })"
    }

    /// Those whose path matches a shell pattern.
    package func requests(_ pattern: String) -> [ServedRequest] {
        requests.filter { fnmatch(pattern, $0.path, 0) == 0 }
    }

    /// TCP connections accepted so far, and those open now.
    package var connectionCount: Int { core.connectionCount }
    package var openConnectionCount: Int { core.openConnectionCount }

    /// Body bytes sent so far.
    package var bytesSent: Int64 { requests.reduce(0) { $0 + $1.bytesSent } }

    /// Waits until the log fulfils `condition`; false after `seconds`, with an issue that shows the log. Looked at
    /// whenever a request comes, goes on or ends.
    package func wait(
        _ expected: String? = nil, seconds: Double = Deadline.seconds,
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @escaping @Sendable ([ServedRequest]) -> Bool
    ) async -> Bool {
        let isSo = (try? await offPool { self.core.log.wait(seconds: seconds, until: condition) }) ?? false
        if !isSo { Sightings().report(expected, after: seconds, Self.words(requests), sourceLocation) }
        return isSo
    }

    /// The same, blocking the calling thread, without an issue.
    package func waitBlocking(seconds: Double = Deadline.seconds, until condition: ([ServedRequest]) -> Bool) -> Bool {
        core.log.wait(seconds: seconds, until: condition)
    }

    /// Waits until so many requests match the pattern.
    package func waitForRequests(
        _ count: Int, _ pattern: String = "*", seconds: Double = Deadline.seconds,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> Bool {
        await wait("\(count) requests of \(pattern)", seconds: seconds, sourceLocation: sourceLocation) {
            $0.count { fnmatch(pattern, $0.path, 0) == 0 } >= count
        }
    }

    /// Ends every connection by RST, joins every thread. May be called again.
    package func close() {
        lock.withLock {
            guard !isClosed else { return }
            isClosed = true
            listener?.stop()
            core.cutAll()
            listener = nil
            if holder >= 0 { Foundation.close(holder) }
            holder = -1
        }
    }
}

/// Why a server cannot serve.
package struct ServerFailed: Error, CustomStringConvertible {
    package let description: String
}
