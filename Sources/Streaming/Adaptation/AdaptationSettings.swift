/// The numbers behind `AdaptiveChoice`. Shares are of the buffer's target, so that a live stream's short buffer and a
/// film's long one are treated alike.
package struct AdaptationSettings: Sendable, Hashable {
    package var throughput = ThroughputEstimate.Settings()

    /// The share of the estimate that counts as there, 0…1.
    package var safety = 0.9
    /// The same for live, where a stall cannot be made up for.
    package var liveSafety = 0.8
    /// The share of the estimate the very first segment may ask for. Nothing is in the buffer to cover an error.
    package var startupShare = 0.5

    /// The buffer below which the choice only refills, as a share of the target, and at most this many seconds.
    package var floorShare = 0.25
    package var floorSeconds = 12.0
    /// The buffer from which a higher rung may spend what is there, as a share of the target.
    package var climbShare = 0.5
    /// How far ahead a higher rung must hold, in targets.
    package var climbHorizon = 1.0
    /// How far ahead the present rung must hold to stay, seconds and at least two segments.
    package var stayHorizon = 12.0

    /// A transfer is left alone this long before it is judged, seconds.
    package var abandonmentGrace = 0.5
    /// A lower rung must be there in this share of the time the running segment still needs.
    package var abandonmentGain = 0.8

    /// A rung that failed is avoided this long, nanoseconds, twice as long after each further failure…
    package var firstAvoidance: Int64 = 10_000_000_000
    /// …and at most this long.
    package var longestAvoidance: Int64 = 300_000_000_000

    package init() {}
}
