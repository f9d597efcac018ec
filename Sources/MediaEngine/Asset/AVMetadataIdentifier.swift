/// The identifier of a metadata item: key space, slash, key. Raw values are AVFoundation's.
public struct AVMetadataIdentifier: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The title.
    public static let commonIdentifierTitle = AVMetadataIdentifier(rawValue: "comn/title")
    /// The performer.
    public static let commonIdentifierArtist = AVMetadataIdentifier(rawValue: "comn/artist")
    /// The album or other collection that contains the item.
    public static let commonIdentifierAlbumName = AVMetadataIdentifier(rawValue: "comn/albumName")
    /// The author.
    public static let commonIdentifierAuthor = AVMetadataIdentifier(rawValue: "comn/author")
    /// The creator; for music, the composer.
    public static let commonIdentifierCreator = AVMetadataIdentifier(rawValue: "comn/creator")
    /// The description.
    public static let commonIdentifierDescription = AVMetadataIdentifier(rawValue: "comn/description")
    /// The creation date in ISO 8601, or only a year, as in the file.
    public static let commonIdentifierCreationDate = AVMetadataIdentifier(rawValue: "comn/creationDate")
    /// The owner of the rights.
    public static let commonIdentifierCopyrights = AVMetadataIdentifier(rawValue: "comn/copyrights")
    /// The genre or kind of work.
    public static let commonIdentifierType = AVMetadataIdentifier(rawValue: "comn/type")
    /// The publisher.
    public static let commonIdentifierPublisher = AVMetadataIdentifier(rawValue: "comn/publisher")
    /// The software that wrote the file.
    public static let commonIdentifierSoftware = AVMetadataIdentifier(rawValue: "comn/software")
    /// The manufacturer of the camera.
    public static let commonIdentifierMake = AVMetadataIdentifier(rawValue: "comn/make")
    /// The model of the camera.
    public static let commonIdentifierModel = AVMetadataIdentifier(rawValue: "comn/model")
    /// The location of the recording in ISO 6709, such as `+48.2082+016.3738/`.
    public static let commonIdentifierLocation = AVMetadataIdentifier(rawValue: "comn/location")
    /// The artwork, as the bytes of an image file.
    public static let commonIdentifierArtwork = AVMetadataIdentifier(rawValue: "comn/artwork")

    // Apps set the following identifiers for display beside the title. Metadata in files has the container's own keys
    // instead.
    /// The title of the song or video.
    public static let iTunesMetadataSongName = AVMetadataIdentifier(rawValue: "itsk/%A9nam")
    /// The performer.
    public static let iTunesMetadataArtist = AVMetadataIdentifier(rawValue: "itsk/%A9ART")
    /// The album or series.
    public static let iTunesMetadataAlbum = AVMetadataIdentifier(rawValue: "itsk/%A9alb")
    /// The subtitle, shown below the title.
    public static let iTunesMetadataTrackSubTitle = AVMetadataIdentifier(rawValue: "itsk/%A9st3")
    /// The content rating, as the rating organization writes it.
    public static let iTunesMetadataContentRating = AVMetadataIdentifier(rawValue: "itsk/rtng")
    /// The genre, as free text.
    public static let iTunesMetadataUserGenre = AVMetadataIdentifier(rawValue: "itsk/%A9gen")
    /// The release date in ISO 8601, or only a year.
    public static let iTunesMetadataReleaseDate = AVMetadataIdentifier(rawValue: "itsk/%A9day")
    /// The description, in a few sentences.
    public static let iTunesMetadataDescription = AVMetadataIdentifier(rawValue: "itsk/desc")
    /// The artwork, as the bytes of an image file.
    public static let iTunesMetadataCoverArt = AVMetadataIdentifier(rawValue: "itsk/covr")
    /// The title.
    public static let quickTimeMetadataTitle = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.title")
    /// The genre, as free text.
    public static let quickTimeMetadataGenre = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.genre")
    /// The performer.
    public static let quickTimeMetadataArtist = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.artist")
    /// The description.
    public static let quickTimeMetadataDescription = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.description")
    /// The creation date in ISO 8601.
    public static let quickTimeMetadataCreationDate = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.creationdate")
}

/// The namespace of a metadata item's key. Raw values are AVFoundation's.
public struct AVMetadataKeySpace: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The keys with a meaning across formats. `AVMetadataKey` lists them.
    public static let common = AVMetadataKeySpace(rawValue: "comn")
    /// `iTunes`: the keys of iTunes. `quickTimeMetadata`: the keys of QuickTime. Items that an app creates have these
    /// keys.
    public static let iTunes = AVMetadataKeySpace(rawValue: "itsk"),
        quickTimeMetadata = AVMetadataKeySpace(rawValue: "mdta")
    /// The keys of `EXT-X-SESSION-DATA` in an HLS stream.
    public static let hlsSessionData = AVMetadataKeySpace(rawValue: "lsdt")
    /// The container's own keys. Not part of AVFoundation.
    public static let file = AVMetadataKeySpace(rawValue: "file")
}
