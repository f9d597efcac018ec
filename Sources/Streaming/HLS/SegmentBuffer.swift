import MediaCore

/// The bytes of one segment while it loads. The loop appends bytes; the feeder reads them and waits for more.
package final class SegmentBuffer: Sendable {
    package enum State: Sendable, Equatable {
        case loading
        case complete
        case failed(AVError)
        /// The load was abandoned. The same segment of another variant follows in the feed.
        case replaced
    }

    private struct Content {
        var bytes: [UInt8] = []
        var state = State.loading
    }
    private let content: Gated<Content>

    init(gate: StreamGate) { content = Gated(Content(), at: gate) }

    /// Creates a complete buffer.
    init(whole bytes: [UInt8], gate: StreamGate) { content = Gated(Content(bytes: bytes, state: .complete), at: gate) }

    package var currentState: State { content.read { $0.state } }
    package var count: Int { content.read { $0.bytes.count } }

    // MARK: the loop

    func reserve(_ capacity: Int) { content.withLock { $0.bytes.reserveCapacity(min(max(0, capacity), 64 << 20)) } }

    func append(_ more: UnsafeRawBufferPointer) {
        content.withLock { if $0.state == .loading { $0.bytes.append(contentsOf: more) } }
    }

    func end(_ new: State) {
        content.withLock { content in
            guard content.state == .loading else { return }
            content.state = new
            if case .replaced = new { content.bytes = [] }
        }
    }

    // MARK: the feeder

    package enum ReadResult: Sendable, Equatable {
        case bytes(Int)
        case end
        case replaced
        case failed(AVError)
        case interrupted
    }

    /// Copies the bytes at `offset`. Waits if none have arrived yet.
    package func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) -> ReadResult {
        content.wait { content, interest in
            if content.state == .replaced { return .replaced }
            if offset < content.bytes.count {
                let length = min(target.count, content.bytes.count - offset)
                content.bytes.withUnsafeBytes {
                    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + length)]))
                }
                return .bytes(length)
            }
            return switch content.state {
            case .complete: .end
            case .failed(let error): .failed(error)
            case .loading, .replaced: interest.mediaAreUnwanted ? .interrupted : nil
            }
        }
    }

    /// Waits until no more bytes will arrive, and returns the final state. Returns `.loading` if interrupted.
    package func finalState() -> State {
        content.wait { content, interest in
            content.state != .loading || interest.mediaAreUnwanted ? content.state : nil
        }
    }

    /// Returns the bytes from `offset` on that have arrived, at most `limit`. Does not wait.
    package func peek(_ offset: Int, _ limit: Int) -> [UInt8] {
        content.read { content in
            offset < content.bytes.count
                ? Array(content.bytes[offset..<min(content.bytes.count, offset + limit)]) : []
        }
    }

    /// Returns the first bytes, at most `limit`. Waits until `limit` bytes have arrived, no more will arrive, or the
    /// wait is interrupted.
    package func head(_ limit: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: limit)
        var received = 0
        while received < limit {
            let step = result.withUnsafeMutableBytes {
                read(at: received, into: UnsafeMutableRawBufferPointer(rebasing: $0[received...]))
            }
            guard case .bytes(let length) = step else { break }
            received += length
        }
        return Array(result.prefix(received))
    }
}
