import CFFmpeg
import Foundation
import MediaCore
import Synchronization

/// One thing a file, or an app, says about a film: its title, its date, its cover. Any thread.
public class AVMetadataItem: @unchecked Sendable {
    // Unchecked because the compiler checks final classes only: `content` is a mutex, and the mutable subclass writes
    // under it.
    struct Content: Sendable {
        var identifier: AVMetadataIdentifier
        var key: String
        var commonKey: AVMetadataKey?
        var text: String?
        var data: Data?
        /// MIME.
        var type: String
        var language: String?

        /// Of a value of an app's own, under `identifier`.
        init(
            identifier: AVMetadataIdentifier, key: String? = nil, text: String? = nil, data: Data? = nil,
            type: String = "text/plain", language: String? = nil
        ) {
            self.identifier = identifier
            let key = key ?? identifier.rawValue.split(separator: "/").last.map(String.init) ?? identifier.rawValue
            self.key = key
            commonKey = identifier.rawValue.hasPrefix("comn/") ? AVMetadataKey(rawValue: key) : nil
            (self.text, self.data, self.type, self.language) = (text, data, type, language)
        }
    }
    let content: Mutex<Content>
    init(_ content: Content) { self.content = Mutex(content) }

    /// Key space and key, such as `comn/title`, or `file/<the container's own key>`.
    public var identifier: AVMetadataIdentifier { content.withLock { $0.identifier } }
    /// The part of `identifier` before the slash: whose name `key` is; nil where there is none.
    public var keySpace: AVMetadataKeySpace? {
        let parts = identifier.rawValue.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty ? AVMetadataKeySpace(rawValue: String(parts[0])) : nil
    }
    /// The key as the container (through libavformat) spells it.
    public var key: String { content.withLock { $0.key } }
    /// What it means across formats; nil for a key particular to the format.
    public var commonKey: AVMetadataKey? { content.withLock { $0.commonKey } }
    /// The value as text; nil for binary values.
    public var stringValue: String? { content.withLock { $0.text } }
    /// The value as bytes: an image for artwork, UTF-8 for text.
    public var dataValue: Data? { content.withLock { $0.data } }
    /// MIME type of `dataValue`, such as `image/jpeg`.
    public var dataType: String { content.withLock { $0.type } }
    /// BCP 47, when the value is in a named language.
    public var extendedLanguageTag: String? { content.withLock { $0.language } }
    /// The locale of `extendedLanguageTag`; nil if no language is named.
    public var locale: Locale? { extendedLanguageTag.map(Locale.init(identifier:)) }
    /// The value: a `String`, or `Data` where it is no text.
    public var value: Any? { stringValue ?? dataValue }

    /// Another item that says the same now, and cannot be changed.
    public func copy() -> Any { AVMetadataItem(content.withLock { $0 }) }
    /// Another item that says the same now, an `AVMutableMetadataItem`.
    public func mutableCopy() -> Any { AVMutableMetadataItem(content.withLock { $0 }) }

    /// The value as a date when it is one in ISO 8601 (`2024-05-01T12:00:00Z`, `2024-05-01` or `2024`).
    public var dateValue: Date? {
        guard let text = stringValue else { return nil }
        let whole = ISO8601DateFormatter()
        whole.formatOptions = [.withInternetDateTime]
        if let date = whole.date(from: text) { return date }
        whole.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        if let date = whole.date(from: text) { return date }
        let numbers = text.split(separator: "-").map { Int($0) }
        guard (1...3).contains(numbers.count), !numbers.contains(nil), let year = numbers[0], year > 999 else {
            return nil
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(
            from: DateComponents(
                year: year, month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1))
    }
    /// The value as a number when the text is one.
    public var numberValue: Double? { stringValue.flatMap(Double.init) }

    /// A text of the app's own, for `AVPlayerItem.externalMetadata`.
    public convenience init(identifier: AVMetadataIdentifier, stringValue: String, extendedLanguageTag: String? = nil) {
        self.init(
            Content(
                identifier: identifier, text: stringValue, data: Data(stringValue.utf8), language: extendedLanguageTag))
    }

    /// Bytes of the app's own, such as artwork; `dataType` is their MIME type.
    public convenience init(identifier: AVMetadataIdentifier, dataValue: Data, dataType: String) {
        self.init(Content(identifier: identifier, data: dataValue, type: dataType))
    }

    /// An HLS stream's `EXT-X-SESSION-DATA` (RFC 8216 §4.3.4.4); the identifier is `lsdt/` and its `DATA-ID`.
    package convenience init(sessionData id: String, text: String?, data: Data, type: String, language: String?) {
        self.init(
            Content(
                identifier: AVMetadataIdentifier(rawValue: "lsdt/" + id), key: id, text: text, data: data, type: type,
                language: language))
    }

    package convenience init(key: String, text: String) {
        // "title-eng": libavformat's way to say a value's language.
        let parts = key.split(separator: "-")
        var base = key
        var language: String?
        if parts.count == 2, parts[1].count == 3, AVMetadataItem.common[String(parts[0]).lowercased()] != nil,
            let tag = LanguageTag(String(parts[1]))
        {
            base = String(parts[0])
            language = tag.description
        }
        let commonKey = AVMetadataItem.common[base.lowercased()]
        let identifier = AVMetadataIdentifier(rawValue: commonKey.map { "comn/" + $0.rawValue } ?? "file/" + key)
        var content = Content(identifier: identifier, key: key, text: text, data: Data(text.utf8), language: language)
        content.commonKey = commonKey
        self.init(content)
    }

    package convenience init(artwork data: Data, type: String) {
        var content = Content(identifier: .commonIdentifierArtwork, key: "attached_pic", data: data, type: type)
        content.commonKey = .commonKeyArtwork
        self.init(content)
    }

    /// The items with this identifier, in order.
    public static func metadataItems(
        from items: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        items.filter { $0.identifier == identifier }
    }

    /// The items with this key, in this key space, in order; nil is any of either.
    public static func metadataItems(
        from items: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
    ) -> [AVMetadataItem] {
        let name = (key as? AVMetadataKey)?.rawValue ?? key as? String
        return items.filter { item in
            let isInSpace = keySpace == nil || item.keySpace == keySpace
            // A common key is what the item means, whatever the container calls it.
            let isNamed = key == nil || name != nil && (item.key == name || item.commonKey?.rawValue == name)
            return isInSpace && isNamed
        }
    }

    package static func items(of dictionary: OpaquePointer?) -> [AVMetadataItem] {
        var items: [AVMetadataItem] = []
        var entry = av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX)
        while let current = entry {
            if let key = current.pointee.key, let value = current.pointee.value {
                items.append(AVMetadataItem(key: String(cString: key), text: String(cString: value)))
            }
            entry = av_dict_get(dictionary, "", current, AV_DICT_IGNORE_SUFFIX)
        }
        return items
    }

