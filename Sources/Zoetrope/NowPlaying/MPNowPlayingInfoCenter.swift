import Foundation

/// What the app says of what it plays. MediaPlayer's class; main actor.
///
/// Players tell the desktop of themselves (`AVPlayer.updatesNowPlayingInfoCenter`): what stands here stands over that.
/// It goes to the session bus by MPRIS; without a bus nothing happens.
@MainActor @preconcurrency
public final class MPNowPlayingInfoCenter {
    private static let shared = MPNowPlayingInfoCenter()
    /// Without any effect of asking for it.
    static var plain: MPNowPlayingInfoCenter { shared }
    /// The process' one. From the first call on what it says is told to the desktop.
    public class func `default`() -> MPNowPlayingInfoCenter {
        AppNowPlaying.shared.activate()
        return shared
    }
    /// `MPNowPlayingSession` has its own.
    init() {}
    var changed: (@MainActor (_ hasJumped: Bool) -> Void)?
    /// When the elapsed time was said, host seconds.
    private var saidAt = 0.0

    /// By the keys `MPMediaItemProperty…` and `MPNowPlayingInfoProperty…`; values of another type than a key's are as
    /// if they were not there. nil: the app has nothing to say.
    public var nowPlayingInfo: [String: Any]? {
        didSet {
            let expected = elapsed(oldValue)
            saidAt = MPNowPlayingInfoCenter.now
            let new = elapsed(nowPlayingInfo)
            changed?(new.map { abs($0 - (expected ?? 0)) > 1 } ?? false)
        }
    }
    /// What the app says of playing; `.unknown`, the default: as the rate in `nowPlayingInfo`, or the player, has it.
    public var playbackState = MPNowPlayingPlaybackState.unknown {
        didSet { if playbackState != oldValue { changed?(false) } }
    }

    static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    /// Seconds, as it goes on from what was said; nil: nothing was.
    var elapsed: Double? { elapsed(nowPlayingInfo) }
    private func elapsed(_ info: [String: Any]?) -> Double? {
        guard let said = MPNowPlayingInfoCenter.number(info?[MPNowPlayingInfoPropertyElapsedPlaybackTime]) else {
            return nil
        }
        let rate = isPlaying(info) ? MPNowPlayingInfoCenter.number(info?[MPNowPlayingInfoPropertyPlaybackRate]) ?? 1 : 0
        let time = said + (MPNowPlayingInfoCenter.now - saidAt) * rate
        let duration = MPNowPlayingInfoCenter.number(info?[MPMediaItemPropertyPlaybackDuration]) ?? .infinity
        return max(0, min(time, max(said, duration)))
    }
    private func isPlaying(_ info: [String: Any]?) -> Bool {
        switch playbackState {
        case .playing: true
        case .paused, .stopped, .interrupted: false
        case .unknown: (MPNowPlayingInfoCenter.number(info?[MPNowPlayingInfoPropertyPlaybackRate]) ?? 1) > 0
        }
    }

