import MediaCore

/// Whether a sound device moves: it is silent about itself when its server hangs, when it was put to sleep, or when it
/// has rendered ahead while nobody played (a null sink does, for up to two seconds).
///
/// It asks no clock: times are handed in.
struct DeviceWatch {
    /// Nanoseconds. A device that moved before may stand this long; one that did not when last looked at, that long.
    static let patience: Int64 = 2_000_000_000, impatience: Int64 = 500_000_000
    /// What a device holds, and how much of it it was asked to hold, may differ by this before it is called busy.
    static let tolerance: Int64 = 500_000_000

    /// It stood when last looked at.
    private(set) var isSuspect = false
    private let trust: Int64
    private var movedAt = HostTime.max
    /// When the server was asked where it is, since the device moved last.
    private var askedAt: HostTime?
    private var index: Int64?

    /// - Parameter trust: how long a device that moved before may stand, nanoseconds.
    init(trust: Int64 = DeviceWatch.patience) { self.trust = trust }

    var patience: Int64 { isSuspect ? DeviceWatch.impatience : trust }

    /// Sound begins now, or silence that is to show when the device moves.
    mutating func begin(at now: HostTime) {
        movedAt = now
        index = nil
        askedAt = nil
    }

    /// When to look next: to ask at half the time, and to go on without the device at the end of it. Whoever looks late
    /// asks late, and waits for the answer as long.
    var due: HostTime {
        guard movedAt != .max else { return .max }
        return askedAt.map { max(movedAt + patience, $0 + patience / 2) } ?? movedAt + patience / 2
    }
    mutating func asked(at now: HostTime) { askedAt = now }
    func isOver(at now: HostTime) -> Bool { askedAt != nil && now >= due }

    /// The device has not moved for too long, or says that it will not.
    mutating func gaveUp() { isSuspect = true }

    /// It moves, or has nothing to move for.
    mutating func moved(at now: HostTime) {
        movedAt = now
        askedAt = nil
    }

    /// A report: the device has taken what lies before `new`. True when it has moved since the report before.
    mutating func report(_ new: Int64, at now: HostTime) -> Bool {
        defer { index = new }
        guard let index, new > index else { return false }
        moved(at: now)
        return true
    }

    /// It is heard as it should be.
    mutating func settled() { isSuspect = false }
}
