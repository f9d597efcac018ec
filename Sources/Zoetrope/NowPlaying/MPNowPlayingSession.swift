import DesktopServices
import MediaEngine

/// A group of players that appears on the desktop as one, with its own metadata and commands. MediaPlayer's class.
///
/// ```swift
/// let session = MPNowPlayingSession(players: [player])
/// session.automaticallyPublishesNowPlayingInfo = true
/// session.remoteCommandCenter.nextTrackCommand.addTarget { _ in
///     showNext()
///     return .success
/// }
/// session.becomeActiveIfPossible()
/// ```
/// While the session is active, the desktop shows and controls only its players: the one that started last. When the
/// active session is released, the desktop shows the app's own metadata again, or that of the players.
@MainActor @preconcurrency
public final class MPNowPlayingSession {
    /// The players of the session, in the order in which they were added. The session holds them.
    public var players: [AVPlayer] { app.players ?? [] }
    /// The object that is notified when the session becomes active. The session does not hold it.
    public weak var delegate: (any MPNowPlayingSessionDelegate)?
    /// The metadata of the session. The app's own center has no effect on it.
    public let nowPlayingInfoCenter = MPNowPlayingInfoCenter()
    /// The commands that the session receives while it is active. The app's own center receives none of them then.
    public let remoteCommandCenter = MPRemoteCommandCenter()
    /// Whether the metadata that the players publish themselves is used. Default: false, as in MediaPlayer.
    ///
    /// The values in `nowPlayingInfoCenter` take precedence.
    public var automaticallyPublishesNowPlayingInfo = false {
        didSet {
            app.ignoresPlayerMetadata = !automaticallyPublishesNowPlayingInfo
            NowPlayingHub.shared.changed()
        }
    }
    private let app: AppNowPlaying

    /// Creates a session.
    /// - Parameter players: The players. Without any, the session can't become active until one is added.
    public init(players: [AVPlayer]) {
        app = AppNowPlaying(nowPlayingInfoCenter, remoteCommandCenter, players: players)
        app.ignoresPlayerMetadata = true
        app.connect()
    }
    isolated deinit { app.deactivate() }

    /// Adds a player at the end. A player of the session is not added again.
    public func addPlayer(_ player: AVPlayer) {
        if !players.contains(where: { $0 === player }) { app.players = players + [player] }
    }
    /// Removes a player. A player that is not part of the session is ignored.
    public func removePlayer(_ player: AVPlayer) { app.players = players.filter { $0 !== player } }

    /// Whether the desktop shows this session.
    public var isActive: Bool { NowPlayingHub.shared.app === app }
    /// Whether one of the players has an item.
    public var canBecomeActive: Bool { players.contains { $0.currentItem != nil } }

    /// Makes the desktop show this session instead of another session or the app's own metadata, if a player has an
    /// item.
    /// - Parameter completion: Called before the method returns, with true if the session is active now, otherwise with
    ///   false.
    public func becomeActiveIfPossible(completion: (@MainActor (Bool) -> Void)? = nil) {
        if withoutObservationTracking({ canBecomeActive }), !isActive {
            NowPlayingHub.shared.app = app
            delegate?.nowPlayingSessionDidChangeActive(self)
        }
        completion?(isActive)
    }
}

/// A delegate of a session. MediaPlayer's protocol.
@MainActor @preconcurrency
public protocol MPNowPlayingSessionDelegate: AnyObject {
    /// Called when the session has become the active one. There is no call when another session replaces it.
    func nowPlayingSessionDidChangeActive(_ nowPlayingSession: MPNowPlayingSession)
    /// Never called. Read `canBecomeActive` instead.
    func nowPlayingSessionDidChangeCanBecomeActive(_ nowPlayingSession: MPNowPlayingSession)
}
extension MPNowPlayingSessionDelegate {
    /// Does nothing.
    public func nowPlayingSessionDidChangeActive(_ nowPlayingSession: MPNowPlayingSession) {}
    /// Does nothing.
    public func nowPlayingSessionDidChangeCanBecomeActive(_ nowPlayingSession: MPNowPlayingSession) {}
}
