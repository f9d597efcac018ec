import DesktopServices
import Foundation
import MediaEngine

/// Players of which the desktop is told as of one thing, with words and commands of their own. MediaPlayer's class;
/// main actor.
@MainActor @preconcurrency
public final class MPNowPlayingSession {
    /// Those it speaks for, in the order they came. They are held.
    public private(set) var players: [AVPlayer]
    /// Who is told when it becomes active; not held.
    public weak var delegate: (any MPNowPlayingSessionDelegate)?
    /// What the session says of what plays; the app's own has no part in it.
    public let nowPlayingInfoCenter = MPNowPlayingInfoCenter()
    /// The commands that come while it is active; the app's own get none of them.
    public let remoteCommandCenter = MPRemoteCommandCenter()
    /// What its players tell by themselves is told; what `nowPlayingInfoCenter` says stands over it. Default false, as
    /// MediaPlayer's.
    public var automaticallyPublishesNowPlayingInfo = false {
        didSet {
            app.isAlone = !automaticallyPublishesNowPlayingInfo
            NowPlayingHub.shared.changed()
        }
    }
    private let app: AppNowPlaying

    /// - Parameter players: at least one, as MediaPlayer's.
    public init(players: [AVPlayer]) {
        self.players = players
        app = AppNowPlaying(nowPlayingInfoCenter, remoteCommandCenter)
        app.isAlone = true
        app.connect()
    }

    /// Adds a player behind the others; one that it has already changes nothing.
    public func addPlayer(_ player: AVPlayer) {
        if !players.contains(where: { $0 === player }) { players.append(player) }
    }
    /// Lets go of a player; one that it does not have changes nothing.
    public func removePlayer(_ player: AVPlayer) { players.removeAll { $0 === player } }

    /// It is the one that the desktop is told of.
    public var isActive: Bool { NowPlayingHub.shared.app === app }
    /// One of its players has something to play.
    public var canBecomeActive: Bool { players.contains { $0.currentItem != nil } }

    /// The desktop is told of it from now on, instead of another session or the app's own words.
    /// - Parameter completion: called on the main actor, with whether it is active now.
    public func becomeActiveIfPossible(completion: (@MainActor (Bool) -> Void)? = nil) {
        if withoutObservationTracking({ canBecomeActive }), !isActive {
            NowPlayingHub.shared.app = app
            delegate?.nowPlayingSessionDidChangeActive(self)
        }
        completion?(isActive)
    }
}

/// Who wants to know of a session. MediaPlayer's protocol.
@MainActor @preconcurrency
public protocol MPNowPlayingSessionDelegate: AnyObject {
    /// It is now the one that the desktop is told of. That another one took its place is not told.
    func nowPlayingSessionDidChangeActive(_ nowPlayingSession: MPNowPlayingSession)
    /// Never called here: look at `canBecomeActive`.
    func nowPlayingSessionDidChangeCanBecomeActive(_ nowPlayingSession: MPNowPlayingSession)
}
extension MPNowPlayingSessionDelegate {
    /// Does nothing.
    public func nowPlayingSessionDidChangeActive(_ nowPlayingSession: MPNowPlayingSession) {}
    /// Does nothing.
    public func nowPlayingSessionDidChangeCanBecomeActive(_ nowPlayingSession: MPNowPlayingSession) {}
}
