/// The end of the time for which a test waits for an event.
///
/// The time is generous, because a wait ends as soon as the event happens. Only a failing test waits so long, and a
/// busy machine needs a multiple of the usual time. The clock is monotonic, so setting the machine's clock ends no
/// wait.
public struct Deadline: Sendable {
    /// The maximum number of seconds that a test waits, unless the time itself is tested.
    public static let seconds: Double = 180

    private let end: ContinuousClock.Instant

    /// Creates a deadline.
    /// - Parameter seconds: The number of seconds from now.
    public init(seconds: Double = Deadline.seconds) { end = .now + .seconds(seconds) }

    /// Whether the time has ended.
    public var isPast: Bool { .now >= end }
}
