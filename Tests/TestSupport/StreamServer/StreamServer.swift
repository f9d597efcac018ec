import Foundation
import MediaCore
import Testing

/// An HTTP/1.1 server on the loopback interface, in the test's own process.
///
/// The server uses POSIX sockets and a thread for each connection instead of a library, for two reasons:
/// - Libraries are made to send correct answers. The tests need resets in the middle of a body, wrong lengths, and
///   heads that arrive byte by byte.
/// - Blocking tests occupy Swift's thread pool. A server in the pool would wait for its client forever.
///
/// The server answers with files of a folder, answers of handlers for virtual paths, and the paths of `BuiltInAnswers`.
/// It supports ranges, validators, HEAD and keep-alive. All members can be called from any thread.
package final class StreamServer: @unchecked Sendable {
    // The lock guards `listener`, `holder` and `isClosed`. All else is constant and thread-safe.
    private let core: ServerCore
    private let lock = NSLock()
    private var listener: ServerListener?
    private var holder: Int32 = -1
    private var isClosed = false
    /// The port in use, even while the cable is pulled.
    package let port: UInt16

    /// Starts a server.
    /// - Parameters:
    ///   - root: The folder whose files are served; nil to serve only the answers of handlers.
    ///   - port: The port; 0 for any free port.
    /// - Throws: `ServerFailed` if the server can't listen.
    package init(root: URL? = nil, port: UInt16 = 0) throws {
        core = ServerCore(root: root)
        let listener = try ServerListener(core: core, port: port)
        self.listener = listener
        self.port = listener.port
    }

    deinit { close() }

    package var url: URL { url(for: "") }

    /// Returns a URL on this server.
    /// - Parameter path: The path without a leading slash. It may include a query.
    package func url(for path: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)/\(path)") ?? URL(fileURLWithPath: "/")
    }

    // MARK: Answers

    package typealias Handler = @Sendable (ServerRequest, ServerContext) throws -> ServerResponse?

    /// Adds a handler for the paths that match a shell pattern. The newest handler is called first; if it returns nil,
    /// the next one is called.
    ///
    /// The handler is called on the connection's thread and may block by its context. It can ignore ranges: of an
    /// answer with status 200 and a known length, only the requested range is sent. If it throws, the answer has status
    /// 500.
    package func serve(_ pattern: String, _ answer: @escaping Handler) {
        core.add(ServerCore.Handler(pattern: pattern, answer: answer))
    }

    package func serve(_ pattern: String, _ answer: @escaping @Sendable (ServerRequest) -> ServerResponse?) {
        serve(pattern) { request, _ in answer(request) }
    }

    /// Makes handlers that wait check their conditions again.
    package func wake() { core.wakeAll() }

    // MARK: Faults

    /// Adds faults for the next requests, until `remove(_:)` is called.
    ///
    /// Removing the rule, or closing the server, records an issue if no request got the faults: the test then did not
    /// test the failure.
    /// - Parameter isOptional: Whether the test also passes if no request gets the faults. No issue is then recorded.
    @discardableResult
    package func inject(
        _ faults: Fault..., on pattern: String = "*", nth: ClosedRange<Int>? = nil, isOptional: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation,
        where condition: (@Sendable (ServerRequest) -> Bool)? = nil
    ) -> FaultRule.ID {
        core.rules.add(
            FaultRule(faults, on: pattern, nth: nth, isOptional: isOptional, where: condition), at: sourceLocation)
    }

    @discardableResult
    package func inject(_ rule: FaultRule, sourceLocation: SourceLocation = #_sourceLocation) -> FaultRule.ID {
        core.rules.add(rule, at: sourceLocation)
    }

    /// Adds rules as optional ones. Programs use this method, because it needs no test.
    package func inject(optional rules: [FaultRule]) {
        for var rule in rules {
            rule.isOptional = true
            inject(rule)
        }
    }

    /// Removes a rule for the next requests. An answer that stalls because of the rule continues.
    package func remove(_ rule: FaultRule.ID) { report(core.rules.remove(rule)) }

    package func removeAllFaults() { report(core.rules.remove()) }

    private func report(_ unused: [FaultRules.Unused]) {
        core.wakeAll()
        guard !unused.isEmpty else { return }
        let log = Self.summary(core.log.requests)
        for rule in unused { rule.report(log) }
    }

    /// Returns the number of requests that a rule's pattern has matched; nil if the rule was removed.
    package func matches(_ rule: FaultRule.ID) -> Int? { core.rules.matches(rule) }

    /// Limits the speed that all connections share, including heads; nil for no limit. Also takes effect on answers in
    /// progress.
    package func setNetwork(_ throughput: Throughput?) { core.setNetwork(throughput) }

    /// Resets every connection and refuses new ones until `plugCable()` is called. The port stays reserved.
    package func pullCable() {
        lock.withLock {
            guard let old = listener else { return }
            old.stop()
            core.cutAll()
            listener = nil
            // A socket that is bound but does not listen refuses connections and keeps the port from other processes.
            holder = ServerListener.bind(port)?.fd ?? -1
        }
    }

    /// Listens on the same port again.
    /// - Throws: `ServerFailed` if the server can't listen on the port.
    package func plugCable() throws {
        try lock.withLock {
            guard listener == nil, !isClosed else { return }
            if holder >= 0 { Foundation.close(holder) }
            holder = -1
            core.raise()
            listener = try ServerListener(core: core, port: port)
        }
    }

    // MARK: Requests

    /// All requests in the order of arrival.
    package var requests: [ServedRequest] {
        let all = core.log.requests
        Sightings.note { Self.summary(all) }
        return all
    }
    private static func summary(_ all: [ServedRequest]) -> String {
        "\(all.count) requests, the last: \(all.suffix(12).map { "\($0.path) \($0.status ?? 0) \($0.outcome)" })"
    }

    /// Returns the requests whose path matches a shell pattern.
    package func requests(_ pattern: String) -> [ServedRequest] {
        requests.filter { fnmatch(pattern, $0.path, 0) == 0 }
    }

    /// The number of TCP connections accepted so far. `openConnectionCount` is the number of open ones.
    package var connectionCount: Int { core.connectionCount }
    package var openConnectionCount: Int { core.openConnectionCount }

    /// The number of bytes of bodies sent so far.
    package var bytesSent: Int64 { requests.reduce(0) { $0 + $1.bytesSent } }

    /// Waits until the log fulfills `condition`. The condition is checked whenever a request begins, progresses or
    /// ends.
    /// - Returns: False if `seconds` end first. An issue that shows the log is then recorded.
    package func wait(
        _ expected: String? = nil, seconds: Double = Deadline.seconds,
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @escaping @Sendable ([ServedRequest]) -> Bool
    ) async -> Bool {
        let isSo = (try? await offPool { self.core.log.wait(seconds: seconds, until: condition) }) ?? false
        if !isSo { Sightings().report(expected, after: seconds, Self.summary(requests), sourceLocation) }
        return isSo
    }

    /// Blocks the calling thread until the log fulfills `condition`. Records no issue.
    /// - Returns: False if `seconds` end first.
    package func waitBlocking(seconds: Double = Deadline.seconds, until condition: ([ServedRequest]) -> Bool) -> Bool {
        core.log.wait(seconds: seconds, until: condition)
    }

    /// Waits until `count` requests match the pattern.
    package func waitForRequests(
        _ count: Int, _ pattern: String = "*", seconds: Double = Deadline.seconds,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> Bool {
        await wait("\(count) requests of \(pattern)", seconds: seconds, sourceLocation: sourceLocation) {
            $0.count { fnmatch(pattern, $0.path, 0) == 0 } >= count
        }
    }

    /// Resets every connection (RST) and joins every thread. Can be called repeatedly.
    package func close() {
        // The threads have ended, so no request can get the faults any more.
        defer { report(core.rules.takeUnused()) }
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

/// The reason why a server can't serve.
package struct ServerFailed: Error, CustomStringConvertible {
    package let description: String
}
