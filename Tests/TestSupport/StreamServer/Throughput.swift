import Foundation
import MediaCore

/// How many bytes may pass in a second, as time goes on.
package struct Throughput: Sendable {
    /// Each holds for its seconds; the last one for ever, unless they repeat.
    package var steps: [(seconds: Double, bytesPerSecond: Double)]
    package var repeats: Bool

    package init(steps: [(seconds: Double, bytesPerSecond: Double)], repeats: Bool = false) {
        self.steps = steps
        self.repeats = repeats
    }

    package static func constant(_ bytesPerSecond: Double) -> Throughput {
        Throughput(steps: [(.infinity, bytesPerSecond)])
    }
    /// - Parameter kilobits: thousands of bits a second, as BANDWIDTH is told.
    package static func kilobits(_ kilobits: Double) -> Throughput { .constant(kilobits * 125) }

    /// The rate `seconds` after the start, and for how many seconds more it holds.
    package func rate(at seconds: Double) -> (bytesPerSecond: Double, holds: Double) {
        guard let last = steps.last else { return (.infinity, .infinity) }
        var rest = seconds
        let round = steps.reduce(0) { $0 + $1.seconds }
        if repeats, round.isFinite, round > 0 { rest = rest.truncatingRemainder(dividingBy: round) }
        for step in steps {
            if rest < step.seconds { return (step.bytesPerSecond, step.seconds - rest) }
            rest -= step.seconds
        }
        return (last.bytesPerSecond, .infinity)
    }
}

/// A line that carries bytes at a throughput, one piece after the other, in the order they were handed to it.
///
/// One for a throttled answer, one for the whole server ("the network"), which its connections share: as each hands
/// over its next piece when the last has passed, they take turns.
final class Pacer: @unchecked Sendable {
    // All guarded by the lock. Times are seconds since `start`.
    private let lock = NSLock()
    private var throughput: Throughput
    private var start = HostClock.now()
    private var free = 0.0
    private var changes = 0

    init(_ throughput: Throughput) { self.throughput = throughput }

    /// From now on, its steps beginning anew. What waits has to be handed over again.
    func set(_ throughput: Throughput) {
        lock.withLock {
            self.throughput = throughput
            start = HostClock.now()
            free = 0
            changes += 1
        }
    }

    /// Grows with each `set`.
    var generation: Int { lock.withLock { changes } }

    /// Bytes to hand over at once: a fiftieth of a second's.
    var piece: Int {
        lock.withLock {
            let rate = throughput.rate(at: seconds()).bytesPerSecond
            return rate.isFinite ? min(16384, max(256, Int(rate / 50))) : 65536
        }
    }

    /// When a piece has passed (CLOCK_MONOTONIC nanoseconds; nil: never), as long as the generation is the same.
    func hand(over bytes: Int) -> (passed: Int64?, generation: Int) {
        lock.withLock {
            // A line that was idle has saved up nothing but what a late wake-up costs: else threads' latencies, of a
            // millisecond each, would make every throughput smaller than told.
            free = end(of: bytes, from: max(free, seconds() - 0.02))
            return (free.isFinite ? start + Int64(free * 1e9) : nil, changes)
        }
    }

    private func end(of bytes: Int, from begin: Double) -> Double {
        let carriesNothing = throughput.repeats && throughput.steps.allSatisfy { $0.bytesPerSecond <= 0 }
        guard begin.isFinite, !carriesNothing else { return .infinity }
        var time = begin
        var rest = Double(bytes)
        while true {
            let (rate, holds) = throughput.rate(at: time)
            if rate.isInfinite { return time }
            if rate > 0, rate * holds >= rest { return time + rest / rate }
            if holds.isInfinite { return .infinity }
            rest -= max(0, rate * holds)
            // Never so little that the sum stays the same.
            time += max(holds, 1e-9)
        }
    }

    private func seconds() -> Double { Double(HostClock.now() - start) / 1e9 }
}
