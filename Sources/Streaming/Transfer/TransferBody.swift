import MediaCore

/// The position of a response's body in the resource, and the number of bytes that have arrived.
struct TransferBody: Sendable {
    /// The requested range, or nil for the whole resource.
    let requestedRange: (first: Int64, last: Int64?)?
    /// The version sent for the server to compare, or an empty string if there is none.
    let sentValidator: String
    /// The offset of the body's next byte in the resource.
    private(set) var position: Int64
    /// The offset of the body's end in the resource, or nil if it is unknown.
    private(set) var end: Int64?
    /// Whether the body is only a part of the resource.
    private(set) var isPart = false
    /// The number of received bytes that were not present before.
    private(set) var gained: Int64 = 0

    init(requestedRange: (first: Int64, last: Int64?)? = nil, sentValidator: String = "", from position: Int64 = 0) {
        self.requestedRange = requestedRange
        self.sentValidator = sentValidator
        self.position = requestedRange?.first ?? position
    }

    /// Sets the body's range in the resource, as the response states it.
    mutating func setExtent(start: Int64, length: Int64? = nil, isPart: Bool = false) {
        position = start
        end = length.map { start.addingSaturating($0) }
        self.isPart = isPart
    }

    /// Advances by the next `count` bytes of the body.
    /// - Parameters:
    ///   - wanted: The offset of the next byte that is wanted.
    ///   - limit: The offset after the last byte that is wanted, or nil for the end of the resource.
    /// - Returns: The range of those bytes that are wanted.
    mutating func received(_ count: Int, wanted: Int64, limit: Int64?) -> Range<Int> {
        let start = position
        position = start.addingSaturating(Int64(count))
        let from = min(max(wanted, start), position)
        let to = max(from, min(limit ?? position, position))
        gained += to - from
        return Int(from - start)..<Int(to - start)
    }

    /// Whether the body continues, as far as is known.
    var hasMore: Bool { end.map { $0 > position } ?? true }
}

/// A counter of responses in a row that end early at the same byte.
struct EarlyEnds: Sendable {
    /// The number of responses that must end at the same byte before their end counts as final.
    static let most = 5

    private var position: Int64 = -1
    private var body: Int64 = -1
    private var count = 0

    /// Records a response that ended early.
    /// - Returns: Whether a retry would end at the same byte.
    mutating func isFinal(at position: Int64, body: Int64) -> Bool {
        count = self.position == position && self.body == body ? count + 1 : 1
        self.position = position
        self.body = body
        return count >= Self.most
    }
}
