import Foundation

/// The key of a metadata item: a common key, which has the same meaning in all formats, or a key of one format. Raw
/// values are AVFoundation's.
///
/// `as NSString` and `as (NSCopying & NSObjectProtocol)?` convert a key, as on Apple's platforms.
public struct AVMetadataKey: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a key from its raw value.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The title.
    public static let commonKeyTitle = AVMetadataKey(rawValue: "title")
    /// The performer.
    public static let commonKeyArtist = AVMetadataKey(rawValue: "artist")
    /// The album or other collection that contains the item.
    public static let commonKeyAlbumName = AVMetadataKey(rawValue: "albumName")
    /// The author.
    public static let commonKeyAuthor = AVMetadataKey(rawValue: "author")
    /// The creator; for music, the composer.
    public static let commonKeyCreator = AVMetadataKey(rawValue: "creator")
    /// The description.
    public static let commonKeyDescription = AVMetadataKey(rawValue: "description")
    /// The creation date.
    public static let commonKeyCreationDate = AVMetadataKey(rawValue: "creationDate")
    /// The owner of the rights.
    public static let commonKeyCopyrights = AVMetadataKey(rawValue: "copyrights")
    /// The genre or kind of work.
    public static let commonKeyType = AVMetadataKey(rawValue: "type")
    /// The publisher.
    public static let commonKeyPublisher = AVMetadataKey(rawValue: "publisher")
    /// The software that wrote the file.
    public static let commonKeySoftware = AVMetadataKey(rawValue: "software")
    /// The manufacturer of the camera.
    public static let commonKeyMake = AVMetadataKey(rawValue: "make")
    /// The model of the camera.
    public static let commonKeyModel = AVMetadataKey(rawValue: "model")
    /// The location of the recording.
    public static let commonKeyLocation = AVMetadataKey(rawValue: "location")
    /// The artwork.
    public static let commonKeyArtwork = AVMetadataKey(rawValue: "artwork")
}

/// The conversion to and from `NSString` by `as`, for ``AVMutableMetadataItem/key``.
extension AVMetadataKey: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout AVMetadataKey?) {
        result = AVMetadataKey(rawValue: source.description)
    }
    @discardableResult
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout AVMetadataKey?) -> Bool {
        result = AVMetadataKey(rawValue: source.description)
        return true
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> AVMetadataKey {
        AVMetadataKey(rawValue: source?.description ?? "")
    }
}
