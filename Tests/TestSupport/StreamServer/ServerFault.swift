import Foundation

/// A fault in an answer, or a behavior of some servers. Several faults can apply to one answer.
package enum Fault: Sendable {
    // Faults before the head.
    /// Waits this many seconds before the answer begins.
    case latency(Double)
    /// Resets the connection (RST) after the request was read.
    case resetBeforeHead
    /// Closes the connection without an answer.
    case closeBeforeHead

    // Faults that replace the answer.
    case status(Int, headers: ServerHeaders = [:])
    case redirect(to: String, status: Int = 302)
    /// Redirects in a circle of three URLs.
    case redirectCircle
    case body(Data)
    /// Sends this many meaningless bytes, which are the same in every run.
    case garbage(Int)
    case empty
    /// Sends these bytes endlessly and without a length.
    case endless(Data)
    /// Sends these bytes unchanged, without adding a head, and closes the connection.
    case raw(Data)
    /// Repeats the first answer that a path got under this rule.
    case frozen

    // Faults in the head.
    case type(String)
    case header(String, String?)
    /// Sends this Content-Length instead of the correct one.
    case announcedLength(Int64)
    /// Sends a Content-Length that is wrong by this many bytes.
    case announcedLengthOff(by: Int64)
    /// Answers range requests with 200 and the whole body, and does not announce ranges.
    case noRanges
    /// Uses Transfer-Encoding: chunked (RFC 9112 §7.1).
    case chunked
    /// Sends neither a length nor chunks. The body ends when the connection closes (RFC 9112 §6.3).
    case noLength
    /// Uses Content-Encoding: gzip if the client accepts it.
    case gzip
    /// Sends the head one byte at a time, with this many seconds between bytes.
    case slowHead(Double)

    // Faults in the body.
    case slowBody(Double)
    case throttle(Throughput)
    /// Stops after this many bytes of the body, for `seconds`, or until the rule is removed.
    case stall(after: Int64, seconds: Double? = nil)
    /// Resets the connection (RST) after this many bytes of the body.
    case reset(after: Int64)
    /// Closes the connection after this many bytes of the body, regardless of the announced length.
    case truncate(after: Int64)
}

/// A rule with faults and the requests to which they apply.
package struct FaultRule: Sendable {
    package typealias ID = Int

    /// A shell pattern for the path without its leading slash. `*` also matches slashes.
    package var pattern: String
    /// The numbers of the matching requests that get the faults, from 1; nil for all.
    package var nth: ClosedRange<Int>?
    /// An additional condition.
    package var condition: (@Sendable (ServerRequest) -> Bool)?
    package var faults: [Fault]
    /// Whether the test also passes if no request gets the faults.
    package var isOptional: Bool

    package init(
        _ faults: [Fault], on pattern: String = "*", nth: ClosedRange<Int>? = nil, isOptional: Bool = false,
        where condition: (@Sendable (ServerRequest) -> Bool)? = nil
    ) {
        self.faults = faults
        self.pattern = pattern
        self.nth = nth
        self.isOptional = isOptional
        self.condition = condition
    }
}

/// The combined effect of faults on one answer.
struct ResponsePlan: Sendable {
    enum Cut: Sendable { case reset, close }

    var latency = 0.0
    var cutBeforeHead: Cut?
    var replacement: ServerResponse?
    var raw: Data?
    var frozen: FrozenResponses?
    var headers: [(name: String, value: String?)] = []
    var announcedLength: Int64?
    var announcedLengthOffset: Int64 = 0
    var refusesRanges = false
    var isChunked = false
    var hasNoLength = false
    var compresses = false
    var headPace = 0.0
    var bodyPace = 0.0
    var pacer: Pacer?
    var stall: (after: Int64, seconds: Double?, rule: FaultRule.ID)?
    var cut: (after: Int64, how: Cut)?

    mutating func apply(_ fault: Fault, rule: FaultRule.ID, request: ServerRequest, frozen store: FrozenResponses) {
        switch fault {
        case .latency(let seconds): latency += seconds
        case .resetBeforeHead: cutBeforeHead = .reset
        case .closeBeforeHead: cutBeforeHead = .close
        case .status(let status, let headers): replacement = .status(status, headers: headers)
        case .redirect(let location, let status): replacement = .redirect(to: location, status: status)
        case .redirectCircle:
            let hop = ((request.query["hop"].flatMap(Int.init) ?? 0) + 1) % 3
            replacement = .redirect(to: "/\(request.path)?hop=\(hop)")
        case .body(let data): replacement = ServerResponse(type: MIMEType.of(request.path), data)
        case .garbage(let count): replacement = ServerResponse(type: MIMEType.of(request.path), Self.garbage(count))
        case .empty: replacement = ServerResponse(type: MIMEType.of(request.path), Data())
        case .endless(let data):
            replacement = ServerResponse(headers: ["Content-Type": MIMEType.of(request.path)], body: .endless(data))
        case .raw(let data): raw = data
        case .frozen: frozen = store
        case .type(let type): headers.append(("Content-Type", type))
        case .header(let name, let value): headers.append((name, value))
        case .announcedLength(let length): announcedLength = length
        case .announcedLengthOff(let offset): announcedLengthOffset = offset
        case .noRanges: refusesRanges = true
        case .chunked: isChunked = true
        case .noLength: hasNoLength = true
        case .gzip: compresses = true
        case .slowHead(let seconds): headPace = seconds
        case .slowBody(let seconds): bodyPace = seconds
        case .throttle(let throughput): pacer = Pacer(throughput)
        case .stall(let after, let seconds): stall = (after, seconds, rule)
        case .reset(let after): cut = (after, .reset)
        case .truncate(let after): cut = (after, .close)
        }
    }

    /// Returns the bytes of a linear congruential generator. They never begin like a playlist or a container, because
    /// the highest bit of each byte is set.
    private static func garbage(_ count: Int) -> Data {
        var state: UInt32 = 0x5A6F_6574
        return Data(
            (0..<count).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(truncatingIfNeeded: state >> 24) | 0x80
            })
    }
}

/// The answers that a `.frozen` rule has given.
final class FrozenResponses: @unchecked Sendable {
    // The lock guards `kept`.
    private let lock = NSLock()
    private var kept: [String: ServerResponse] = [:]

    func first(_ path: String) -> ServerResponse? { lock.withLock { kept[path] } }
    func keep(_ response: ServerResponse, for path: String) {
        lock.withLock { if kept[path] == nil { kept[path] = response } }
    }
}
