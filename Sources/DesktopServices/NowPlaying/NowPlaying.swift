import Foundation

/// What is told of one player.
package struct NowPlaying: Sendable, Equatable {
    package var playback = MPRISPlayback()
    package var tracks: [MPRISTrack] = []
    package init() {}
}

/// Something that plays, as the desktop is told of it.
@MainActor
package protocol NowPlayingSource: AnyObject {
    var nowPlaying: NowPlaying { get }
    /// Microseconds, in the current track.
    var position: Int64 { get }
    /// It is worth telling of. Once told of, a source stays until it has nothing to play.
    var isEligible: Bool { get }
    var isAlive: Bool { get }
    /// Whoever it is told to wants this done; it is possible by what `nowPlaying` says.
    func perform(_ command: MPRISCommand) -> BusError?
}

/// What an app has to say of its own: the words it shows, and the commands it takes.
@MainActor
package protocol NowPlayingApp: AnyObject {
    /// Puts its own words and abilities over what the current source tells (nil: nothing plays that is told of by
    /// itself); nil: there is nothing to tell.
    func amend(_ source: NowPlaying?) -> NowPlaying?
    /// nil: the source's.
    var position: Int64? { get }
    /// - Returns: nil when the app has no say in it: then the source does it.
    func perform(_ command: MPRISCommand) -> Result<Void, BusError>?
}

/// What the desktop can do with the app's window. An app without one has none.
package struct NowPlayingWindow {
    package var isFullscreen: @MainActor () -> Bool?
    package var setFullscreen: @MainActor (Bool) -> Void
    package var raise: @MainActor () -> Void
    package var quit: @MainActor () -> Void
    /// What the app opens, and how; nil: nothing.
    package var open: (@MainActor (URL) -> Void)?
    package init(
        isFullscreen: @escaping @MainActor () -> Bool?, setFullscreen: @escaping @MainActor (Bool) -> Void,
        raise: @escaping @MainActor () -> Void,
        quit: @escaping @MainActor () -> Void, open: (@MainActor (URL) -> Void)? = nil
    ) {
        (self.isFullscreen, self.setFullscreen, self.raise, self.quit, self.open) = (
            isFullscreen, setFullscreen, raise, quit, open
        )
    }
}
