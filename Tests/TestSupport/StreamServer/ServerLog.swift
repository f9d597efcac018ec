import Foundation
import MediaCore

/// A request and what became of it.
///
/// A client may have bytes a moment before they stand here: wait for the log, don't just look at it.
package struct ServedRequest: Sendable {
    package enum Outcome: Sendable, Equatable {
        case running
        /// Everything that was to be sent was sent.
        case complete
        /// A fault cut it, by RST or by closing.
        case reset, truncated
        /// The client closed the connection first.
        case clientGone
        /// The server was closed or its cable pulled.
        case serverGone
    }

    /// In the order of arrival, from 1.
    package let number: Int
    /// Which TCP connection it came on, from 1.
    package let connection: Int
    package let request: ServerRequest
    package var method: String { request.method }
    package var path: String { request.path }
    package var query: [String: String] { request.query }
    package var headers: ServerHeaders { request.headers }
    /// The Range field as sent.
    package var range: String? { request.headers["Range"] }
    /// Once answered.
    package var status: Int?
    /// Of the body, as it went out; chunk marks not counted.
    package var bytesSent: Int64 = 0
    package var outcome = Outcome.running
    /// CLOCK_MONOTONIC nanoseconds.
    package let began: Int64
    package var ended: Int64?
}

/// Every request, and a way to wait for them.
final class ServerLog: @unchecked Sendable {
    // `all` is guarded by the monitor.
    private let monitor = Monitor()
    private let changed: Monitor.Condition
    private var all: [ServedRequest] = []

    init() { changed = Monitor.Condition(monitor) }

    var requests: [ServedRequest] { monitor.withLock { all } }

    func begin(_ request: ServerRequest, connection: Int) -> Int {
        monitor.withLock {
            all.append(
                ServedRequest(number: all.count + 1, connection: connection, request: request, began: HostClock.now()))
            changed.broadcast()
            return all.count - 1
        }
    }

    func change(_ index: Int, _ body: (inout ServedRequest) -> Void) {
        monitor.withLock {
            body(&all[index])
            changed.broadcast()
        }
    }

    /// Blocks; false after `seconds`.
    func wait(seconds: Double, until condition: ([ServedRequest]) -> Bool) -> Bool {
        let deadline = HostClock.now() + Int64(seconds * 1e9)
        return monitor.withLock {
            while !condition(all) {
                if HostClock.now() >= deadline { return false }
                changed.wait(until: deadline)
            }
            return true
        }
    }
}
