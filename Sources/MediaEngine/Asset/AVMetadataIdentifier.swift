/// The identifier of a metadata item: key space, slash, key. Raw values are AVFoundation's.
public struct AVMetadataIdentifier: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates an identifier from its raw value, such as `mdta/com.example.rating`.
    public init(_ rawValue: String) { self.rawValue = rawValue }

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
}

/// The namespace of a metadata item's key. Raw values are AVFoundation's.
public struct AVMetadataKeySpace: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a key space from its raw value.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The keys with a meaning across formats. `AVMetadataKey` lists them.
    public static let common = AVMetadataKeySpace(rawValue: "comn")
    /// The keys of iTunes, in MPEG-4 files.
    public static let iTunes = AVMetadataKeySpace(rawValue: "itsk")
    /// The keys of ID3 tags, in MP3 files.
    public static let id3 = AVMetadataKeySpace(rawValue: "org.id3")
    /// The keys of QuickTime metadata, such as `com.apple.quicktime.title`.
    public static let quickTimeMetadata = AVMetadataKeySpace(rawValue: "mdta")
    /// The four-character keys of QuickTime user data.
    public static let quickTimeUserData = AVMetadataKeySpace(rawValue: "udta")
    /// The keys of user data in MPEG-4 files and 3GPP files.
    public static let isoUserData = AVMetadataKeySpace(rawValue: "uiso")
    /// The keys of internet radio stations.
    public static let icy = AVMetadataKeySpace(rawValue: "icy")
    /// The attributes of `EXT-X-DATERANGE` in an HLS stream.
    public static let hlsDateRange = AVMetadataKeySpace(rawValue: "lsdr")
    /// The keys of audio files that AudioToolbox reads.
    public static let audioFile = AVMetadataKeySpace(rawValue: "caaf")
    /// The keys of `EXT-X-SESSION-DATA` in an HLS stream.
    public static let hlsSessionData = AVMetadataKeySpace(rawValue: "lsdt")
    /// The container's own keys. Not part of AVFoundation.
    public static let file = AVMetadataKeySpace(rawValue: "file")
}

/// An additional attribute of a metadata item. Raw values are AVFoundation's.
public struct AVMetadataExtraAttributeKey: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The URI of the value.
    public static let valueURI = AVMetadataExtraAttributeKey(rawValue: "URL")
    /// The URI to which the URI of the value is relative.
    public static let baseURI = AVMetadataExtraAttributeKey(rawValue: "baseURL")
    /// Information about the value.
    public static let info = AVMetadataExtraAttributeKey(rawValue: "info")
}
