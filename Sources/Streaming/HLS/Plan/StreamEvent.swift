import Foundation
import MediaCore

/// An event that a `StreamPlan` handles. Loads are identified by number, and events of a load that has been dropped are
/// ignored.
enum StreamEvent {
    // Events of the reader and the player.
    /// Opens the stream.
    /// - Parameter start: The media time in nanoseconds, or nil for the one that the settings or the stream state.
    case open(StreamSelection, start: Int64?)
    case seek(Int64)
    /// A condition of the decisions may have changed, such as time, demand or the cache.
    case check
    case limits(AdaptationLimits)
    case decodingIsTooSlow
    /// Nothing plays the stream for now.
    case suspend
    case close

    // Events of playlists.
    case didLoadPresentation(HLSPresentation)
    case presentationFailed(AVError)
    /// The playlist was loaded or reloaded, or failed.
    case playlistChanged(URL)
    /// The server has restarted the stream under the same URL.
    case restarted(URL)

    // Events of segments.
    case progressed(StreamRole, load: Int)
    /// A part of a segment has arrived, with these measurements.
    case didLoadPart(HTTPMetrics)
    /// A try has failed. The plan answers with `.retry` or `.drop`.
    case tryFailed(StreamRole, load: Int, HTTPError, LoadProgress)
    case didLoad(StreamRole, load: Int, LoadProgress)
    /// The segment was already in the cache.
    case wasCached(StreamRole, load: Int)
    /// The segment cannot be loaded, or its data is invalid. The load is over, and a read of the segment throws the
    /// error.
    case loadFailed(StreamRole, load: Int, AVError)

    // Events that effects have scheduled.
    case checkAgain(StreamRole)
    case timerFired(StreamRole)
    case abandon(StreamRole, load: Int, variant: Int)
    case allowAgain(Set<Int>)
}

/// An action that a `StreamPlan` requests. Actions are carried out in the order in which they are returned.
enum StreamEffect {
    // Actions on playlists.
    case loadPresentation
    case present(HLSPresentation)
    /// Load the playlist, unless it is loading or loaded.
    case need(URL)
    /// Forget the playlist's failure, so that the next use requests it again.
    case forgetFailure(URL)
    /// Reload this playlist while it is live. Of the other playlists, reload only `besides`.
    case play(URL, besides: [URL])
    /// Forget all other playlists, and all keys and initialization sections, because the server has restarted the
    /// stream.
    case forgetStream(except: URL, generation: Int)

    // Actions on segments.
    /// Start a load. The role has no other load.
    case load(SegmentOrder)
    /// Add parts of the segment that have since appeared in the playlist.
    case extend(StreamRole, [SegmentFetch.Piece], isLast: Bool)
    /// Retry after this delay, in nanoseconds.
    case retry(StreamRole, after: Int64)
    /// End the current load. Its reader receives this state.
    case drop(StreamRole, SegmentBuffer.State)
    case feed(StreamRole, Feeding)
    /// Record the measurements of a whole segment in the access log.
    case account(StreamRole, duration: Int64, LoadProgress)

    // Actions on timers.
    /// Send `.timerFired` at this time, in place of the previous timer. nil only cancels that timer.
    case wake(StreamRole, at: HostTime?)
    /// Send `.checkAgain` after all work that is already queued.
    case checkAgain(StreamRole)
    /// Send `.abandon` after the current callback of the HTTP client has returned.
    case abandonSoon(StreamRole, load: Int, variant: Int)
    /// Send `.allowAgain` at this time.
    case allowAgain(Set<Int>, at: HostTime)

    // Notifications.
    case opened(Result<HLSSession.Opened, AVError>)
    /// Segments now come from another variant.
    case access(variant: Int, reason: String)
    case abandoned
    /// Store the measured throughput of this server, in bits per second.
    case remember(Double)
    /// Choose the subtitles again, because other tracks may be available.
    case chooseSubtitles
    /// Load subtitles around another position.
    case moveSubtitles
    case loadSubtitles
    /// Notify the player of a change.
    case changed
    /// Notify the player of progress, at a limited rate.
    case progressed

    enum Feeding {
        case reset
        case end
        /// The next segment is no longer available. Continue at this media time.
        case jump(Int64)
        case fail(AVError)
    }
}

/// A segment that is to be loaded.
struct SegmentOrder {
    enum Content {
        case whole(MediaSegment)
        /// Parts of a segment that is not complete yet.
        case parts([SegmentFetch.Piece])
    }

    let load: Int
    let role: StreamRole
    /// The playlist of the segment.
    let playlist: URL
    /// The URL against which the segment's URIs are resolved: that of the playlist after redirects.
    let base: URL
    let variant: Int?
    let generation: Int
    let mediaSequence: Int
    /// The media time of the segment according to the playlist, in nanoseconds.
    let start: Int64
    let duration: Int64
    let discontinuity: Int
    let map: InitializationSection?
    let content: Content

    var end: Int64 { start + duration }
    var key: SegmentCache.Key {
        SegmentCache.Key(source: playlist.absoluteString, generation: generation, mediaSequence: mediaSequence)
    }
}
