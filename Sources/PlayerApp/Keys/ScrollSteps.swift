/// The whole steps of a mouse wheel, or of two fingers on a touchpad, in one direction at a time.
///
/// Fingers rarely move exactly straight. They keep the direction in which they started, as in the container's scroll
/// service. A wheel, which reports notches, may change its direction with each event.
struct ScrollSteps {
    enum Axis { case horizontal, vertical }

    private var axis: Axis?
    /// The scrolled distance that is not a whole step yet, in notches.
    private var rest = 0.0
    /// The number of points of a touchpad that count as one notch of a wheel.
    private static let pointsPerNotch = 10.0

    /// Forgets the direction and the incomplete step, because a movement begins or has ended.
    mutating func reset() { (axis, rest) = (nil, 0) }

    /// Adds a distance, and returns the whole steps with their direction, or nil if there are none yet.
    /// - Parameters:
    ///   - x: The distance to the right.
    ///   - y: The distance down.
    ///   - isPrecise: Whether the distances are in points, instead of notches.
    mutating func add(_ x: Double, _ y: Double, isPrecise: Bool) -> (axis: Axis, count: Int)? {
        guard x.isFinite, y.isFinite, x != 0 || y != 0 else { return nil }
        let axis = follow(x, y, isPrecise: isPrecise)
        let delta = axis == .horizontal ? x : y
        let notches = isPrecise ? delta / ScrollSteps.pointsPerNotch : delta
        // A change of direction starts a new step.
        if rest * notches < 0 { rest = 0 }
        rest += min(max(-10, notches), 10)
        let count = Int(rest.rounded(.towardZero))
        rest -= Double(count)
        return count == 0 ? nil : (axis, count)
    }

    /// Returns the axis of the movement, and chooses it if there is none.
    private mutating func follow(_ x: Double, _ y: Double, isPrecise: Bool) -> Axis {
        // GTK need not report the end of a wheel's movement, so an event along the other axis only changes the axis.
        if let axis, isPrecise || (axis == .horizontal ? x : y) != 0 { return axis }
        let new: Axis = abs(x) > abs(y) ? .horizontal : .vertical
        if new != axis { rest = 0 }
        axis = new
        return new
    }
}
