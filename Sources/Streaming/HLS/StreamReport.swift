import Foundation
import MediaCore

/// What a stream has done, counted for its log, and when its player is notified of it.
@NetworkActor
final class StreamReport {
    /// Between two notifications of what comes in the middle of a segment, nanoseconds.
    private static let interval: Int64 = 100_000_000

    private let loop: any NetworkLoop
    private let notify: @NetworkActor () -> Void
    private(set) var log = StreamLog()
    /// Resources of whose servers something odd has been logged.
    private var noted: Set<URL> = []
    private var timer: (any NetworkTimer)?
    private var lastNotified = HostTime.min

    /// - Parameter notify: notifies the player of what there is, and calls `didNotify`.
    nonisolated init(loop: any NetworkLoop, notify: @escaping @NetworkActor () -> Void) {
        self.loop = loop
        self.notify = notify
    }

    func stop() { timer?.cancel() }

    func didNotify() { lastNotified = loop.time }

    /// Something came, in the middle of a segment: notifies ten times a second at most.
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

    /// A request failed. The player is notified even while nothing comes.
    func note(_ error: HTTPError) {
        add(StreamLog.Failure(date: Date(), url: error.url, status: error.status, comment: error.reason))
    }

    /// What the stream itself lacks, and is played without.
    func warn(_ url: URL, _ comment: String, status: Int? = nil) {
        add(StreamLog.Failure(date: Date(), url: url, status: status, comment: comment, isOfContent: true))
    }

    /// The same, once for each resource.
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

    // MARK: what came

    /// Counts what has come, of segments that are given up too.
    func tally(_ bytes: Int64) {
        log.bytes += bytes
        changeAccess { $0.bytes += bytes }
    }

    func abandoned() { log.abandoned += 1 }

    /// A stretch from another rung begins.
    func begin(_ access: StreamLog.Access) { log.add(access) }

    /// A whole segment has come.
    /// - Parameters:
    ///   - duration: nanoseconds of media; nil: of sound beside the main rendition.
    ///   - bitRate: what the network carries, bit/s.
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
