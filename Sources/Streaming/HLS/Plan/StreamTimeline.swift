import Foundation
import MediaCore

/// On which timeline a stream's playlists lie.
struct StreamTimeline {
    /// The playlist beside which others are laid.
    private(set) var reference: URL?
    /// The number of times the server has restarted the stream.
    private(set) var generation = 0

    /// Others are laid beside the one at `url` from now on.
    mutating func follow(_ url: URL) { reference = url }

    /// The server of the one at `url` has begun another stream under the same name.
    mutating func beginAnew(with url: URL) {
        generation += 1
        reference = url
    }

    /// Where a first version of a playlist lies: the first of all begins the timeline.
    /// - Parameter known: the reference.
    mutating func place(_ playlist: MediaPlaylist, of url: URL, beside known: TimedPlaylist?) -> (Int64, Int) {
        if let known { return (TimedPlaylist.align(playlist, with: known), known.generation) }
        reference = url
        return (0, generation)
    }
}

/// Where the last seek goes, and the playhead until something of it is shown. Media time, nanoseconds.
struct SeekTarget {
    private(set) var time: Int64 = 0
    private(set) var isStarting = false

    mutating func move(to new: Int64) {
        time = new
        isStarting = true
    }

    /// What lies before `end` has come: from where the reader begins on, the playhead is the player's.
    mutating func came(until end: Int64) { if end > time { isStarting = false } }

    /// - Parameter shown: the media time being shown; nil: none yet.
    func playhead(shown: Int64?) -> Int64 { isStarting ? time : max(shown ?? time, .min / 2) }
}
