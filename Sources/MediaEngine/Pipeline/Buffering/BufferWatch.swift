import MediaCore

/// The decisions for a remote source: when playback starts, stops for lack of data and resumes. A value type; callers
/// pass the time.
///
/// **Underrun.** The clock stops just before the audio runs out, or the video if there is no audio. Nothing is skipped
/// and the audio does not crackle. The clock resumes when the source is likely to keep up (`BufferStatus`). If the app
/// does not wait (`automaticallyWaitsToMinimizeStalling`), it resumes with the data that is available.
struct BufferWatch {
    /// The audio that the device must still hold when the clock stops, in nanoseconds. It exceeds the amount that the
    /// audio server reads at once.
    static let starvingMargin: Int64 = 150_000_000
    /// The time in nanoseconds within which the feeder must receive data that the source reports. After that time, the
    /// data counts as missing. Waking a thread takes less time.
    private static let dryTimeout: Int64 = 250_000_000
    /// The data that must be available before playback starts if the app does not wait.
    private static let leastAhead: MediaTime = 100_000_000

    /// The remote source that is being read, and its entry; `nil` if the source is local.
    private(set) var source: (buffer: any SourceBuffer, entry: PlaybackEntry)?
    /// Whether playback waits until the source is likely to keep up.
    var waits = true
    /// Whether the next start ignores `waits`.
    var beginsAtOnce = false
    /// The duration to load ahead; 0 lets the source decide.
    var forwardDuration: MediaTime = 0

    /// The time at which the clock stopped because data was missing; `nil` if it has not.
    private var starvedSince: HostTime?
    /// The duration that the source reported as available when the clock stopped without data, and the serial of that
    /// stop.
    private var missing: (serial: Int, ahead: MediaTime)?
    /// The time since which the decoders have had no data although the source reported some.
    private var drySince: HostTime?

    var isStarved: Bool { starvedSince != nil }

    mutating func attach(_ new: (buffer: any SourceBuffer, entry: PlaybackEntry)?) { source = new }

    /// Records that the clock stops for lack of data in `serial`.
    ///
    /// - Parameter ahead: The duration that the source reports as available.
    mutating func starve(at now: HostTime, serial: Int, ahead: MediaTime) {
        missing = (serial, ahead)
        drySince = nil
        starvedSince = now
    }

    /// Ends a stop for lack of data.
    ///
    /// - Returns: The length of the stop in nanoseconds; `nil` if the clock was not stopped for lack of data.
    mutating func endStarving(at now: HostTime) -> Int64? {
        defer { starvedSince = nil }
        return starvedSince.map { now - $0 }
    }
    /// Returns how long the clock has been stopped for lack of data, in nanoseconds.
    func starved(at now: HostTime) -> Int64 { starvedSince.map { now - $0 } ?? 0 }

    /// Returns whether the clock is stopped for data of `serial`, even if the item being fed has not begun to play.
    func isAwaited(in serial: Int) -> Bool { isStarved && missing?.serial == serial }

    /// Returns `status` with the duration ahead corrected: the data was used up when the clock stopped, even if the
    /// source reported more. For a container without an index, the source only estimates durations from bytes.
    func corrected(_ status: BufferStatus, in serial: Int) -> BufferStatus {
        guard isStarved, let missing, missing.serial == serial else { return status }
        var status = status
        status.ahead = max(0, status.ahead - missing.ahead)
        return status
    }

    /// Returns whether the available data is enough to start or resume.
    func isEnough(_ status: BufferStatus) -> Bool {
        status.isLikelyToKeepUp || (!waits || beginsAtOnce) && status.ahead > BufferWatch.leastAhead
    }

    enum Dryness: Equatable {
        /// The clock has to stop.
        case starved
        /// Check again at this time.
        case until(HostTime)
    }

    /// Decides what to do when no packet is available. The packets that were delivered are used up at `due`. The clock
    /// stops then if the network causes the wait. If a thread of the pipeline causes it, the caller checks again after
    /// 10 ms.
    ///
    /// - Parameters:
    ///   - isWaitedFor: Whether a reader is waiting for data from the source.
    ///   - status: Returns the status of the source. Called only if it is needed.
    mutating func dry(at now: HostTime, due: HostTime, isWaitedFor: Bool, status: () -> BufferStatus) -> Dryness {
        guard now >= due else { return .until(due) }
        if isWaitedFor {
            // Data that arrived a moment ago may not have woken the feeder yet. After 250 ms it would have.
            let since = drySince ?? now
            drySince = since
            if now >= since + BufferWatch.dryTimeout || !status().isLikelyToKeepUp { return .starved }
        } else {
            drySince = nil
        }
        return .until(now + 10_000_000)
    }
}
