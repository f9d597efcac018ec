/// The numbers behind `AdaptiveChoice`. Shares are of the buffer's target, so that a live stream's short buffer and a
/// film's long one are treated alike.
package struct AdaptationSettings: Sendable, Hashable {
    package var throughput = ThroughputEstimate.Settings()

    /// The share of the estimate that counts as there, 0…1.
    package var safety = 0.92
    /// The same for live, where a stall cannot be made up for.
    package var liveSafety = 0.8
    /// The share of the estimate the very first segment may ask for. Nothing is in the buffer to cover an error.
    package var startupShare = 0.4

    package var hope = Hope()

    /// The buffer below which the choice only refills, as a share of the target, and at most this many seconds.
    package var floorShare = 0.35
    package var floorSeconds = 10.0
    /// Added to it the nearer the network is to what even the lowest rung needs, where there is nowhere to go down to:
    /// this share of the target times the square of lowest rung / throughput.
    package var reserveShare = 0.6
    /// The buffer from which a higher rung may spend what is there, as a share of the target.
    package var climbShare = 0.45
    /// A rung that needs no more than this share of the estimate does not wait for that level: it fills the buffer
    /// itself.
    package var sureShare = 0.85
    /// How far ahead a higher rung must hold, in targets.
    package var climbHorizon = 0.7
    /// How far ahead the present rung must hold to stay, in targets; at least two segments.
    package var stayHorizon = 0.2

    package var abandonment = Abandonment()
    package var avoidance = Avoidance()

    package init() {}

    /// How much of the gap between the lesser and the greater mean counts as there when the buffer is rich, 0…1: what a
    /// full buffer can absorb need not be feared.
    package struct Hope: Sendable, Hashable {
        package var climb = 0.5
        package var stay = 1.0
        /// To decide how far down to go, however poor the buffer.
        package var hold = 0.5
    }

    /// When a running transfer is given up for a lower rung.
    package struct Abandonment: Sendable, Hashable {
        /// A transfer is left alone this long before it is judged, seconds.
        package var grace = 0.5
        /// The first segment of all is given up for a lower one only if it would take longer than this, seconds.
        package var startupPatience = 3.0
        /// How long what is known from before counts against what the transfer itself has shown, seconds of it.
        package var memory = 3.0
        /// A lower rung must be there in this share of the time the running segment still needs.
        package var gain = 0.8
    }

    /// How long a rung that failed is avoided, in nanoseconds.
    package struct Avoidance: Sendable, Hashable {
        /// After the first failure, and twice as long after each further one.
        package var first: Int64 = 10_000_000_000
        package var longest: Int64 = 300_000_000_000
    }
}
