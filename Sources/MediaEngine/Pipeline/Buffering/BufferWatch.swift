import MediaCore

/// A remote source: when to begin, when to stop for want of data, when to go on. A value that is told what time it is.
///
/// **Underrun.** Time stops just before sound (or, without sound, the picture) runs out, so nothing is skipped and
/// nothing crackles. It goes on when the source is likely to keep up (`BufferStatus`), or at once with whatever there
/// is if the app does not want to wait (`automaticallyWaitsToMinimizeStalling`).
struct BufferWatch {
    /// What the device must still hold when time stops, nanoseconds: more than a server takes at once.
    static let starvingMargin: Int64 = 150_000_000
    /// So long something may be said to be there and not come, nanoseconds: longer than a thread takes to be woken.
    private static let dryPatience: Int64 = 250_000_000
    /// Who does not want to wait begins with so much.
    private static let leastAhead: MediaTime = 100_000_000

    /// What is being fed, when it is remote.
    private(set) var source: (buffer: any SourceBuffer, entry: PlaybackEntry)?
    /// Play only when it is likely to go on.
    var waits = true
    /// But not this time.
    var beginsAtOnce = false
    /// How far ahead is to be loaded; 0: as the source thinks best.
    var forwardDuration: MediaTime = 0

    /// The source could not keep up: time stands until enough of it has come. Since when.
    private var starvedSince: HostTime?
    /// How much was said to lie ahead when it did not, and in which serial.
    private var missing: (serial: Int, ahead: MediaTime)?
    /// Since when there was nothing to play though something was said to be there.
    private var drySince: HostTime?

    var isStarved: Bool { starvedSince != nil }

    mutating func attach(_ new: (buffer: any SourceBuffer, entry: PlaybackEntry)?) { source = new }

    /// Time stops in `serial`, `ahead` of the source's end by what it says.
    mutating func starve(at now: HostTime, serial: Int, ahead: MediaTime) {
        missing = (serial, ahead)
        drySince = nil
        starvedSince = now
    }

    /// - Returns: for how long time stood, nanoseconds; nil: it did not.
    mutating func endStarving(at now: HostTime) -> Int64? {
        defer { starvedSince = nil }
        return starvedSince.map { now - $0 }
    }
    /// For how long it has been standing, nanoseconds.
    func starved(at now: HostTime) -> Int64 { starvedSince.map { now - $0 } ?? 0 }

    /// Time stands for want of what is fed in `serial`: that counts though it may not have begun.
    func isAwaited(in serial: Int) -> Bool { isStarved && missing?.serial == serial }

    /// What the source says, set right: where time stopped nothing was left, whatever was reckoned (a container without
    /// an index knows only bytes).
    func corrected(_ status: BufferStatus, in serial: Int) -> BufferStatus {
        guard isStarved, let missing, missing.serial == serial else { return status }
        var status = status
        status.ahead = max(0, status.ahead - missing.ahead)
        return status
    }

    /// Enough has come to begin, or to go on.
    func isEnough(_ status: BufferStatus) -> Bool {
        status.isLikelyToKeepUp || (!waits || beginsAtOnce) && status.ahead > BufferWatch.leastAhead
    }

    enum Dryness: Equatable {
        /// Time has to stop.
        case starves
        /// Look again then.
        case until(HostTime)
    }

    /// Nothing is at hand, and at `due` what has been handed on is used up: time stops then, if it is the network that
    /// keeps us waiting and not our own threads, which only need a moment.
    /// - Parameter status: asked for only when it counts.
    mutating func dry(at now: HostTime, due: HostTime, isWaitedFor: Bool, status: () -> BufferStatus) -> Dryness {
        guard now >= due else { return .until(due) }
        if isWaitedFor {
            // What came a moment ago may not have woken the feeder yet; a quarter of a second later it would have.
            let since = drySince ?? now
            drySince = since
            if now >= since + BufferWatch.dryPatience || !status().isLikelyToKeepUp { return .starves }
        } else {
            drySince = nil
        }
        return .until(now + 10_000_000)
    }
}
