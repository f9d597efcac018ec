import Foundation
import MediaCore

/// The number of bytes per second that can be transferred, as a function of time.
package struct Throughput: Sendable {
    /// The throughputs and their durations. The last one lasts forever, unless the steps repeat.
    package var steps: [(seconds: Double, bytesPerSecond: Double)]
    package var repeats: Bool

    package init(steps: [(seconds: Double, bytesPerSecond: Double)], repeats: Bool = false) {
        self.steps = steps
        self.repeats = repeats
    }

    package static func constant(_ bytesPerSecond: Double) -> Throughput {
        Throughput(steps: [(.infinity, bytesPerSecond)])
    }
    /// Returns a constant throughput.
    /// - Parameter kilobits: The throughput in kbit/s, the unit in which the tests write BANDWIDTH.
    package static func kilobits(_ kilobits: Double) -> Throughput { .constant(kilobits * 125) }

    /// Returns the throughput `seconds` after the start, and the number of seconds for which it still lasts.
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

/// A transmission line that carries bytes at a throughput, in the order in which they are handed over.
///
/// A throttled answer has its own pacer. Another one, “the network”, is shared by all connections of the server. They
/// take turns, because each hands over its next piece when its last one has passed.
final class Pacer: @unchecked Sendable {
    // The lock guards all properties. Times are in seconds since `start`.
    private let lock = NSLock()
    private var throughput: Throughput
    private var start = HostClock.now()
    private var free = 0.0
    private var changes = 0

    init(_ throughput: Throughput) { self.throughput = throughput }

    /// Changes the throughput, and starts its steps from the beginning. Waiting pieces must be handed over again.
    func set(_ throughput: Throughput) {
        lock.withLock {
            self.throughput = throughput
            start = HostClock.now()
            free = 0
            changes += 1
        }
    }

    /// A number that grows with each call of `set`.
    var generation: Int { lock.withLock { changes } }

    /// The number of bytes to hand over at once: the bytes of a fiftieth of a second, 256 to 16,384.
    var piece: Int {
        lock.withLock {
            let rate = throughput.rate(at: seconds()).bytesPerSecond
            return rate.isFinite ? min(16384, max(256, Int(rate / 50))) : 65536
        }
    }

    /// Hands over a piece.
    /// - Returns: The time at which the piece has passed, in nanoseconds of CLOCK_MONOTONIC, or nil for never. The time
    ///   is valid as long as the generation is the same.
    func hand(over bytes: Int) -> (passed: Int64?, generation: Int) {
        lock.withLock {
            // An idle line saves up 20 ms at most, to compensate for threads that wake late. Without this, latencies of
            // about a millisecond would make every throughput smaller than requested.
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
            // The step must be large enough to change the sum.
            time += max(holds, 1e-9)
        }
    }

    private func seconds() -> Double { Double(HostClock.now() - start) / 1e9 }
}
