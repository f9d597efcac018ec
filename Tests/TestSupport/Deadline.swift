/// The end of the time that a test waits for something that has to happen.
///
/// The time is generous, as a wait ends when what is awaited happens: only a test that fails waits so long, and a
/// machine with other work needs a multiple of the usual time. The clock is monotonic: setting the machine's clock ends
/// no wait.
public struct Deadline: Sendable {
    /// The seconds that a test waits at most, unless the time itself is what is tested.
    public static let seconds: Double = 180

    private let end: ContinuousClock.Instant

    /// - Parameter seconds: how long from now on.
    public init(seconds: Double = Deadline.seconds) { end = .now + .seconds(seconds) }

    /// Whether the time is over.
    public var isPast: Bool { .now >= end }
}
