import Foundation

/// One thing that goes wrong (or a manner other servers have) with an answer. Several hold together.
package enum Fault: Sendable {
    // Before the head.
    /// Seconds before the answer is even begun.
    case latency(Double)
    /// The connection is reset (RST) when the request has come.
    case resetBeforeHead
    /// The connection is closed without a word.
    case closeBeforeHead

    // Instead of the answer.
    case status(Int, headers: ServerHeaders = [:])
    case redirect(to: String, status: Int = 302)
    /// Three redirects that lead to each other.
    case redirectCircle
    case body(Data)
    /// This many bytes of no meaning, the same at every run.
    case garbage(Int)
    case empty
    /// These bytes without end, and without a length.
    case endless(Data)
    /// The bytes as they are, head included; then the connection is closed.
    case raw(Data)
    /// What was first answered under this rule for a path is answered ever after.
    case frozen

    // The head.
    case type(String)
    case header(String, String?)
    /// A Content-Length other than the truth.
    case announcedLength(Int64)
    /// A Content-Length this many bytes beside the truth.
    case announcedLengthOff(by: Int64)
    /// Range requests are answered 200 with everything, and none are offered.
    case noRanges
    /// Transfer-Encoding: chunked (RFC 9112 §7.1).
    case chunked
    /// Neither length nor chunks: the end is where the connection closes (RFC 9112 §6.3).
    case noLength
    /// Content-Encoding: gzip when the client accepts it.
    case gzip
    /// One byte of the head at a time, so many seconds apart.
    case slowHead(Double)

    // The body.
    case slowBody(Double)
    case throttle(Throughput)
    /// After so many body bytes nothing more comes, for `seconds`, or until the rule is removed.
    case stall(after: Int64, seconds: Double? = nil)
    /// RST after so many body bytes.
    case reset(after: Int64)
    /// Closed after so many body bytes, whatever length was announced.
    case truncate(after: Int64)
}

/// Faults, and the requests they befall.
package struct FaultRule: Sendable {
    package typealias ID = Int

    /// A shell pattern on the path (without its leading slash); `*` matches slashes too.
    package var pattern: String
    /// Which of the requests that match, counted from 1; nil: all.
    package var nth: ClosedRange<Int>?
    /// A further condition.
    package var condition: (@Sendable (ServerRequest) -> Bool)?
    package var faults: [Fault]

    package init(
        _ faults: [Fault], on pattern: String = "*", nth: ClosedRange<Int>? = nil,
        where condition: (@Sendable (ServerRequest) -> Bool)? = nil
    ) {
        self.faults = faults
        self.pattern = pattern
        self.nth = nth
        self.condition = condition
    }
}

/// What faults make of one answer.
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

    /// A linear congruential generator's bytes; none starts like a playlist or a container.
    private static func garbage(_ count: Int) -> Data {
        var state: UInt32 = 0x5A6F_6574
        return Data(
            (0..<count).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(truncatingIfNeeded: state >> 24) | 0x80
            })
    }
}

/// The answers a `.frozen` rule has given.
final class FrozenResponses: @unchecked Sendable {
    // `kept` is guarded by the lock.
    private let lock = NSLock()
    private var kept: [String: ServerResponse] = [:]

    func first(_ path: String) -> ServerResponse? { lock.withLock { kept[path] } }
    func keep(_ response: ServerResponse, for path: String) {
        lock.withLock { if kept[path] == nil { kept[path] = response } }
    }
}
