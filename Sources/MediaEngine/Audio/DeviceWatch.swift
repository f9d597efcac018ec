import MediaCore

/// A watchdog for an audio device that does not play. A device gives no sign of this when its server hangs or when it
/// is suspended. A device that has rendered ahead also stands still; a null sink does so for up to two seconds.
///
/// A value type; callers pass the time.
struct DeviceWatch {
    /// The time that a device may stand still, in nanoseconds: `patience` if it played when last checked, otherwise
    /// `impatience`.
    static let patience: Int64 = 2_000_000_000, impatience: Int64 = 500_000_000
    /// The maximum difference between the latency of a device and its configured latency, in nanoseconds. With a larger
    /// one it counts as busy.
    static let tolerance: Int64 = 500_000_000

    /// Whether the device stood still when it was last checked.
    private(set) var isSuspect = false
    private let trust: Int64
    private var movedAt = HostTime.max
    /// The time at which the server was asked for the position since the device last advanced; `nil` if the server was
    /// not asked.
    private var askedAt: HostTime?
    private var index: Int64?

    /// Creates a watch.
    ///
    /// - Parameter trust: The time that a device may stand still if it played before, in nanoseconds.
    init(trust: Int64 = DeviceWatch.patience) { self.trust = trust }

    var patience: Int64 { isSuspect ? DeviceWatch.impatience : trust }

    /// Restarts the watch when audio begins, or silence that shows when the device plays.
    mutating func begin(at now: HostTime) {
        movedAt = now
        index = nil
        askedAt = nil
    }

    /// The time of the next action: a request to the server after half the allowed time, and silence at its end. After
    /// a late request, the response has as much time as usual.
    var due: HostTime {
        guard movedAt != .max else { return .max }
        return askedAt.map { max(movedAt + patience, $0 + patience / 2) } ?? movedAt + patience / 2
    }
    mutating func asked(at now: HostTime) { askedAt = now }
    func isOver(at now: HostTime) -> Bool { askedAt != nil && now >= due }

    /// Records that the device stood still for too long, or reported that it will.
    mutating func gaveUp() { isSuspect = true }

    /// Records that the device advanced, or has nothing to play.
    mutating func moved(at now: HostTime) {
        movedAt = now
        askedAt = nil
    }

    /// Records a timing report: the device has taken the data before `new`.
    ///
    /// - Returns: Whether the device has advanced since the previous report.
    mutating func report(_ new: Int64, at now: HostTime) -> Bool {
        defer { index = new }
        guard let index, new > index else { return false }
        moved(at: now)
        return true
    }

    /// Records that the device plays as expected.
    mutating func settled() { isSuspect = false }
}
