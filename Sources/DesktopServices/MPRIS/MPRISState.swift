/// MPRIS 2.2's words (specifications.freedesktop.org/mpris-spec).
package enum MPRIS {
    package static let path = "/org/mpris/MediaPlayer2"
    package static let root = "org.mpris.MediaPlayer2"
    package static let player = "org.mpris.MediaPlayer2.Player"
    package static let trackList = "org.mpris.MediaPlayer2.TrackList"
    /// No track, where a track is asked for ("The media player's TrackList interface").
    package static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

    package enum PlaybackStatus: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }
    package enum LoopStatus: String, Sendable {
        case none = "None"
        case track = "Track"
        case playlist = "Playlist"
    }
}

/// One entry of what is played.
package struct MPRISTrack: Sendable, Equatable {
    /// An object path of its own, which stays the entry's as long as that is there.
    package var id: String
    /// Microseconds; nil: unknown, or without an end.
    package var length: Int64?
    /// `xesam:title` and others, without `mpris:trackid` and `mpris:length`.
    package var words: [String: BusValue]

    package init(id: String, length: Int64? = nil, words: [String: BusValue] = [:]) {
        (self.id, self.length, self.words) = (id, length.map { max(0, $0) }, words)
    }

    package var metadata: [String: BusValue] {
        var table = words
        table["mpris:trackid"] = .path(id)
        if let length { table["mpris:length"] = .int64(length) }
        return table
    }
}

/// What the root interface tells.
package struct MPRISRoot: Sendable, Equatable {
    package var identity = ""
    /// The name of the app's desktop file without its ending; nil: there is none.
    package var desktopEntry: String?
    package var canQuit = false
    package var canRaise = false
    package var fullscreen = false
    package var canSetFullscreen = false
    package var uriSchemes: [String] = []
    package var mimeTypes: [String] = []
    package init() {}
}

/// What the player interface tells, but for the position, which runs on.
package struct MPRISPlayback: Sendable, Equatable {
    package var status = MPRIS.PlaybackStatus.stopped
    /// nil: the player has no such thing.
    package var loop: MPRIS.LoopStatus?
    package var shuffle: Bool?
    package var rate = 1.0
    package var rates = 1.0...1.0
    package var volume = 1.0
    package var track: MPRISTrack?
    package var canGoNext = false
    package var canGoPrevious = false
    package var canPlay = false
    package var canPause = false
    package var canSeek = false
    package var canControl = true
    package init() {}
}

/// What somebody on the bus wants done. It is possible, by what the state says, and its numbers are within bounds.
package enum MPRISCommand: Sendable, Equatable {
    case raise, quit
    case setFullscreen(Bool)
    case play, pause, playPause, stop, next, previous
    /// To a place in the current track, microseconds.
    case seek(Int64)
    case setRate(Double)
    case setVolume(Double)
    case setLoop(MPRIS.LoopStatus)
    case setShuffle(Bool)
    case open(String)
    case goTo(String)
    case add(uri: String, after: String, makeCurrent: Bool)
    case remove(String)
}
