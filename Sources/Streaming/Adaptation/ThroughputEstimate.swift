import Foundation
import MediaCore

/// An estimate of the network's throughput from past transfers.
///
/// It keeps two exponentially weighted means of bytes and time, a fast and a slow one. The estimate is the lower of the
/// two, so it falls quickly and rises slowly. Bytes and time are averaged separately and divided at the end. Parallel
/// transfers therefore add their bytes without counting the same seconds twice. All times are of one monotonic clock.
package struct ThroughputEstimate: Sendable, Hashable {
    package struct Settings: Sendable, Hashable {
        /// The half-life of the fast mean, in seconds of transfer.
        package var fastHalfLife = 3.0
        /// The half-life of the slow mean, in seconds of transfer.
        package var slowHalfLife = 30.0
        /// The minimum weight of a transfer, in seconds. On a fast network, transfers are so short that the means would
        /// otherwise hardly change.
        package var minimumWeight = 2.0
        /// The minimum size of a transfer in bytes. A shorter response depends more on latency than on throughput.
        package var minimumBytes = 16_384
        /// The estimate before any transfer, in bits per second.
        package var initial = 1_000_000.0
        package init() {}
    }

    /// The highest plausible rate, in bits per second. Higher values are measuring errors.
    private static let ceiling = 1e12

    private struct Mean: Sendable, Hashable {
        var bits = 0.0
        var seconds = 0.0

        mutating func add(bits more: Double, seconds length: Double, halfLife: Double) {
            let keep = exp2(-length / halfLife)
            // A sample also decays over its own length.
            let share = length > 1e-6 ? (1 - keep) * halfLife / (length * M_LN2) : 1
            bits = bits * keep + more * share
            seconds = seconds * keep + length * share
        }

        var rate: Double? { seconds > 0 ? bits / seconds : nil }
    }

    private let settings: Settings
    private var fast = Mean()
    private var slow = Mean()
    private var coveredUntil = HostTime.min
    private var delay: Double?
    /// The estimate of an earlier session, or nil if there is none.
    private let remembered: Double?

    /// Creates an estimate without samples.
    /// - Parameters:
    ///   - remembered: The estimate of an earlier session in bits per second, used until the first sample.
    ///   - settings: The constants of the estimate.
    package init(remembered: Double? = nil, settings: Settings = Settings()) {
        self.remembered = remembered.flatMap { $0.isFinite && $0 > 0 ? min($0, ThroughputEstimate.ceiling) : nil }
        self.settings = settings
    }

    /// The estimated throughput in bits per second, at least 1 and finite.
    package var bitRate: Double {
        guard let fast = fast.rate, let slow = slow.rate else {
            return remembered
                ?? (settings.initial.isFinite ? min(max(1, settings.initial), ThroughputEstimate.ceiling) : 1_000_000)
        }
        return min(max(1, min(fast, slow)), ThroughputEstimate.ceiling)
    }

    /// The higher of the two means, in bits per second: the throughput under good conditions.
    package var optimisticBitRate: Double {
        guard let fast = fast.rate, let slow = slow.rate else { return bitRate }
        return min(max(1, max(fast, slow)), ThroughputEstimate.ceiling)
    }

    /// Whether `bitRate` is based on a sample or on an earlier session.
    package var isKnown: Bool { hasSamples || remembered != nil }
    package var hasSamples: Bool { fast.seconds > 0 }

    /// The recent time from a request to the first byte of its response, in seconds. 0 before any sample.
    package var latency: Double { delay ?? 0 }

    /// Adds a finished or canceled transfer.
    /// - Parameters:
    ///   - bytes: The number of body bytes received. Transfers with fewer than `minimumBytes` are ignored.
    ///   - from: The time of the request.
    ///   - firstByte: The time at which the first byte arrived, or nil if it is unknown.
    ///   - to: The time at which the last byte arrived. A transfer that does not end after `from` is ignored.
    package mutating func add(bytes: Int, from: HostTime, firstByte: HostTime? = nil, to: HostTime) {
        guard bytes >= max(1, settings.minimumBytes), to > from else { return }
        let whole = ThroughputEstimate.seconds(from, to)
        var began = from
        if let firstByte, firstByte > from, firstByte < to {
            let waited = ThroughputEstimate.seconds(from, firstByte)
            delay = delay.map { $0 * 0.75 + waited * 0.25 } ?? waited
            // A proxy may deliver the whole body at once after a long wait. That does not mean that the network is
            // fast.
            if waited < whole * 0.75 { began = firstByte }
        }
        let counted = ThroughputEstimate.seconds(max(began, min(coveredUntil, to)), to)
        coveredUntil = max(coveredUntil, to)
        // The first sample needs a length above zero to have a rate. Even a body that is already in memory takes some
        // time.
        let length = hasSamples ? counted : max(counted, 0.001)
        let weight = max(1, settings.minimumWeight / max(0.001, ThroughputEstimate.seconds(began, to)))
        fast.add(bits: Double(bytes) * 8 * weight, seconds: length * weight, halfLife: max(0.1, settings.fastHalfLife))
        slow.add(bits: Double(bytes) * 8 * weight, seconds: length * weight, halfLife: max(0.1, settings.slowHalfLife))
    }

    private static func seconds(_ from: HostTime, _ to: HostTime) -> Double {
        (Double(to.nanoseconds) - Double(from.nanoseconds)) / 1e9
    }
}
