import MediaCore

/// The progress and speed of a download, and the times at which they are reported and stored. The caller passes the
/// current time.
final class JobProgress {
    /// The amounts of a download's media.
    struct Amounts {
        /// The number of received bytes, including those that are not on the disk yet.
        var bytes: Int64 = 0
        var isComplete = false
        /// The duration of the complete media, in seconds: the shortest one among the renditions. Nil if there are no
        /// media renditions.
        var seconds: Double?
        var wholeSeconds: Double = 0
    }
    /// The time of a report.
    enum Report: Equatable {
        case now
        /// After a delay, in nanoseconds.
        case later(Int64)
        /// A report is already scheduled.
        case scheduled
    }

    private static let reportInterval: Int64 = 100_000_000
    private static let storeInterval: Int64 = 2_000_000_000
    private static let estimateInterval: Int64 = 500_000_000
    private static let never = HostTime(nanoseconds: .min / 2)

    private var rate = ProgressRate()
    private var reported = JobProgress.never
    private var stored = JobProgress.never
    private var estimate = (time: JobProgress.never, bytes: Int64(0))
    private var isScheduled = false

    func add(_ bytes: Int64, at now: HostTime) { rate.add(bytes, at: now) }

    /// Returns the time at which to report a change. After `.later`, call `isDue()` when the delay has passed.
    func next(at now: HostTime) -> Report {
        if now - reported >= JobProgress.reportInterval { return .now }
        guard !isScheduled else { return .scheduled }
        isScheduled = true
        return .later(reported + JobProgress.reportInterval - now)
    }

    func isDue() { isScheduled = false }
    func wasReported(at now: HostTime) { reported = now }
    func wasStored(at now: HostTime) { stored = now }
    /// Whether the reported progress should be stored too.
    var isStoreDue: Bool { reported - stored > JobProgress.storeInterval }
    /// Resets the speed, because no more bytes arrive.
    func resetSpeed() { rate = ProgressRate() }

    /// Updates `progress`. Bytes and seconds never decrease: if files are lost, both values stay the same until the
    /// lost media are loaded again.
    ///
    /// - Parameter expectedBytes: Estimates the total size. The estimate is slow, so it is only made every 0.5 s.
    func measure(
        _ amounts: Amounts, expectedBytes: () -> Int64, into progress: inout DownloadProgress, at now: HostTime
    ) {
        progress.bytes = max(progress.bytes, amounts.bytes)
        if now - estimate.time > JobProgress.estimateInterval || amounts.isComplete {
            estimate = (now, expectedBytes())
        }
        progress.expectedBytes = max(estimate.bytes, progress.bytes)
        if let seconds = amounts.seconds { progress.seconds = max(progress.seconds, seconds) }
        progress.expectedSeconds = max(amounts.wholeSeconds, progress.seconds)
        progress.rate = rate.value(at: now)
    }
}

/// A speed in bytes per second, averaged over the last five seconds.
private struct ProgressRate {
    private var pieces: [(time: HostTime, bytes: Int64)] = []

    mutating func add(_ bytes: Int64, at time: HostTime) {
        if let last = pieces.last, time - last.time < 200_000_000 {
            pieces[pieces.count - 1].bytes += bytes
        } else {
            pieces.append((time, bytes))
        }
        if pieces.count > 64 { pieces.removeFirst(32) }
    }

    func value(at now: HostTime) -> Double {
        let recent = pieces.filter { now - $0.time <= 5_000_000_000 }
        guard let first = recent.first else { return 0 }
        return Double(recent.reduce(Int64(0)) { $0.addingSaturating($1.bytes) })
            / max(0.5, Double(now - first.time) / 1e9)
    }
}
