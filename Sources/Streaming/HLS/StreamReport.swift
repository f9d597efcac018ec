import Foundation
import MediaCore

/// The log of a stream's activity, and the timing of notifications to its player.
@NetworkActor
final class StreamReport {
    /// The minimum interval between notifications while a segment is arriving, in nanoseconds.
    private static let interval: Int64 = 100_000_000

    private let loop: any NetworkLoop
    private let notify: @NetworkActor () -> Void
    private(set) var log = StreamLog()
    /// The resources for which an irregularity has been logged.
    private var noted: Set<URL> = []
    private var timer: (any NetworkTimer)?
    private var lastNotified = HostTime.min

    /// Creates a report.
    /// - Parameter notify: Notifies the player, and calls `didNotify`.
    nonisolated init(loop: any NetworkLoop, notify: @escaping @NetworkActor () -> Void) {
        self.loop = loop
        self.notify = notify
    }

    func stop() { timer?.cancel() }

    func didNotify() { lastNotified = loop.time }

    /// Notifies the player that part of a segment has arrived, at most ten times per second.
    func progressed() {
        guard timer == nil else { return }
        let due = lastNotified + Self.interval
        if loop.time >= due { return notify() }
        timer = loop.schedule(at: due) { [weak self] in
            self?.timer = nil
            self?.notify()
        }
    }

    // MARK: failures

    /// Logs a failed request. The player is notified even if no data arrives.
    func note(_ error: HTTPError) {
        add(StreamLog.Failure(date: Date(), url: error.url, status: error.status, comment: error.reason))
    }

    /// Logs a defect of the stream that does not prevent playback.
    func warn(_ url: URL, _ comment: String, status: Int? = nil) {
        add(StreamLog.Failure(date: Date(), url: url, status: status, comment: comment, isOfContent: true))
    }

    /// Logs a defect of a resource, once for each resource.
    func warnOnce(_ url: URL, _ comment: String) {
        if noted.count < 1000, noted.insert(url).inserted { warn(url, comment) }
    }

    func subtitlesFailed(_ url: URL, status: Int?, _ reason: String) {
        log.add(StreamLog.Failure(date: Date(), url: url, status: status, comment: "subtitles: \(reason)"))
        notify()
    }

    private func add(_ failure: StreamLog.Failure) {
        log.add(failure)
        progressed()
    }

    // MARK: arrived data

    /// Counts received bytes, including those of segments that are abandoned later.
    func tally(_ bytes: Int64) {
        log.bytes += bytes
        changeAccess { $0.bytes += bytes }
    }

    func abandoned() { log.abandoned += 1 }

    /// Begins a log entry, because segments now come from another variant.
    func begin(_ access: StreamLog.Access) { log.add(access) }

    /// Logs a complete segment.
    /// - Parameters:
    ///   - duration: The duration of the media in nanoseconds, or nil for a separate audio rendition.
    ///   - bitRate: The estimated throughput, in bits per second.
    func account(_ progress: LoadProgress, duration: Int64?, bitRate: Double) {
        let now = loop.time
        changeAccess { access in
            access.requests += 1
            access.transferDuration += Double(now - (progress.firstByte ?? progress.began)) / 1e9
            if let duration {
                access.mediaDuration += Double(duration) / 1e9
                if now - progress.began > duration { access.overdue += 1 }
            }
            access.observedBitRate = bitRate
        }
    }

    private func changeAccess(_ change: (inout StreamLog.Access) -> Void) {
        if !log.accesses.isEmpty { change(&log.accesses[log.accesses.count - 1]) }
    }
}