    /// A finite number, whichever type the app gave it.
    static func number(_ value: Any?) -> Double? {
        let number: Double? =
            switch value {
            case let value as Double: value
            case let value as Float: Double(value)
            case let value as Int: Double(value)
            case let value as NSNumber: value.doubleValue
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }
}

/// MediaPlayer's states.
public enum MPNowPlayingPlaybackState: UInt, Sendable {
    /// What the players or the playback rate say is told.
    case unknown = 0
    /// Told as such; MPRIS has no interruption, which is told as paused.
    case playing, paused, stopped, interrupted
}
/// MediaPlayer's kinds, the value of `MPNowPlayingInfoPropertyMediaType`.
public enum MPNowPlayingInfoMediaType: UInt, Sendable {
    /// Neither sound nor pictures alone.
    case none = 0
    /// What an item is; MPRIS makes no difference.
    case audio, video
}

// MARK: keys

/// Strings.
public let MPMediaItemPropertyTitle = "title"
/// Strings.
public let MPMediaItemPropertyArtist = "artist"
/// Strings.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// Strings.
public let MPMediaItemPropertyAlbumArtist = "albumArtist"
/// Strings.
public let MPMediaItemPropertyGenre = "genre"
/// Strings.
public let MPMediaItemPropertyComposer = "composer"
/// Strings.
public let MPMediaItemPropertyComments = "comments"
/// Seconds.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// An `MPMediaItemArtwork`.
public let MPMediaItemPropertyArtwork = "artwork"
/// Numbers.
public let MPMediaItemPropertyAlbumTrackNumber = "albumTrackNumber"
/// Numbers; MPRIS has no place for it.
public let MPMediaItemPropertyAlbumTrackCount = "albumTrackCount"
/// Numbers.
public let MPMediaItemPropertyDiscNumber = "discNumber"
/// Numbers; MPRIS has no place for it.
public let MPMediaItemPropertyDiscCount = "discCount"
/// Any value; another one is another track to the desktop.
public let MPMediaItemPropertyPersistentID = "persistentID"
/// Seconds, and how fast they pass.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// Numbers: 1 is as recorded, 0 is told as paused.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
/// Numbers; MPRIS has no place for it.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate = "MPNowPlayingInfoPropertyDefaultPlaybackRate"
/// Numbers.
public let MPNowPlayingInfoPropertyPlaybackQueueIndex = "MPNowPlayingInfoPropertyPlaybackQueueIndex"
/// Numbers; MPRIS has no place for it.
public let MPNowPlayingInfoPropertyPlaybackQueueCount = "MPNowPlayingInfoPropertyPlaybackQueueCount"
/// Numbers; MPRIS has no place for it.
public let MPNowPlayingInfoPropertyChapterNumber = "MPNowPlayingInfoPropertyChapterNumber"
/// Numbers; MPRIS has no place for it.
public let MPNowPlayingInfoPropertyChapterCount = "MPNowPlayingInfoPropertyChapterCount"
/// Numbers, 0…1; MPRIS has no place for it, and takes the elapsed seconds.
public let MPNowPlayingInfoPropertyPlaybackProgress = "MPNowPlayingInfoPropertyPlaybackProgress"
/// A `Bool`.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"
/// A `URL`.
public let MPNowPlayingInfoPropertyAssetURL = "MPNowPlayingInfoPropertyAssetURL"
/// `MPNowPlayingInfoMediaType`'s raw value.
public let MPNowPlayingInfoPropertyMediaType = "MPNowPlayingInfoPropertyMediaType"
/// Strings.
public let MPNowPlayingInfoPropertyExternalContentIdentifier = "MPNowPlayingInfoPropertyExternalContentIdentifier"
/// Strings; MPRIS has no place for it.
public let MPNowPlayingInfoPropertyExternalUserProfileIdentifier =
    "MPNowPlayingInfoPropertyExternalUserProfileIdentifier"
/// Strings; MPRIS has no place for it.
public let MPNowPlayingInfoPropertyServiceIdentifier = "MPNowPlayingInfoPropertyServiceIdentifier"
/// Strings; MPRIS has no place for it.
public let MPNowPlayingInfoCollectionIdentifier = "MPNowPlayingInfoCollectionIdentifier"
/// `[MPNowPlayingInfoLanguageOption]` and `[MPNowPlayingInfoLanguageOptionGroup]`: MPRIS has no place for them.
public let MPNowPlayingInfoPropertyCurrentLanguageOptions = "MPNowPlayingInfoPropertyCurrentLanguageOptions"
/// `[MPNowPlayingInfoLanguageOptionGroup]`: MPRIS has no place for them.
public let MPNowPlayingInfoPropertyAvailableLanguageOptions = "MPNowPlayingInfoPropertyAvailableLanguageOptions"
/// A `Date`.
public let MPNowPlayingInfoPropertyCurrentPlaybackDate = "MPNowPlayingInfoPropertyCurrentPlaybackDate"
