import DesktopServices
import Foundation
import MediaEngine

/// Players of which the desktop is told as of one thing, with words and commands of their own. MediaPlayer's class;
/// main actor.
@MainActor @preconcurrency
public final class MPNowPlayingSession {
    /// Those that it tells of, in the order in which they were added.
    public private(set) var players: [AVPlayer]
    /// Told on the main actor.
    public weak var delegate: (any MPNowPlayingSessionDelegate)?
    /// What the app says of this session; `default()`'s is another.
    public let nowPlayingInfoCenter = MPNowPlayingInfoCenter()
    /// The commands for this session; `shared()`'s are others.
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

    /// One more, unless it is there already.
    public func addPlayer(_ player: AVPlayer) {
        if !players.contains(where: { $0 === player }) { players.append(player) }
    }
    /// One less; one that is not there changes nothing.
    public func removePlayer(_ player: AVPlayer) { players.removeAll { $0 === player } }

    /// It is the one that the desktop is told of.
    public var isActive: Bool { NowPlayingHub.shared.app === app }
    /// One of its players has something to play.
    public var canBecomeActive: Bool { players.contains { $0.currentItem != nil } }

    /// The desktop is told of it from now on, instead of another session or the app's own words.
    /// - Parameter completion: called on the main actor, with whether it is active now.
    public func becomeActiveIfPossible(completion: (@MainActor (Bool) -> Void)? = nil) {
        if canBecomeActive, !isActive {
            NowPlayingHub.shared.app = app
            delegate?.nowPlayingSessionDidChangeActive(self)
        }
        completion?(isActive)
    }
}

/// Who wants to know of a session. MediaPlayer's protocol.
@MainActor @preconcurrency
public protocol MPNowPlayingSessionDelegate: AnyObject {
    /// `isActive` has become true, or false.
    func nowPlayingSessionDidChangeActive(_ nowPlayingSession: MPNowPlayingSession)
    /// Kept for what is written for Apple's platforms: never called here.
    func nowPlayingSessionDidChangeCanBecomeActive(_ nowPlayingSession: MPNowPlayingSession)
}
extension MPNowPlayingSessionDelegate {
    public func nowPlayingSessionDidChangeActive(_ nowPlayingSession: MPNowPlayingSession) {}
    public func nowPlayingSessionDidChangeCanBecomeActive(_ nowPlayingSession: MPNowPlayingSession) {}
}
