import Foundation

/// The timeline that all playlists of a stream share.
struct StreamTimeline {
    /// The playlist with which others are aligned.
    private(set) var reference: URL?
    /// The reference before that, or nil if there was none.
    private var former: URL?
    /// The number of times the server has restarted the stream.
    private(set) var generation = 0

    /// Makes the playlist at `url` the one with which others are aligned.
    mutating func follow(_ url: URL) {
        guard url != reference else { return }
        former = reference
        reference = url
    }

    /// Returns the playlist with which a new version of the playlist at `url` is aligned: the one that is played beside
    /// it or was played before it.
    func reference(besides url: URL) -> URL? { url == reference ? former : reference }

    /// Records that the server has restarted the stream under the same URL.
    mutating func restart(with url: URL) {
        generation += 1
        reference = url
        former = nil
    }

    /// Returns the start of a playlist's first version on the timeline, and its generation. The first playlist defines
    /// the timeline.
    /// - Parameter known: The reference playlist.
    mutating func align(_ playlist: MediaPlaylist, of url: URL, beside known: TimedPlaylist?) -> (Int64, Int) {
        if let known { return (TimedPlaylist.align(playlist, with: known), known.generation) }
        reference = url
        return (0, generation)
    }
}

/// The target of the last seek, which is the playhead until media at the target has arrived. Times are media times in
/// nanoseconds.
struct SeekTarget {
    private(set) var time: Int64 = 0
    private(set) var isStarting = false

    mutating func move(to new: Int64) {
        time = new
        isStarting = true
    }

    /// Records that media before `end` has arrived. From the target on, the player determines the playhead.
    mutating func mediaArrived(until end: Int64) { if end > time { isStarting = false } }

    /// Returns the playhead.
    /// - Parameter shown: The media time of the displayed frame, or nil if none has been displayed.
    func playhead(shown: Int64?) -> Int64 { isStarting ? time : max(shown ?? time, .min / 2) }
}
