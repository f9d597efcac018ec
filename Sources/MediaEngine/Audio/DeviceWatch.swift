import MediaCore

/// A watchdog that detects an audio device that does not play. The device does not report this when its server hangs or
/// when it is suspended. A device that has rendered ahead also takes no samples for a while: a null sink for up to two
/// seconds.
///
/// A value type; callers pass the time.
struct DeviceWatch {
    /// The time for which a device may take no samples, in nanoseconds: `timeout` if it played when last checked,
    /// otherwise `shortTimeout`.
    static let timeout: Int64 = 2_000_000_000, shortTimeout: Int64 = 500_000_000
    /// The maximum difference between the latency of a device and its configured latency, in nanoseconds. A device with
    /// a larger difference counts as busy.
    static let tolerance: Int64 = 500_000_000

    /// Whether the device took no samples when it was last checked.
    private(set) var isSuspect = false
    private let normalTimeout: Int64
    /// The time at which the device last advanced; `.max` before `begin(at:)`.
    private var advancedAt = HostTime.max
    /// The time of the position request since the device last advanced; `nil` if there was none.
    private var requestedAt: HostTime?
    /// The read index of the last timing report, in bytes; `nil` before the first report.
    private var index: Int64?

    /// Creates a watch.
    ///
    /// - Parameter timeout: The time for which a device that played before may take no samples, in nanoseconds.
    init(timeout: Int64 = DeviceWatch.timeout) { normalTimeout = timeout }

    var timeout: Int64 { isSuspect ? DeviceWatch.shortTimeout : normalTimeout }

    /// Restarts the watch. Called when audio begins, or the silence by which `probe(_:)` tests the device.
    mutating func begin(at now: HostTime) {
        advancedAt = now
        index = nil
        requestedAt = nil
    }

    /// The time of the next action. After half of `timeout`, the position is requested; after all of it, silence
    /// replaces the device. The response has at least half of `timeout`, even after a late request.
    var due: HostTime {
        guard advancedAt != .max else { return .max }
        return requestedAt.map { max(advancedAt + timeout, $0 + timeout / 2) } ?? advancedAt + timeout / 2
    }
    mutating func didRequestPosition(at now: HostTime) { requestedAt = now }
    func isOver(at now: HostTime) -> Bool { requestedAt != nil && now >= due }

    /// Records that the device took no samples for too long, or reported that it is busy.
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
