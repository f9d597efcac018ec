import Foundation
import MediaCore

/// The bytes of one segment while they come: the loop appends, the feeder reads what is there and waits for more.
package final class SegmentBuffer: @unchecked Sendable {
    package enum State: Sendable, Equatable {
        case loading
        case complete
        case failed(AVError)
        /// Given up for the same segment of another rung, which follows in the feed.
        case replaced
    }

    // Guarded by `gate`'s monitor.
    private var bytes: [UInt8] = []
    private var state = State.loading
    private let gate: StreamGate

    init(gate: StreamGate) { self.gate = gate }

    package var currentState: State { gate.monitor.withLock { state } }
    package var count: Int { gate.monitor.withLock { bytes.count } }

    // MARK: the loop's side

    func reserve(_ capacity: Int) { gate.monitor.withLock { bytes.reserveCapacity(min(max(0, capacity), 64 << 20)) } }

    func append(_ more: UnsafeRawBufferPointer) {
        gate.monitor.withLock {
            guard state == .loading else { return }
            bytes.append(contentsOf: more)
            gate.changed.broadcast()
        }
    }

    func end(_ new: State) {
        gate.monitor.withLock {
            guard state == .loading else { return }
            state = new
            if case .replaced = new { bytes = [] }
            gate.changed.broadcast()
        }
    }

    // MARK: the feeder's side

    package enum ReadResult: Sendable, Equatable {
        case bytes(Int)
        case end
        case replaced
        case failed(AVError)
        case interrupted
    }

    /// Copies what lies at `offset`; waits while nothing does yet.
    package func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) -> ReadResult {
        gate.monitor.withLock {
            while true {
                if state == .replaced { return .replaced }
                if offset < bytes.count {
                    let n = min(target.count, bytes.count - offset)
                    bytes.withUnsafeBytes {
                        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + n)]))
                    }
                    return .bytes(n)
                }
                switch state {
                case .complete: return .end
                case .failed(let error): return .failed(error)
                case .loading, .replaced:
                    if gate.mediaAreUnwanted { return .interrupted }
                    gate.wait()
                }
            }
        }
    }

    /// Waits until nothing more comes; `.loading` when interrupted.
    package func finalState() -> State {
        gate.monitor.withLock {
            while state == .loading, !gate.mediaAreUnwanted { gate.wait() }
            return state
        }
    }

    /// Bytes from `offset` on, at most `limit`, as far as they are there; waits for none.
    package func peek(_ offset: Int, _ limit: Int) -> [UInt8] {
        gate.monitor.withLock { offset < bytes.count ? Array(bytes[offset..<min(bytes.count, offset + limit)]) : [] }
    }

    /// The first bytes, as many as have come, at most `limit`; waits for the first ones.
    package func head(_ limit: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: limit)
        var got = 0
        while got < limit {
            let step = result.withUnsafeMutableBytes {
                read(at: got, into: UnsafeMutableRawBufferPointer(rebasing: $0[got...]))
            }
            guard case .bytes(let n) = step else { break }
            got += n
        }
        return Array(result.prefix(got))
    }
}

/// Where the feeder waits for the loop: one lock and one condition for all of a stream's queues.
package final class StreamGate: @unchecked Sendable {
    let monitor = Monitor()
    let changed: Monitor.Condition
    /// Nobody wants the stream any longer: another item, the end. Guarded by `monitor`, like `isPreempted`; both are
    /// asked only where somebody is about to wait, so what has come is read in any case.
    var isInterrupted: @Sendable () -> Bool = { false }
    /// Another place of the stream is wanted. Media are not waited for then; what any place needs (playlists) is.
    var isPreempted: @Sendable () -> Bool = { false }
    /// With the monitor locked.
    var mediaAreUnwanted: Bool { isInterrupted() || isPreempted() }

    package init() { changed = Monitor.Condition(monitor) }

    /// With the monitor locked. Looks at the interruption now and then, should nobody `wake`.
    func wait() {
        waiting += 1
        changed.wait(until: HostClock.now() + 100_000_000)
        waiting -= 1
    }
    /// Threads in `wait`. Guarded by `monitor`.
    private(set) var waiting = 0

    /// Makes whoever waits look again. Any thread.
    package func wake() { monitor.withLock { changed.broadcast() } }
}
