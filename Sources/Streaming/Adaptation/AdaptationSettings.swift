/// The constants of `AdaptiveChoice`. Buffer levels are shares of the target. The short buffer of a live stream and the
/// long buffer of a video on demand are therefore treated alike.
package struct AdaptationSettings: Sendable, Hashable {
    package var throughput = ThroughputEstimate.Settings()

    /// The share of the estimated throughput that is assumed to be available, 0…1.
    package var safety = 0.92
    /// The share for live streams, which cannot make up for a stall.
    package var liveSafety = 0.8
    /// The share of the estimated throughput that the first segment may require. At the start, no buffer covers an
    /// error.
    package var startupShare = 0.4

    package var optimism = Optimism()

    /// The floor of the buffer, as a share of the target. Below the floor, the choice only refills the buffer.
    package var floorShare = 0.35
    /// The maximum time that `floorShare` contributes to the floor, in seconds.
    package var floorSeconds = 10.0
    /// The share of the target that is added to the floor when the throughput approaches the bit rate of the lowest
    /// variant. Below that variant, there is none to switch to. The share is multiplied by the square of the ratio of
    /// that bit rate to the throughput. The whole floor is at most 0.6 of the target.
    package var reserveShare = 0.6
    /// The buffer level that must remain for a higher variant, as a share of the target.
    package var climbShare = 0.45
    /// The share of the estimated throughput up to which a higher variant needs only the floor. Its segments load
    /// faster than they play, so they fill the buffer.
    package var sureShare = 0.85
    /// The time over which a variant must keep its level for a switch to it, as a multiple of the target, but at least
    /// two segments.
    package var climbHorizon = 0.7
    /// The time over which the current variant must keep the floor, as a multiple of the target, but at least two
    /// segments.
    package var stayHorizon = 0.2

    package var abandonment = Abandonment()
    package var avoidance = Avoidance()

    package init() {}

    /// The shares of the difference between the lower and the higher mean throughput that are added to the lower one,
    /// 0…1. The shares for `climb` and `stay` apply to a full buffer, which can absorb an estimate that is too high.
    package struct Optimism: Sendable, Hashable {
        package var climb = 0.5
        package var stay = 1.0
        /// The share for deciding how far to switch down, regardless of the buffer.
        package var hold = 0.5
    }

    /// The conditions for abandoning a running transfer in favor of a lower variant.
    package struct Abandonment: Sendable, Hashable {
        /// The time before a transfer is judged, in seconds.
        package var grace = 0.5
        /// The time limit for the first segment, in seconds. It is abandoned for a lower variant only if it would take
        /// longer.
        package var startupPatience = 3.0
        /// The weight of the earlier estimate against the speed of the transfer itself, in seconds of transfer.
        package var memory = 3.0
        /// The share of the remaining time of the running transfer within which a lower variant must be loaded.
        package var gain = 0.8
    }

    /// The time for which a failed variant is avoided, in nanoseconds.
    package struct Avoidance: Sendable, Hashable {
        /// The time after the first failure. Each further failure doubles it.
        package var first: Int64 = 10_000_000_000
        package var longest: Int64 = 300_000_000_000
    }
}
