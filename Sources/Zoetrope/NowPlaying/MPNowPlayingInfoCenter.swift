import Foundation

/// The metadata that the app publishes about the current track. MediaPlayer's class.
///
/// Players publish their metadata themselves (`AVPlayer.updatesNowPlayingInfoCenter`). The app's values take
/// precedence. They are published on the session bus through MPRIS; without a session bus they have no effect.
@MainActor @preconcurrency
public final class MPNowPlayingInfoCenter {
    private static let shared = MPNowPlayingInfoCenter()
    /// The default center. Unlike `default()`, this property does not activate the center.
    static var plain: MPNowPlayingInfoCenter { shared }
    /// Returns the app's center, and publishes its metadata from then on unless a session is active.
    public class func `default`() -> MPNowPlayingInfoCenter {
        AppNowPlaying.shared.activate()
        return shared
    }
    /// Not public, because the only other center is the one of an `MPNowPlayingSession`.
    /// - Parameter now: Returns the host time in seconds.
    init(now: @escaping @MainActor () -> Double = { MPNowPlayingInfoCenter.now }) { self.now = now }
    private let now: @MainActor () -> Double
    var changed: (@MainActor (_ hasJumped: Bool) -> Void)?
    /// The host time at which `nowPlayingInfo` or `playbackState` was set, in seconds, and the elapsed time then. The
    /// elapsed time is nil if no time was published.
    private var anchor: (hostTime: Double, elapsed: Double?) = (0, nil)

    /// The metadata, by the keys `MPMediaItemProperty…` and `MPNowPlayingInfoProperty…`; nil publishes none.
    ///
    /// ```swift
    /// MPNowPlayingInfoCenter.default().nowPlayingInfo = [
    ///     MPMediaItemPropertyTitle: "Sunrise",
    ///     MPMediaItemPropertyArtist: "Ada Moreau",
    ///     MPMediaItemPropertyPlaybackDuration: 184.0,
    ///     MPNowPlayingInfoPropertyElapsedPlaybackTime: 0.0,
    /// ]
    /// ```
    /// A value whose type is not the type of its key is ignored.
    public var nowPlayingInfo: [String: Any]? {
        didSet {
            let expected = elapsed(oldValue)
            let published = nowPlayingInfo?[MPNowPlayingInfoPropertyElapsedPlaybackTime]
            anchor = (now(), MPNowPlayingInfoCenter.number(published))
            changed?(elapsed.map { abs($0 - (expected ?? 0)) > 1 } ?? false)
        }
    }
    /// The playback state that the app publishes. Default: `.unknown`.
    ///
    /// With `.unknown`, the state is derived from the rate in `nowPlayingInfo` or, without a rate, from the player.
    ///
    /// While the state is `.paused`, `.stopped` or `.interrupted`, the elapsed time does not advance.
    public var playbackState = MPNowPlayingPlaybackState.unknown {
        // The time up to now has passed in the former state.
        willSet { anchor = (now(), elapsed) }
        didSet { if playbackState != oldValue { changed?(false) } }
    }

    static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    /// The current elapsed time in seconds, computed from the published time and rate; nil if no time was published.
    var elapsed: Double? { elapsed(nowPlayingInfo) }
    private func elapsed(_ info: [String: Any]?) -> Double? {
        guard let start = anchor.elapsed else { return nil }
        let rate = isPlaying(info) ? MPNowPlayingInfoCenter.number(info?[MPNowPlayingInfoPropertyPlaybackRate]) ?? 1 : 0
        let time = start + (now() - anchor.hostTime) * rate
        let duration = MPNowPlayingInfoCenter.number(info?[MPMediaItemPropertyPlaybackDuration]) ?? .infinity
        return max(0, min(time, max(start, duration)))
    }
    private func isPlaying(_ info: [String: Any]?) -> Bool {
        switch playbackState {
        case .playing: true
        case .paused, .stopped, .interrupted: false
        case .unknown: (MPNowPlayingInfoCenter.number(info?[MPNowPlayingInfoPropertyPlaybackRate]) ?? 1) > 0
        }
    }

