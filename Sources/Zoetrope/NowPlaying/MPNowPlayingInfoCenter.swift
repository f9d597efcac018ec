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
    /// The app's own. Asking for it makes the desktop hear of what the app says, unless a session is active.
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
    /// Not said: the rate, or the player, tells.
    case unknown = 0
    /// Playing; standing; over; and stopped by something else, which the desktop is told as standing.
    case playing, paused, stopped, interrupted
}
/// MediaPlayer's kinds, the value of `MPNowPlayingInfoPropertyMediaType`.
public enum MPNowPlayingInfoMediaType: UInt, Sendable {
    /// Not said.
    case none = 0
    /// Sound alone; pictures, with or without sound.
    case audio, video
}

// MARK: keys

/// Strings.
public let MPMediaItemPropertyTitle = "title"
/// A `String`; MPRIS's `xesam:artist`, the first 1000 characters.
public let MPMediaItemPropertyArtist = "artist"
/// A `String`; MPRIS's `xesam:album`, the first 1000 characters.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// A `String`; MPRIS's `xesam:albumArtist`, the first 1000 characters.
public let MPMediaItemPropertyAlbumArtist = "albumArtist"
/// A `String`; MPRIS's `xesam:genre`, the first 1000 characters.
public let MPMediaItemPropertyGenre = "genre"
/// A `String`; MPRIS's `xesam:composer`, the first 1000 characters.
public let MPMediaItemPropertyComposer = "composer"
/// A `String`; MPRIS's `xesam:comment`, the first 1000 characters.
public let MPMediaItemPropertyComments = "comments"
/// Seconds.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// An `MPMediaItemArtwork`.
public let MPMediaItemPropertyArtwork = "artwork"
/// Numbers.
public let MPMediaItemPropertyAlbumTrackNumber = "albumTrackNumber"
/// A number; kept, and told to nobody: MPRIS has no place for it.
public let MPMediaItemPropertyAlbumTrackCount = "albumTrackCount"
/// A number from 0 on, clamped; MPRIS's `xesam:discNumber`.
public let MPMediaItemPropertyDiscNumber = "discNumber"
/// A number; kept, and told to nobody: MPRIS has no place for it.
public let MPMediaItemPropertyDiscCount = "discCount"
/// A number; not told, but another one means another thing that plays.
public let MPMediaItemPropertyPersistentID = "persistentID"
/// Seconds, and how fast they pass.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// A number: more than 0 plays so many times as fast, 0 and less stands.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
/// A number; kept, and told to nobody: MPRIS has no place for it.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate = "MPNowPlayingInfoPropertyDefaultPlaybackRate"
/// Numbers.
public let MPNowPlayingInfoPropertyPlaybackQueueIndex = "MPNowPlayingInfoPropertyPlaybackQueueIndex"
/// A number; kept, and told to nobody: MPRIS has no place for it.
public let MPNowPlayingInfoPropertyPlaybackQueueCount = "MPNowPlayingInfoPropertyPlaybackQueueCount"
/// A number; kept, and told to nobody: MPRIS has no place for it.
public let MPNowPlayingInfoPropertyChapterNumber = "MPNowPlayingInfoPropertyChapterNumber"
/// A number; kept, and told to nobody: MPRIS has no place for it.
public let MPNowPlayingInfoPropertyChapterCount = "MPNowPlayingInfoPropertyChapterCount"
/// A number, 0…1; kept, and told to nobody: MPRIS has no place for it.
public let MPNowPlayingInfoPropertyPlaybackProgress = "MPNowPlayingInfoPropertyPlaybackProgress"
/// A `Bool`.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"
/// A `URL`.
public let MPNowPlayingInfoPropertyAssetURL = "MPNowPlayingInfoPropertyAssetURL"
/// `MPNowPlayingInfoMediaType`'s raw value.
public let MPNowPlayingInfoPropertyMediaType = "MPNowPlayingInfoPropertyMediaType"
/// Strings.
public let MPNowPlayingInfoPropertyExternalContentIdentifier = "MPNowPlayingInfoPropertyExternalContentIdentifier"
/// A `String`; kept, and told to nobody: MPRIS has no place for it.
public let MPNowPlayingInfoPropertyExternalUserProfileIdentifier =
    "MPNowPlayingInfoPropertyExternalUserProfileIdentifier"
/// A `String`; kept, and told to nobody: MPRIS has no place for it.
public let MPNowPlayingInfoPropertyServiceIdentifier = "MPNowPlayingInfoPropertyServiceIdentifier"
/// A `String`; kept, and told to nobody: MPRIS has no place for it.
public let MPNowPlayingInfoCollectionIdentifier = "MPNowPlayingInfoCollectionIdentifier"
/// `[MPNowPlayingInfoLanguageOption]` and `[MPNowPlayingInfoLanguageOptionGroup]`: MPRIS has no place for them.
public let MPNowPlayingInfoPropertyCurrentLanguageOptions = "MPNowPlayingInfoPropertyCurrentLanguageOptions"
/// `[MPNowPlayingInfoLanguageOptionGroup]`; kept, and told to nobody: MPRIS has no place for it.
public let MPNowPlayingInfoPropertyAvailableLanguageOptions = "MPNowPlayingInfoPropertyAvailableLanguageOptions"
/// A `Date`.
public let MPNowPlayingInfoPropertyCurrentPlaybackDate = "MPNowPlayingInfoPropertyCurrentPlaybackDate"
