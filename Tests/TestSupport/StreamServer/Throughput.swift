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

    package static func constant(_ bytesPerSecond: Double) -> Throughput { Throughput(steps: [(.infinity, bytesPerSecond)]) }
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

/// Lets bytes pass at a throughput: who has sent runs up a debt that time pays off.
///
/// One for a throttled answer, one for the whole server ("the network"), which its connections share.
final class Pacer: @unchecked Sendable {
    // `throughput` onwards is guarded by the lock.
    private let lock = NSLock()
    private var throughput: Throughput
    private var start = HostClock.now()
    private var paid = 0.0
    private var balance = 0.0

    init(_ throughput: Throughput) { self.throughput = throughput }

    /// From now on, its steps beginning anew; debts are forgiven, so that a better network is felt at once.
    func set(_ throughput: Throughput) {
        lock.withLock {
            self.throughput = throughput
            start = HostClock.now()
            paid = 0
            balance = 0
        }
    }

    /// Bytes to ask for at once: a fiftieth of a second's, so that connections take turns.
    var piece: Int {
        lock.withLock {
            let rate = throughput.rate(at: seconds()).bytesPerSecond
            return rate.isFinite ? min(16384, max(256, Int(rate / 50))) : 65536
        }
    }

    /// Takes `bytes` and returns nil, or returns the nanoseconds after which to ask again.
    func take(_ bytes: Int) -> Int64? {
        lock.withLock {
            let now = seconds()
            while paid < now {
                let (rate, holds) = throughput.rate(at: paid)
                let span = min(now - paid, holds)
                // Idle time is not saved up.
                balance = rate.isFinite ? min(rate / 100, balance + rate * span) : 0
                if paid + span == paid { paid = now } else { paid += span }
            }
            if balance >= 0 {
                if throughput.rate(at: now).bytesPerSecond > 0 {
                    balance -= Double(bytes)
                    return nil
                }
            }
            let (rate, holds) = throughput.rate(at: now)
            let seconds = min(holds, rate > 0 ? -balance / rate : 1, 1)
            return max(1_000_000, Int64(seconds * 1e9))
        }
    }

    private func seconds() -> Double { Double(HostClock.now() - start) / 1e9 }
}
