import MediaCore

/// A watchdog for an audio device that does not play. A device gives no sign of this when its server hangs or when it
/// is suspended. A device that has rendered ahead also stands still; a null sink does so for up to two seconds.
///
/// A value type; callers pass the time.
struct DeviceWatch {
    /// The time that a device may stand still, in nanoseconds: `timeout` if it played when last checked, otherwise
    /// `shortTimeout`.
    static let timeout: Int64 = 2_000_000_000, shortTimeout: Int64 = 500_000_000
    /// The maximum difference between the latency of a device and its configured latency, in nanoseconds. With a larger
    /// one it counts as busy.
    static let tolerance: Int64 = 500_000_000

    /// Whether the device stood still when it was last checked.
    private(set) var isSuspect = false
    private let normalTimeout: Int64
    private var advancedAt = HostTime.max
    /// The time at which the server was asked for the position since the device last advanced; `nil` if the server was
    /// not asked.
    private var requestedAt: HostTime?
    private var index: Int64?

    /// Creates a watch.
    ///
    /// - Parameter timeout: The time that a device may stand still if it played before, in nanoseconds.
    init(timeout: Int64 = DeviceWatch.timeout) { normalTimeout = timeout }

    var timeout: Int64 { isSuspect ? DeviceWatch.shortTimeout : normalTimeout }

    /// Restarts the watch when audio begins, or silence that shows when the device plays.
    mutating func begin(at now: HostTime) {
        advancedAt = now
        index = nil
        requestedAt = nil
    }

    /// The time of the next action: a request to the server after half the allowed time, and silence at its end. After
    /// a late request, the response has as much time as usual.
    var due: HostTime {
        guard advancedAt != .max else { return .max }
        return requestedAt.map { max(advancedAt + timeout, $0 + timeout / 2) } ?? advancedAt + timeout / 2
    }
    mutating func didRequestPosition(at now: HostTime) { requestedAt = now }
    func isOver(at now: HostTime) -> Bool { requestedAt != nil && now >= due }

    /// Records that the device stood still for too long, or reported that it will.
    mutating func didStall() { isSuspect = true }

    /// Records that the device advanced, or has nothing to play.
    mutating func didAdvance(at now: HostTime) {
        advancedAt = now
        requestedAt = nil
    }

    /// Records a timing report: the device has taken the data before `new`.
    ///
    /// - Returns: Whether the device has advanced since the previous report.
    mutating func report(_ new: Int64, at now: HostTime) -> Bool {
        defer { index = new }
        guard let index, new > index else { return false }
        didAdvance(at: now)
        return true
    }

    /// Records that the device plays as expected.
    mutating func didRecover() { isSuspect = false }
}
