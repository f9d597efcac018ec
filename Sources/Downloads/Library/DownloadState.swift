import Foundation

/// What becomes of a download.
public enum DownloadState: Sendable, Hashable {
    /// Its turn has not come.
    case queued
    /// Its playlists are being read, its size estimated.
    case preparing
    /// Its bytes come.
    case downloading
    /// Something that passes by itself holds it up; it goes on when that has gone.
    case waiting(DownloadError)
    /// By `pause()`.
    case paused
    /// All of it is on the disk.
    case finished
    /// It does not go on by itself; `retry()` begins again where it stands.
    case failed(DownloadError)
    /// Given up by `cancel()` or `remove()`: nothing of it is left.
    case cancelled

    /// Nothing more happens unless somebody asks for it.
    public var isSettled: Bool {
        switch self {
        case .finished, .failed, .cancelled, .paused: true
        case .queued, .preparing, .downloading, .waiting: false
        }
    }
    /// Why it waits or has failed.
    public var error: DownloadError? {
        switch self {
        case .waiting(let error), .failed(let error): error
        default: nil
        }
    }
}

/// How far a download has come. Neither bytes nor seconds go back while it lasts, nor over a new start of the program.
public struct DownloadProgress: Sendable, Hashable {
    /// On the disk, or on the way there.
    public var bytes: Int64 = 0
    /// Of the whole, as far as is known: estimated from bit rates until all has been asked for. 0: unknown.
    public var expectedBytes: Int64 = 0
    /// Of media, whole and playable, seconds; of several renditions the one that is furthest behind.
    public var seconds: Double = 0
    /// Of the whole, seconds; 0: unknown.
    public var expectedSeconds: Double = 0
    /// Bytes a second, over the last few seconds; 0 while nothing comes.
    public var rate: Double = 0

    /// Nothing has come, and nothing is known of the whole.
    public init() {}

    /// 0 … 1: of the bytes while the whole is known or estimated, else of the seconds.
    public var fraction: Double {
        if expectedBytes > 0 { return min(1, Double(bytes) / Double(expectedBytes)) }
        return expectedSeconds > 0 ? min(1, seconds / expectedSeconds) : 0
    }
    /// Seconds; nil while nobody can tell.
    public var remaining: Double? {
        rate > 0 && expectedBytes > 0 ? max(0, Double(expectedBytes - bytes)) / rate : nil
    }
}
