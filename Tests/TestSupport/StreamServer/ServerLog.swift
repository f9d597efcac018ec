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
final class ServerLog: Sendable {
    private let all = Locked<[ServedRequest]>([])

    var requests: [ServedRequest] { all.read { $0 } }

    func begin(_ request: ServerRequest, connection: Int) -> Int {
        all.withLock { all in
            all.append(
                ServedRequest(number: all.count + 1, connection: connection, request: request, began: HostClock.now()))
            return all.count - 1
        }
    }

    func change(_ index: Int, _ body: (inout ServedRequest) -> Void) { all.withLock { body(&$0[index]) } }

    /// Blocks; false after `seconds`.
    func wait(seconds: Double, until condition: ([ServedRequest]) -> Bool) -> Bool {
        all.wait(until: .now() + Int64(seconds * 1e9)) { condition($0) ? true : nil } ?? false
    }
}
