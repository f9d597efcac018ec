import MediaCore

/// How far a download is, how fast, and when that is reported and stored. Has no clock.
final class JobProgress {
    /// What there is of a download's media.
    struct Amounts {
        /// On the disk, or on the way there.
        var bytes: Int64 = 0
        var isComplete = false
        /// Of media, of the rendition that is furthest behind; nil: there are none.
        var seconds: Double?
        var wholeSeconds: Double = 0
    }
    /// When a report is made.
    enum Report: Equatable {
        case now
        /// After a delay, in nanoseconds.
        case later(Int64)
        /// One is scheduled already.
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

    /// Something has changed. After `.later`, call `isDue()` when that time has passed.
    func next(at now: HostTime) -> Report {
        if now - reported >= JobProgress.reportInterval { return .now }
        guard !isScheduled else { return .scheduled }
        isScheduled = true
        return .later(reported + JobProgress.reportInterval - now)
    }

    func isDue() { isScheduled = false }
    func wasReported(at now: HostTime) { reported = now }
    func wasStored(at now: HostTime) { stored = now }
    /// Whether what was reported is to be stored, too.
    var isStoreDue: Bool { reported - stored > JobProgress.storeInterval }
    /// Nothing comes any more.
    func rest() { rate = ProgressRate() }

    /// Neither bytes nor seconds go back: what was lost on the way is made up for first.
    ///
    /// - Parameter expectedBytes: an estimate that takes long, so it is not made each time.
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

/// Bytes a second over the last five.
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
