import Zoetrope

/// What kind of thing plays.
public enum MediaType: Sendable {
    /// With pictures, sound alone, and both as they are broadcast. Of live ones no place is kept, and desktops are told
    /// that they are.
    case video, audio, liveVideo, liveAudio
}

/// Something that a `PlayerModel` plays, and what is said of it.
public protocol Playable: Hashable, Sendable {
    /// What it is called, in controls and on the desktop.
    var title: String { get }
    /// A line below the title; nil: none.
    var subtitle: String? { get }
    /// What it is about, a few sentences; desktops are told as comments. Nil: nothing.
    var synopsis: String? { get }
    /// Its artwork, which desktops show: the upright picture. One that cannot be had is logged, and left out. Nil: none.
    var poster: Artwork? { get }
    /// What plays: a file, or an address that `AVURLAsset` takes.
    var asset: URL { get }
    /// A small version of it, for pictures of places that are sought; nil: there are none.
    var previewAsset: URL? { get }
    /// What it says of itself. One that claims a video and has no picture sets the model's state to
    /// `.paused(reason: .error)`, with `AVPlayerItemError.missingVideoTrack`.
    var mediaType: MediaType { get }
    /// The year, of the common era; nil: not told.
    var releaseYear: Int? { get }
    /// As the rating's authority writes it (“PG-13”); nil: not told.
    var contentRating: String? { get }
    /// Any words; nil or empty: not told.
    var genres: [String]? { get }
    /// More of the app's own; `[]` when there is none. It goes before what comes of the properties.
    func extraExternalMetadata() -> [AVMetadataItem]
}

extension Playable {
    /// `mediaType` is one of the live ones.
    public var isLive: Bool { mediaType == .liveVideo || mediaType == .liveAudio }
    /// `mediaType` is one of those with pictures.
    public var isVideo: Bool { mediaType == .video || mediaType == .liveVideo }
}
