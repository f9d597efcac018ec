import Foundation
import MediaCore

/// What a `StreamPlan` is told. Loads go by their number: what comes from one that has been dropped is passed over.
enum StreamEvent {
    // The reader and the player.
    /// - Parameter start: media time in nanoseconds; nil: where the stream says.
    case open(StreamSelection, start: Int64?)
    case seek(Int64)
    /// Something that decisions rest on may have changed: time, what is wanted, the cache.
    case look
    case limits(AdaptationLimits)
    case decodingIsTooSlow
    /// Nobody plays it for now.
    case suspend
    case close

    // Playlists.
    case presentationCame(HLSPresentation)
    case presentationFailed(AVError)
    /// It has come, has been reloaded, or has failed.
    case playlistChanged(URL)
    /// Its server has begun another stream under the same name.
    case beganAnew(URL)

    // Segments.
    case progressed(StreamRole, load: Int)
    /// What of a segment in parts has come took this long.
    case partCame(HTTPMetrics)
    /// One try failed, to be answered by `.retry` or `.drop`.
    case failed(StreamRole, load: Int, HTTPError, LoadProgress)
    case came(StreamRole, load: Int, LoadProgress)
    /// It had been loaded before.
    case wasKept(StreamRole, load: Int)
    /// It cannot be loaded at all, or what came is no good: the load is over, and whoever reads the segment meets the
    /// error.
    case broke(StreamRole, load: Int, AVError)

    // What effects asked for.
    case lookAgain(StreamRole)
    case awoke(StreamRole)
    case abandon(StreamRole, load: Int, rung: Int)
    case readmit(Set<Int>)
}

/// What a `StreamPlan` wants done, in this order.
enum StreamEffect {
    // Playlists.
    case loadPresentation
    case present(HLSPresentation)
    /// To be loaded for the first time, unless that is under way or done.
    case need(URL)
    /// Who comes back to it asks anew.
    case forgetFailure(URL)
    /// Reload it while it is live, and of the others only these.
    case play(URL, besides: [URL])
    /// Its numbers count anew; what is known of every other one, of keys and initialization sections is void.
    case forgetStream(except: URL, generation: Int)

    // Segments.
    /// Begin to load; never while the role has another load.
    case load(SegmentOrder)
    /// Parts that the playlist has meanwhile told of.
    case extend(StreamRole, [SegmentFetch.Piece], isLast: Bool)
    /// Nanoseconds until the next try.
    case retry(StreamRole, after: Int64)
    /// End the load under way; whoever reads it meets this.
    case drop(StreamRole, SegmentBuffer.State)
    case feed(StreamRole, Feeding)
    /// What a whole segment took, for the access log.
    case account(StreamRole, duration: Int64, LoadProgress)

    // Time.
    /// Tell `.awoke` then, in the place of what was asked before; nil: not at all.
    case wake(StreamRole, at: HostTime?)
    /// Tell `.lookAgain`, after what else is waiting to be done.
    case lookAgain(StreamRole)
    /// Tell `.abandon`, after the call from the client that is under way.
    case abandonSoon(StreamRole, load: Int, rung: Int)
    /// Tell `.readmit` then.
    case readmit(Set<Int>, at: HostTime)

    // Telling.
    case opened(Result<HLSSession.Opened, AVError>)
    /// A stretch from another rung begins.
    case access(rung: Int, reason: String)
    case abandoned
    /// Bit/s of this server.
    case remember(Double)
    /// There is something new to choose from.
    case chooseSubtitles
    /// They are wanted around another place.
    case moveSubtitles
    case lookForSubtitles
    /// The player is told.
    case changed
    /// The same, now and then.
    case progressed

    enum Feeding {
        case reset
        case end
        /// What comes next is gone: on at this media time.
        case jump(Int64)
        case fail(AVError)
    }
}

/// One segment to be loaded.
struct SegmentOrder {
    enum Content {
        case whole(MediaSegment)
        /// Parts of a segment that is still being made.
        case parts([SegmentFetch.Piece])
    }

    let load: Int
    let role: StreamRole
    /// Where it stands.
    let playlist: URL
    /// What its addresses are relative to: the playlist's own after redirects.
    let base: URL
    let rung: Int?
    let generation: Int
    let mediaSequence: Int
    /// Media time by the playlist, nanoseconds.
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
