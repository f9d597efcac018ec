import Zoetrope

/// What kind of thing plays.
public enum MediaType: Sendable { case video, audio, liveVideo, liveAudio }

/// Something that a `PlayerModel` plays, and what is said of it.
public protocol Playable: Hashable, Sendable {
    var title: String { get }
    var subtitle: String? { get }
    var synopsis: String? { get }
    var poster: Artwork? { get }
    /// What plays: a file, or an address that `AVURLAsset` takes.
    var asset: URL { get }
    /// A small version of it, for pictures of places that are sought; nil: there are none.
    var previewAsset: URL? { get }
    var mediaType: MediaType { get }
    var releaseYear: Int? { get }
    var contentRating: String? { get }
    var genres: [String]? { get }
    /// More of the app's own; `[]` when there is none. It goes before what comes of the properties.
    func extraExternalMetadata() -> [AVMetadataItem]
}

extension Playable {
    public var isLive: Bool { mediaType == .liveVideo || mediaType == .liveAudio }
    public var isVideo: Bool { mediaType == .video || mediaType == .liveVideo }
}
