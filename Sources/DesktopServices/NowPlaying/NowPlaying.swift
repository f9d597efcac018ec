import Foundation
import MediaEngine

/// The information about a player that is sent to the desktop.
package struct NowPlaying: Sendable, Equatable {
    package var playback = MPRISPlayback()
    package var tracks: [MPRISTrack] = []
    package init() {}
}

/// A player whose playback is shown by the desktop.
@MainActor
package protocol NowPlayingSource: AnyObject {
    var nowPlaying: NowPlaying { get }
    /// The position in the current track, in microseconds.
    var position: Int64 { get }
    /// Whether the desktop should show the player. Once eligible, a player stays so until it has nothing to play.
    var isEligible: Bool { get }
    /// The player, or nil if it was released.
    var player: AVPlayer? { get }
    /// Carries out a command of the desktop, which is possible according to `nowPlaying`. Returns an error for the
    /// caller, or nil.
    func perform(_ command: MPRISCommand) -> BusError?
}

/// An app's own metadata and commands.
@MainActor
package protocol NowPlayingApp: AnyObject {
    /// The players that may be the current source, or nil for all players.
    var players: [AVPlayer]? { get }
    /// Changes the information of the current source.
    ///
    /// - Parameter source: The current source's information, or nil if no player is eligible.
    /// - Returns: The information to show, or nil to show nothing.
    func amend(_ source: NowPlaying?) -> NowPlaying?
    /// The position in microseconds, or nil for the source's own.
    var position: Int64? { get }
    /// Carries out a command.
    ///
    /// - Returns: Nil if the app does not handle the command, so that the source carries it out.
    func perform(_ command: MPRISCommand) -> Result<Void, BusError>?
}

/// The actions of the desktop on the app's window. An app without a window does not set them.
package struct NowPlayingWindow {
    package var isFullscreen: @MainActor () -> Bool?
    package var setFullscreen: @MainActor (Bool) -> Void
    package var raise: @MainActor () -> Void
    package var quit: @MainActor () -> Void
    /// Opens a URL. Nil if the app opens no URLs.
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
