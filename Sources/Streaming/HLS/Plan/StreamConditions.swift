import Foundation
import MediaCore

/// The conditions that a `StreamPlan` reads for its decisions. All members return immediately and change nothing.
protocol StreamConditions {
    var now: HostTime { get }
    /// A number in 0…1 that spreads the retries of many players.
    var random: Double { get }
    /// The media time of the displayed frame in nanoseconds, or nil if none has been displayed.
    var shownTime: Int64? { get }
    /// The duration that the player wants to be loaded ahead, in nanoseconds.
    var forwardDuration: Int64 { get }
    /// The throughput of an earlier stream from the same server in bits per second, or nil if there was none.
    var rememberedBitRate: Double? { get }
    func playlist(_ url: URL) -> KnownPlaylist
    /// Returns whether the reader is blocked until the next segment arrives.
    func isAwaited(_ role: StreamRole) -> Bool
    /// Whether the reader is blocked until more data of any rendition arrives.
    var readerWaits: Bool { get }
    /// Returns the progress of the current load, or nil if there is none or its key has not arrived.
    func progress(_ role: StreamRole) -> LoadProgress?
    /// Returns whether the cached segments between two media times use as much memory as they may.
    func cacheIsFull(from playhead: Int64, to position: Int64) -> Bool
}

/// The role of a rendition. At most two renditions play at the same time, each with its own segments.
enum StreamRole: Sendable, Hashable, CaseIterable { case main, audio }

/// The known state of a playlist.
struct KnownPlaylist {
    /// The playlist, or nil before it has arrived.
    var timed: TimedPlaylist?
    var failure: AVError?
    /// Whether another request may succeed.
    var failureIsTransient = false
    /// The last failure, if several reloads in a row have failed. They are still retried, and `timed` can be used.
    var reloadFailure: AVError?
    /// Whether the playlist is reloaded while it is live.
    var isActive = false
    /// Whether the playlist is live and must be reloaded first, because it was not reloaded while the stream was
    /// suspended.
    var isOutdated = false
    /// Whether the playlist must arrive before the stream can be opened.
    var isMissing: Bool { timed == nil || isOutdated }
}

/// The progress of loading a segment.
struct LoadProgress: Sendable {
    var began: HostTime
    var firstByte: HostTime?
    var bytes: Int64 = 0
    /// The expected size in bytes as far as the server has stated it, or nil if it is unknown.
    var total: Int64?
    /// The duration of the segment's parts that have arrived, in nanoseconds.
    var mediaBrought: Int64 = 0
    /// The state of the retries.
    var retry = TransferRetry()
    /// Whether all requested parts have arrived and the server is still producing more.
    var isWaitingForParts = false
}
