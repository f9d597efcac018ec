import Foundation
import MediaCore

/// What a `StreamPlan` sees while it decides. Answers at once and changes nothing.
protocol StreamConditions {
    var now: HostTime { get }
    /// In 0…1: spreads the retries of many players.
    var random: Double { get }
    /// The media time being shown, nanoseconds; nil: none yet.
    var shownTime: Int64? { get }
    /// How far ahead the player wants to be loaded, nanoseconds.
    var forwardDuration: Int64 { get }
    /// Bit/s that an earlier stream of the same server found; nil: none.
    var rememberedBitRate: Double? { get }
    func playlist(_ url: URL) -> KnownPlaylist
    /// The reader stands and waits for the next segment.
    func isAwaited(_ role: StreamRole) -> Bool
    /// How the load under way goes; nil while none is, or its key has not come.
    func progress(_ role: StreamRole) -> LoadProgress?
    /// What is kept between the two media times takes as much memory as it may.
    func cacheIsFull(from playhead: Int64, to position: Int64) -> Bool
}

/// The two renditions that play at once, each with segments of its own.
enum StreamRole: Sendable, Hashable, CaseIterable { case main, audio }

/// What is known of a playlist.
struct KnownPlaylist {
    /// Nil before it has come.
    var timed: TimedPlaylist?
    var failure: AVError?
    /// Asking again may help.
    var failureIsTransient = false
    /// It is reloaded while it is live.
    var isActive = false
}

/// How loading a segment goes.
struct LoadProgress: Sendable {
    var began: HostTime
    var firstByte: HostTime?
    var bytes: Int64 = 0
    /// What it will weigh as far as the server has said; nil while unknown.
    var total: Int64?
    /// What of the segment's media its parts have brought, nanoseconds.
    var mediaBrought: Int64 = 0
    /// Its failures.
    var retry = TransferRetry()
    /// All parts that were asked for have come; more are being made.
    var isWaitingForParts = false
}