    /// Returns a finite number of any type that an app may use; nil for anything else.
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

/// The playback state of the current track. MediaPlayer's numbers.
public enum MPNowPlayingPlaybackState: UInt, Sendable {
    /// The app publishes no state. The state is derived from the rate or from the player.
    case unknown = 0
    /// Playing; paused; stopped; interrupted. The desktop shows an interrupted track as paused.
    case playing, paused, stopped, interrupted
}
/// The type of the current track, for `MPNowPlayingInfoPropertyMediaType`. MediaPlayer's numbers.
public enum MPNowPlayingInfoMediaType: UInt, Sendable {
    /// No type.
    case none = 0
    /// Audio only; video, with or without audio.
    case audio, video
}

// MARK: keys

/// The key of the title, a `String`. Published as MPRIS's `xesam:title`; the first 1000 characters.
public let MPMediaItemPropertyTitle = "title"
/// The key of the artist, a `String`. Published as MPRIS's `xesam:artist`; the first 1000 characters.
public let MPMediaItemPropertyArtist = "artist"
/// The key of the album's title, a `String`. Published as MPRIS's `xesam:album`; the first 1000 characters.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// The key of the album's artist, a `String`. Published as MPRIS's `xesam:albumArtist`; the first 1000 characters.
public let MPMediaItemPropertyAlbumArtist = "albumArtist"
/// The key of the genre, a `String`. Published as MPRIS's `xesam:genre`; the first 1000 characters.
public let MPMediaItemPropertyGenre = "genre"
/// The key of the composer, a `String`. Published as MPRIS's `xesam:composer`; the first 1000 characters.
public let MPMediaItemPropertyComposer = "composer"
/// The key of the comments, a `String`. Published as MPRIS's `xesam:comment`; the first 1000 characters.
public let MPMediaItemPropertyComments = "comments"
/// The key of the duration in seconds, a number. Published as MPRIS's `mpris:length`; a value below 0 counts as 0.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// The key of the artwork, an `MPMediaItemArtwork`. Published as MPRIS's `mpris:artUrl`.
public let MPMediaItemPropertyArtwork = "artwork"
/// The key of the number of the track on its album. Published as MPRIS's `xesam:trackNumber`; a value below 0 counts as
/// 0.
public let MPMediaItemPropertyAlbumTrackNumber = "albumTrackNumber"
/// The key of the number of tracks on the album. Not published, because MPRIS has no field for it.
public let MPMediaItemPropertyAlbumTrackCount = "albumTrackCount"
/// The key of the number of the disc. Published as MPRIS's `xesam:discNumber`; a value below 0 counts as 0.
public let MPMediaItemPropertyDiscNumber = "discNumber"
/// The key of the number of discs. Not published, because MPRIS has no field for it.
public let MPMediaItemPropertyDiscCount = "discCount"
/// The key of the persistent identifier, a number. Not published; another value means another track, unless the
/// metadata of a player is published too.
public let MPMediaItemPropertyPersistentID = "persistentID"
/// The key of the elapsed time in seconds, a number. The time advances with the published rate, or at 1 without a rate.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// The key of the playback rate, a number; 1 is the normal speed. A rate of 0 or less means paused.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
/// The key of the default playback rate, a number. Not published, because MPRIS has no field for it.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate = "MPNowPlayingInfoPropertyDefaultPlaybackRate"
/// The key of the index of the track in the queue, a number. Not published, because MPRIS has no field for it.
public let MPNowPlayingInfoPropertyPlaybackQueueIndex = "MPNowPlayingInfoPropertyPlaybackQueueIndex"
/// The key of the number of tracks in the queue. Not published, because MPRIS has no field for it.
public let MPNowPlayingInfoPropertyPlaybackQueueCount = "MPNowPlayingInfoPropertyPlaybackQueueCount"
/// The key of the number of the current chapter. Not published, because MPRIS has no field for it.
public let MPNowPlayingInfoPropertyChapterNumber = "MPNowPlayingInfoPropertyChapterNumber"
/// The key of the number of chapters. Not published, because MPRIS has no field for it.
public let MPNowPlayingInfoPropertyChapterCount = "MPNowPlayingInfoPropertyChapterCount"
/// The key of the progress, a number from 0 to 1. Not published, because MPRIS has no field for it.
public let MPNowPlayingInfoPropertyPlaybackProgress = "MPNowPlayingInfoPropertyPlaybackProgress"
/// The key of whether the track is a live stream, a `Bool`. With true, no duration is published.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"
/// The key of the URL of the track, a `URL`. Published as MPRIS's `xesam:url`; another value means another track,
/// unless the metadata of a player is published too.
public let MPNowPlayingInfoPropertyAssetURL = "MPNowPlayingInfoPropertyAssetURL"
/// The key of the media type, the raw value of an `MPNowPlayingInfoMediaType`. Not published.
public let MPNowPlayingInfoPropertyMediaType = "MPNowPlayingInfoPropertyMediaType"
/// The key of an identifier that the app chooses, a `String`. Not published; another value means another track, unless
/// the metadata of a player is published too.
public let MPNowPlayingInfoPropertyExternalContentIdentifier = "MPNowPlayingInfoPropertyExternalContentIdentifier"
/// The key of the identifier of the user's profile, a `String`. Not published, because MPRIS has no field for it.
public let MPNowPlayingInfoPropertyExternalUserProfileIdentifier =
    "MPNowPlayingInfoPropertyExternalUserProfileIdentifier"
/// The key of the identifier of the service, a `String`. Not published, because MPRIS has no field for it.
public let MPNowPlayingInfoPropertyServiceIdentifier = "MPNowPlayingInfoPropertyServiceIdentifier"
/// The key of the identifier of the collection, a `String`. Not published, because MPRIS has no field for it.
public let MPNowPlayingInfoCollectionIdentifier = "MPNowPlayingInfoCollectionIdentifier"
/// The key of the selected languages, an `[MPNowPlayingInfoLanguageOption]`. Not published, because MPRIS has no field
/// for it.
public let MPNowPlayingInfoPropertyCurrentLanguageOptions = "MPNowPlayingInfoPropertyCurrentLanguageOptions"
/// The key of the available languages, an `[MPNowPlayingInfoLanguageOptionGroup]`. Not published, because MPRIS has no
/// field for it.
public let MPNowPlayingInfoPropertyAvailableLanguageOptions = "MPNowPlayingInfoPropertyAvailableLanguageOptions"
/// The key of the date at the current position, a `Date`. Not published, because MPRIS has no field for it.
public let MPNowPlayingInfoPropertyCurrentPlaybackDate = "MPNowPlayingInfoPropertyCurrentPlaybackDate"
