import Foundation
import MediaCore

/// A request and the result of its answer.
///
/// A client may receive bytes slightly before they are logged here. Wait for the log instead of reading it once.
package struct ServedRequest: Sendable {
    package enum Outcome: Sendable, Equatable {
        case running
        /// The whole answer was sent.
        case complete
        /// A fault cut the answer, by RST or by closing the connection.
        case reset, truncated
        /// The client closed the connection first.
        case clientGone
        /// The server was closed, or its cable was pulled.
        case serverGone
    }

    /// The number of the request in the order of arrival, from 1.
    package let number: Int
    /// The number of the TCP connection, from 1.
    package let connection: Int
    package let request: ServerRequest
    package var method: String { request.method }
    package var path: String { request.path }
    package var query: [String: String] { request.query }
    package var headers: ServerHeaders { request.headers }
    /// The Range field as the client sent it.
    package var range: String? { request.headers["Range"] }
    /// The status of the answer; nil until the answer begins.
    package var status: Int?
    /// The number of bytes of the body sent so far, without the framing of chunks.
    package var bytesSent: Int64 = 0
    package var outcome = Outcome.running
    /// The time of the request, in nanoseconds of CLOCK_MONOTONIC.
    package let began: Int64
    package var ended: Int64?
}

/// A log of all requests, with a way to wait for them.
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

    /// Blocks until `condition` is true.
    /// - Returns: False if `seconds` end first.
    func wait(seconds: Double, until condition: ([ServedRequest]) -> Bool) -> Bool {
        all.wait(until: .now() + Int64(seconds * 1e9)) { condition($0) ? true : nil } ?? false
    }
}
