import Zoetrope

/// The type of an item's media.
public enum MediaType: Sendable {
    /// Video; audio only; live video; live audio. For live items, no position is stored, and the desktop receives no
    /// duration.
    case video, audio, liveVideo, liveAudio
}

/// An item that a `PlayerModel` plays, with its metadata.
///
/// ```swift
/// struct Lecture: Playable {
///     let title: String, asset: URL
///     var subtitle: String? { nil }
///     var synopsis: String? { nil }
///     var poster: Artwork? { nil }
///     var previewAsset: URL? { nil }
///     var mediaType: MediaType { .video }
///     var releaseYear: Int? { nil }
///     var contentRating: String? { nil }
///     var genres: [String]? { ["Education"] }
///     func extraExternalMetadata() -> [AVMetadataItem] { [] }
/// }
/// ```
public protocol Playable: Hashable, Sendable {
    /// The title, in controls and on the desktop.
    var title: String { get }
    /// The line below the title; nil for none.
    var subtitle: String? { get }
    /// The description, a few sentences. Desktops receive it as a comment. Nil for none.
    var synopsis: String? { get }
    /// The artwork; nil for none. Desktops show the portrait image. An image that can't be loaded is logged and left
    /// out.
    var poster: Artwork? { get }
    /// The URL of the media: a file, or a URL that `AVURLAsset` accepts.
    var asset: URL { get }
    /// The URL of a small version of the video, for previews of positions; nil for no previews.
    var previewAsset: URL? { get }
    /// The type of the media.
    ///
    /// If a video item has no video track, the model logs a warning. A playing model plays the audio. The state of a
    /// paused model becomes `.paused(reason: .error)` with `AVPlayerItemError.missingVideoTrack`.
    var mediaType: MediaType { get }
    /// The year of the release; nil if it is unknown.
    var releaseYear: Int? { get }
    /// The rating as its authority writes it (“PG-13”); nil if it is unknown.
    var contentRating: String? { get }
    /// The genres; nil or empty if they are unknown.
    var genres: [String]? { get }
    /// Returns additional metadata; `[]` for none. It takes precedence over the metadata from the properties.
    func extraExternalMetadata() -> [AVMetadataItem]
}

extension Playable {
    /// Whether `mediaType` is live video or live audio.
    public var isLive: Bool { mediaType == .liveVideo || mediaType == .liveAudio }
    /// Whether `mediaType` is video or live video.
    public var isVideo: Bool { mediaType == .video || mediaType == .liveVideo }
}
