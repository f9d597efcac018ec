import MediaCore

/// The body of the answer to one request: where it lies in the resource, and how much of it has come. In bytes.
struct TransferBody: Sendable {
    /// The range that was asked for; nil: the whole.
    let asked: (first: Int64, last: Int64?)?
    /// The version that was sent for the server to compare; empty: none.
    let sentValidator: String
    /// Where the next byte belongs in the resource.
    private(set) var position: Int64
    /// Where it ends; nil while unknown.
    private(set) var end: Int64?
    /// The answer is a part of the resource.
    private(set) var isPart = false
    /// Of those that came, the ones that were not there before.
    private(set) var gained: Int64 = 0

    init(asked: (first: Int64, last: Int64?)? = nil, sentValidator: String = "", from position: Int64 = 0) {
        self.asked = asked
        self.sentValidator = sentValidator
        self.position = asked?.first ?? position
    }

    /// The answer tells where it lies.
    mutating func lies(at start: Int64, length: Int64? = nil, isPart: Bool = false) {
        position = start
        end = length.map { start.addingSaturating($0) }
        self.isPart = isPart
    }

    /// Goes on behind the next `count` bytes.
    /// - Parameters:
    ///   - wanted: the next byte of the resource that is wanted.
    ///   - limit: the one behind the last; nil: all to its end.
    /// - Returns: which of the bytes are wanted.
    mutating func received(_ count: Int, wanted: Int64, limit: Int64?) -> Range<Int> {
        let start = position
        position = start.addingSaturating(Int64(count))
        let from = min(max(wanted, start), position)
        let to = max(from, min(limit ?? position, position))
        gained += to - from
        return Int(from - start)..<Int(to - start)
    }

    /// The body goes on behind what has come of it, as far as is known.
    var hasMore: Bool { end.map { $0 > position } ?? true }
}

/// Counts answers in a row that end early at the same byte.
struct EarlyEnds: Sendable {
    /// An answer that ends this often at the same byte is all there is.
    static let most = 5

    private var position: Int64 = -1
    private var body: Int64 = -1
    private var count = 0

    /// - Returns: whether a retry would bring the same.
    mutating func isFinal(at position: Int64, body: Int64) -> Bool {
        count = self.position == position && self.body == body ? count + 1 : 1
        self.position = position
        self.body = body
        return count >= Self.most
    }
}