    private static let common: [String: AVMetadataKey] = [
        "title": .commonKeyTitle, "artist": .commonKeyArtist, "album": .commonKeyAlbumName,
        "author": .commonKeyAuthor, "composer": .commonKeyCreator, "comment": .commonKeyDescription,
        "description": .commonKeyDescription, "synopsis": .commonKeyDescription, "date": .commonKeyCreationDate,
        "creation_time": .commonKeyCreationDate, "com.apple.quicktime.creationdate": .commonKeyCreationDate,
        "copyright": .commonKeyCopyrights, "genre": .commonKeyType, "publisher": .commonKeyPublisher,
        "encoder": .commonKeySoftware, "com.apple.quicktime.software": .commonKeySoftware,
        "make": .commonKeyMake, "com.apple.quicktime.make": .commonKeyMake,
        "model": .commonKeyModel, "com.apple.quicktime.model": .commonKeyModel,
        "location": .commonKeyLocation, "com.apple.quicktime.location.iso6709": .commonKeyLocation,
    ]
}

/// What a metadata item means, whatever the format. Raw values are AVFoundation's.
public struct AVMetadataKey: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// What it is called.
    public static let commonKeyTitle = AVMetadataKey(rawValue: "title")
    /// Who performs it.
    public static let commonKeyArtist = AVMetadataKey(rawValue: "artist")
    /// The collection it belongs to.
    public static let commonKeyAlbumName = AVMetadataKey(rawValue: "albumName")
    /// Who wrote it.
    public static let commonKeyAuthor = AVMetadataKey(rawValue: "author")
    /// Who made it; of music the composer.
    public static let commonKeyCreator = AVMetadataKey(rawValue: "creator")
    /// What it is about.
    public static let commonKeyDescription = AVMetadataKey(rawValue: "description")
    /// When it was made.
    public static let commonKeyCreationDate = AVMetadataKey(rawValue: "creationDate")
    /// Who has the rights.
    public static let commonKeyCopyrights = AVMetadataKey(rawValue: "copyrights")
    /// What kind of work it is.
    public static let commonKeyType = AVMetadataKey(rawValue: "type")
    /// Who published it.
    public static let commonKeyPublisher = AVMetadataKey(rawValue: "publisher")
    /// The program that wrote the file.
    public static let commonKeySoftware = AVMetadataKey(rawValue: "software")
    /// Who made the camera.
    public static let commonKeyMake = AVMetadataKey(rawValue: "make")
    /// Which camera it was.
    public static let commonKeyModel = AVMetadataKey(rawValue: "model")
    /// Where it was taken.
    public static let commonKeyLocation = AVMetadataKey(rawValue: "location")
    /// A picture of it.
    public static let commonKeyArtwork = AVMetadataKey(rawValue: "artwork")
}

/// Metadata that holds for a stretch of time: a chapter.
public final class AVTimedMetadataGroup: Sendable {
    /// What holds meanwhile: of a chapter its title, and a picture if it has one.
    public let items: [AVMetadataItem]
    /// When it holds, on the asset's timeline.
    public let timeRange: CMTimeRange

    /// Takes both as they are.
    public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
        self.items = items
        self.timeRange = timeRange
    }
}
