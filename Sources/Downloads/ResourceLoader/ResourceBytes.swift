import Foundation

/// The bytes that the delegate of a resource loader has sent, until they are delivered in order.
///
/// No bytes are accepted before the content has been requested, and none beyond the expected length.
struct ResourceBytes {
    /// The next step of the delivery.
    enum Step: Equatable {
        case deliver(Data)
        /// The delegate must send more bytes, or finish.
        case wait
        case complete
        /// The delegate has finished, but sent fewer bytes than expected.
        case truncated(missing: Int64)
    }

    /// Whether bytes are accepted, because the content has been requested.
    private(set) var isExpecting = false
    /// The number of bytes that have not been received; nil if the length is unknown.
    private var missing: Int64?
    /// The accepted bytes that have not been delivered.
    private var waiting: ArraySlice<Data> = []
    private var isFinished = false
    /// The number of bytes that were returned for delivery.
    private(set) var delivered: Int64 = 0

    /// Whether all bytes of a known length have been received.
    var isComplete: Bool { missing == 0 }
    /// Whether there are bytes that have not been delivered.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Begins to accept bytes.
    /// - Parameter length: The number of bytes that the delegate must send; nil if it is unknown.
    mutating func expect(_ length: Int64?) {
        isExpecting = true
        missing = length
    }

    /// Accepts bytes, without those beyond the expected length.
    /// - Returns: Whether there are new bytes to deliver.
    mutating func receive(_ data: Data) -> Bool {
        guard isExpecting else { return false }
        var data = data
        if let missing, Int64(data.count) > missing { data = data.prefix(Int(missing)) }
        guard !data.isEmpty else { return false }
        missing? -= Int64(data.count)
        waiting.append(data)
        return true
    }

    /// Records that the delegate sends no more bytes.
    mutating func finish() { isFinished = true }

    /// Returns the next step. Bytes to deliver are removed.
    mutating func next(atMost limit: Int) -> Step {
        guard let data = waiting.first else {
            if isComplete { return .complete }
            guard isFinished else { return .wait }
            guard let missing else { return .complete }
            return .truncated(missing: missing)
        }
        let piece = data.prefix(limit)
        let rest = data.dropFirst(piece.count)
        // A slice keeps removed elements for a while, so an element without a rest is emptied before it is removed.
        waiting[waiting.startIndex] = rest.isEmpty ? Data() : rest
        if rest.isEmpty { waiting.removeFirst() }
        delivered += Int64(piece.count)
        return .deliver(piece)
    }

    /// Removes the bytes that have not been delivered.
    mutating func discard() { waiting = [] }
}
