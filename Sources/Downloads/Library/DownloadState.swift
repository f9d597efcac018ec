/// The state of a download.
///
/// ```swift
/// switch download.state {
/// case .queued, .preparing: Text("Waiting")
/// case .downloading: ProgressView(value: download.progress.fraction)
/// case .waiting(let error), .failed(let error): Text(error.localizedDescription)
/// case .paused: Text("Paused")
/// case .finished: Text("Downloaded")
/// case .cancelled: EmptyView()
/// }
/// ```
public enum DownloadState: Sendable, Hashable {
    /// The download waits until the policy allows it to start.
    case queued
    /// The playlists are being loaded, and the size is being estimated.
    case preparing
    /// The media are being downloaded.
    case downloading
    /// A temporary condition blocks the download. The download resumes automatically when the condition has passed.
    case waiting(DownloadError)
    /// The download was paused by `pause()`, or was added as a paused one.
    case paused
    /// All media are on the disk.
    case finished
    /// The download has failed and does not resume automatically. `retry()` continues from the bytes that are on the
    /// disk.
    case failed(DownloadError)
    /// The download was canceled or removed, and its files are deleted.
    case cancelled

    /// Whether the state stays the same until the app requests a change.
    public var isSettled: Bool {
        switch self {
        case .finished, .failed, .cancelled, .paused: true
        case .queued, .preparing, .downloading, .waiting: false
        }
    }
    /// The error of a waiting or failed download. Nil in all other states.
    public var error: DownloadError? {
        switch self {
        case .waiting(let error), .failed(let error): error
        default: nil
        }
    }
}

/// The progress of a download. The values of `bytes` and `seconds` never decrease while the download is unfinished, not
/// even after a relaunch. When it finishes, `bytes` becomes the exact size, which may be smaller.
///
/// ```swift
/// let progress = download.progress
/// Text("\(Int(progress.fraction * 100))%")
/// if let seconds = progress.remaining { Text("\(Int(seconds)) s left") }
/// ```
public struct DownloadProgress: Sendable, Hashable {
    /// The number of received bytes, including those that are not on the disk yet.
    public var bytes: Int64 = 0
    /// The expected total number of bytes, or 0 if unknown. The value is an estimate from bit rates until the servers
    /// have reported all sizes.
    public var expectedBytes: Int64 = 0
    /// The duration of the complete and playable media, in seconds. If renditions differ, the shortest duration.
    public var seconds: Double = 0
    /// The expected total duration, in seconds, or 0 if unknown.
    public var expectedSeconds: Double = 0
    /// The download speed, in bytes per second, averaged over the last few seconds; 0 while nothing arrives.
    public var rate: Double = 0

    /// Creates a progress without any bytes and with an unknown total.
    public init() {}

    /// The completed fraction, 0 … 1: of the bytes if their total is known or estimated, otherwise of the seconds.
    public var fraction: Double {
        if expectedBytes > 0 { return min(1, Double(bytes) / Double(expectedBytes)) }
        return expectedSeconds > 0 ? min(1, seconds / expectedSeconds) : 0
    }
    /// The estimated remaining time, in seconds, or nil if it cannot be estimated.
    public var remaining: Double? {
        rate > 0 && expectedBytes > 0 ? max(0, Double(expectedBytes - bytes)) / rate : nil
    }
}
