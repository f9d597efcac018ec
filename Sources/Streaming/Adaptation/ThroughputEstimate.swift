import Foundation
import MediaCore

/// How much the network carries, from what it has carried: two exponentially weighted means, a fast and a slow one,
/// over bytes and the time they took; the lesser counts, so it falls fast and rises slowly.
///
/// Bytes and time are averaged apart and divided at the end: a transfer beside another one adds its bytes without
/// counting the same seconds twice. Times are of any one monotonic clock.
package struct ThroughputEstimate: Sendable, Hashable {
    package struct Settings: Sendable, Hashable {
        /// Seconds of transfer after which a sample counts half.
        package var fastHalfLife = 3.0
        package var slowHalfLife = 30.0
        /// A quicker transfer counts as if it had lasted this long, seconds: on a fast network, where transfers last
        /// moments, the means would else hardly move.
        package var minimumWeight = 2.0
        /// A shorter answer says more about latency than about throughput and is not counted, bytes.
        package var minimumBytes = 16_384
        /// Bit/s before anything has been received.
        package var initial = 1_000_000.0
        package init() {}
    }

    /// Rates beyond this are a measuring error, bit/s.
    private static let ceiling = 1e12

    private struct Mean: Sendable, Hashable {
        var bits = 0.0
        var seconds = 0.0

        mutating func add(bits more: Double, seconds length: Double, halfLife: Double) {
            let keep = exp2(-length / halfLife)
            // The sample itself fades over its own length.
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
    /// An estimate of an earlier session; nil if none was given.
    private let remembered: Double?

    /// - Parameter remembered: bit/s, what an earlier session found. Stands until the first sample.
    package init(remembered: Double? = nil, settings: Settings = Settings()) {
        self.remembered = remembered.flatMap { $0.isFinite && $0 > 0 ? min($0, ThroughputEstimate.ceiling) : nil }
        self.settings = settings
    }

    /// Bit/s, above 0 and finite.
    package var bitRate: Double {
        guard let fast = fast.rate, let slow = slow.rate else {
            return remembered
                ?? (settings.initial.isFinite ? min(max(1, settings.initial), ThroughputEstimate.ceiling) : 1_000_000)
        }
        return min(max(1, min(fast, slow)), ThroughputEstimate.ceiling)
    }

    /// The greater of the two means, bit/s: what the network may carry if it goes well.
    package var hopefulBitRate: Double {
        guard let fast = fast.rate, let slow = slow.rate else { return bitRate }
        return min(max(1, max(fast, slow)), ThroughputEstimate.ceiling)
    }

    /// Whether anything stands behind `bitRate`: a sample, or an earlier session.
    package var isKnown: Bool { hasSamples || remembered != nil }
    package var hasSamples: Bool { fast.seconds > 0 }

    /// From a request to the first byte of its answer, seconds, as lately seen; 0 before any.
    package var latency: Double { delay ?? 0 }

    /// Counts a transfer, whole or broken off.
    ///
    /// - Parameters:
    ///   - bytes: of the body so far; fewer than `minimumBytes` are not counted.
    ///   - from: when it was asked for.
    ///   - firstByte: when its first byte came; nil: unknown.
    ///   - to: when its last byte so far came; not after `from`: not counted.
    package mutating func add(bytes: Int, from: HostTime, firstByte: HostTime? = nil, to: HostTime) {
        guard bytes >= max(1, settings.minimumBytes), to > from else { return }
        let whole = ThroughputEstimate.seconds(from, to)
        var began = from
        if let firstByte, firstByte > from, firstByte < to {
            let waited = ThroughputEstimate.seconds(from, firstByte)
            delay = delay.map { $0 * 0.75 + waited * 0.25 } ?? waited
            // A proxy that hands all over at once after a long wait is no fast network.
            if waited < whole * 0.75 { began = firstByte }
        }
        let counted = ThroughputEstimate.seconds(max(began, min(coveredUntil, to)), to)
        coveredUntil = max(coveredUntil, to)
        // Even in memory a body takes some time; without any before it a sample of no length has no rate.
        let length = hasSamples ? counted : max(counted, 0.001)
        let weight = max(1, settings.minimumWeight / max(0.001, ThroughputEstimate.seconds(began, to)))
        fast.add(bits: Double(bytes) * 8 * weight, seconds: length * weight, halfLife: max(0.1, settings.fastHalfLife))
        slow.add(bits: Double(bytes) * 8 * weight, seconds: length * weight, halfLife: max(0.1, settings.slowHalfLife))
    }

    private static func seconds(_ from: HostTime, _ to: HostTime) -> Double {
        (Double(to.nanoseconds) - Double(from.nanoseconds)) / 1e9
    }
}
