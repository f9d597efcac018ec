/// The names and values of MPRIS 2.2 (specifications.freedesktop.org/mpris-spec).
package enum MPRIS {
    package static let path = "/org/mpris/MediaPlayer2"
    package static let root = "org.mpris.MediaPlayer2"
    package static let player = "org.mpris.MediaPlayer2.Player"
    package static let trackList = "org.mpris.MediaPlayer2.TrackList"
    /// The path that stands for no track ("The media player's TrackList interface").
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

/// A track of the player.
package struct MPRISTrack: Sendable, Equatable {
    /// An object path, which identifies the track as long as it exists.
    package var id: String
    /// The duration in microseconds, or nil if it is unknown or infinite.
    package var length: Int64?
    /// The metadata, such as `xesam:title`, without `mpris:trackid` and `mpris:length`.
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

/// The properties of the root interface.
package struct MPRISRoot: Sendable, Equatable {
    package var identity = ""
    /// The name of the app's desktop file without its extension, or nil if there is none.
    package var desktopEntry: String?
    package var canQuit = false
    package var canRaise = false
    package var fullscreen = false
    package var canSetFullscreen = false
    package var uriSchemes: [String] = []
    package var mimeTypes: [String] = []
    package init() {}
}

/// The properties of the player interface, except for the position, which changes all the time.
package struct MPRISPlayback: Sendable, Equatable {
    package var status = MPRIS.PlaybackStatus.stopped
    /// The loop status, or nil if the player cannot loop. `shuffle` is nil if the player cannot shuffle.
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

/// A command of another program. The command is possible according to the state, and its numbers are within their
/// limits.
package enum MPRISCommand: Sendable, Equatable {
    case raise, quit
    case setFullscreen(Bool)
    case play, pause, playPause, stop, next, previous
    /// Seeks to a position in the current track, in microseconds.
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
