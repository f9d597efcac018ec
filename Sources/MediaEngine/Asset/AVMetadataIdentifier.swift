/// The name of a metadata item: key space, slash, key. Raw values are AVFoundation's.
public struct AVMetadataIdentifier: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// What it is called.
    public static let commonIdentifierTitle = AVMetadataIdentifier(rawValue: "comn/title")
    /// Who performs it.
    public static let commonIdentifierArtist = AVMetadataIdentifier(rawValue: "comn/artist")
    /// The collection it belongs to.
    public static let commonIdentifierAlbumName = AVMetadataIdentifier(rawValue: "comn/albumName")
    /// Who wrote it.
    public static let commonIdentifierAuthor = AVMetadataIdentifier(rawValue: "comn/author")
    /// Who made it; of music the composer.
    public static let commonIdentifierCreator = AVMetadataIdentifier(rawValue: "comn/creator")
    /// What it is about.
    public static let commonIdentifierDescription = AVMetadataIdentifier(rawValue: "comn/description")
    /// When it was made: ISO 8601, or a year alone, as the file has it.
    public static let commonIdentifierCreationDate = AVMetadataIdentifier(rawValue: "comn/creationDate")
    /// Who has the rights.
    public static let commonIdentifierCopyrights = AVMetadataIdentifier(rawValue: "comn/copyrights")
    /// What kind of work it is.
    public static let commonIdentifierType = AVMetadataIdentifier(rawValue: "comn/type")
    /// Who published it.
    public static let commonIdentifierPublisher = AVMetadataIdentifier(rawValue: "comn/publisher")
    /// The program that wrote the file.
    public static let commonIdentifierSoftware = AVMetadataIdentifier(rawValue: "comn/software")
    /// Who made the camera.
    public static let commonIdentifierMake = AVMetadataIdentifier(rawValue: "comn/make")
    /// Which camera it was.
    public static let commonIdentifierModel = AVMetadataIdentifier(rawValue: "comn/model")
    /// Where it was taken: ISO 6709, such as `+48.2082+016.3738/`.
    public static let commonIdentifierLocation = AVMetadataIdentifier(rawValue: "comn/location")
    /// A picture of it, as the bytes of an image file.
    public static let commonIdentifierArtwork = AVMetadataIdentifier(rawValue: "comn/artwork")

    // What players show beside the title: written by apps, in files it comes under the container's own keys.
    /// What the song or film is called.
    public static let iTunesMetadataSongName = AVMetadataIdentifier(rawValue: "itsk/%A9nam")
    /// Who performs it.
    public static let iTunesMetadataArtist = AVMetadataIdentifier(rawValue: "itsk/%A9ART")
    /// The album or series it belongs to.
    public static let iTunesMetadataAlbum = AVMetadataIdentifier(rawValue: "itsk/%A9alb")
    /// A line below the title.
    public static let iTunesMetadataTrackSubTitle = AVMetadataIdentifier(rawValue: "itsk/%A9st3")
    /// Who may see it, in the words of whoever rates.
    public static let iTunesMetadataContentRating = AVMetadataIdentifier(rawValue: "itsk/rtng")
    /// Genre, in anybody's words.
    public static let iTunesMetadataUserGenre = AVMetadataIdentifier(rawValue: "itsk/%A9gen")
    /// When it came out: ISO 8601, or a year alone.
    public static let iTunesMetadataReleaseDate = AVMetadataIdentifier(rawValue: "itsk/%A9day")
    /// What it is about, in a few sentences.
    public static let iTunesMetadataDescription = AVMetadataIdentifier(rawValue: "itsk/desc")
    /// A picture of it, as the bytes of an image file.
    public static let iTunesMetadataCoverArt = AVMetadataIdentifier(rawValue: "itsk/covr")
    /// What it is called.
    public static let quickTimeMetadataTitle = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.title")
    /// Genre, in anybody's words.
    public static let quickTimeMetadataGenre = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.genre")
    /// Who performs it.
    public static let quickTimeMetadataArtist = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.artist")
    /// What it is about.
    public static let quickTimeMetadataDescription = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.description")
    /// When it was made: ISO 8601.
    public static let quickTimeMetadataCreationDate = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.creationdate")
}

/// Whose names the keys of metadata items are. Raw values are AVFoundation's.
public struct AVMetadataKeySpace: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// What items mean across formats: all that `AVMetadataKey` has.
    public static let common = AVMetadataKeySpace(rawValue: "comn")
    /// iTunes' names, and QuickTime's. Items that an app makes have them.
    public static let iTunes = AVMetadataKeySpace(rawValue: "itsk"),
        quickTimeMetadata = AVMetadataKeySpace(rawValue: "mdta")
    /// `EXT-X-SESSION-DATA` of an HLS stream.
    public static let hlsSessionData = AVMetadataKeySpace(rawValue: "lsdt")
    /// The container's own names. Apple has none.
    public static let file = AVMetadataKeySpace(rawValue: "file")
}
