import CFFmpeg
import Foundation
import MediaCore
import Synchronization

/// A metadata item of a file or an app, such as the title, the date or the artwork. Safe to use from any thread.
///
/// ```swift
/// for item in try await asset.load(.metadata) {
///     print(item.identifier.rawValue, item.stringValue ?? "\(item.dataValue?.count ?? 0) bytes")
/// }
/// ```
public class AVMetadataItem: @unchecked Sendable {
    // Unchecked because the compiler checks only final classes. `content` is a mutex, and the mutable subclass writes
    // under it.
    struct Content: Sendable {
        var identifier: AVMetadataIdentifier
        var key: String
        var commonKey: AVMetadataKey?
        var text: String?
        var data: Data?
        /// The MIME type of the value.
        var type: String
        var language: String?

        /// Creates the content of an app's item with `identifier`.
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

    /// The key space and key, such as `comn/title`, or `file/` followed by the container's own key.
    public var identifier: AVMetadataIdentifier { content.withLock { $0.identifier } }
    /// The key space, which is the part of `identifier` before the slash; nil if there is none.
    public var keySpace: AVMetadataKeySpace? {
        let parts = identifier.rawValue.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty ? AVMetadataKeySpace(rawValue: String(parts[0])) : nil
    }
    /// The key as libavformat reports it from the container; for any other item, the part of `identifier` after the
    /// slash.
    public var key: String { content.withLock { $0.key } }
    /// The key with a meaning across formats; nil for a key of one format.
    public var commonKey: AVMetadataKey? { content.withLock { $0.commonKey } }
    /// The value as text; nil for binary values.
    public var stringValue: String? { content.withLock { $0.text } }
    /// The value as bytes: an image file for artwork, UTF-8 for text. Nil without a value.
    public var dataValue: Data? { content.withLock { $0.data } }
    /// The MIME type of `dataValue`, such as `image/jpeg`.
    public var dataType: String { content.withLock { $0.type } }
    /// The language of the value as a BCP 47 tag; nil if unknown.
    public var extendedLanguageTag: String? { content.withLock { $0.language } }
    /// The locale of `extendedLanguageTag`; nil if the language is unknown.
    public var locale: Locale? { extendedLanguageTag.map(Locale.init(identifier:)) }
    /// The value: a `String`, or `Data` if it is not text. Nil without a value.
    public var value: Any? { stringValue ?? dataValue }

    /// Returns an immutable copy of the item.
    public func copy() -> Any { AVMetadataItem(content.withLock { $0 }) }
    /// Returns a copy of the item, as an `AVMutableMetadataItem`.
    public func mutableCopy() -> Any { AVMutableMetadataItem(content.withLock { $0 }) }

    /// The value as a date; nil unless it is in ISO 8601 (`2024-05-01T12:00:00Z`, `2024-05-01` or `2024`).
    public var dateValue: Date? {
        guard let text = stringValue else { return nil }
        let date = text.prefix { $0.isWholeNumber || $0 == "-" }
        // The formatters accept days that do not exist, such as February 30.
        guard let day = AVMetadataItem.day(date) else { return nil }
        if date.endIndex == text.endIndex { return day }
        let whole = ISO8601DateFormatter()
        whole.formatOptions = [.withInternetDateTime]
        if let date = whole.date(from: text) { return date }
        whole.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return whole.date(from: text)
    }

    /// Returns the beginning of a day, or of the first day of a month or year, in UTC; nil if it does not exist.
    private static func day(_ text: Substring) -> Date? {
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...3).contains(numbers.count), !numbers.contains(nil), let year = numbers[0],
            (1000...9999).contains(year)
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = DateComponents(
            year: year, month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1)
        return day.isValidDate(in: calendar) ? calendar.date(from: day) : nil
    }
    /// The value as a number; nil if the text is not a number.
    public var numberValue: Double? { stringValue.flatMap(Double.init) }

    /// Creates a text item, for `AVPlayerItem.externalMetadata`.
    ///
    /// ```swift
    /// let title = AVMetadataItem(identifier: .commonIdentifierTitle, stringValue: "The Kid")
    /// item.externalMetadata.append(title)
    /// ```
    public convenience init(identifier: AVMetadataIdentifier, stringValue: String, extendedLanguageTag: String? = nil) {
        self.init(
            Content(
                identifier: identifier, text: stringValue, data: Data(stringValue.utf8), language: extendedLanguageTag))
    }

    /// Creates an item with bytes, such as artwork.
    ///
    /// ```swift
    /// let artwork = AVMetadataItem(
    ///     identifier: .commonIdentifierArtwork, dataValue: try Data(contentsOf: poster), dataType: "image/jpeg")
    /// item.externalMetadata.append(artwork)
    /// ```
    ///
    /// - Parameter dataType: The MIME type of the bytes.
    public convenience init(identifier: AVMetadataIdentifier, dataValue: Data, dataType: String) {
        self.init(Content(identifier: identifier, data: dataValue, type: dataType))
    }

    /// Creates an item from `EXT-X-SESSION-DATA` of an HLS stream (RFC 8216 §4.3.4.4). Its identifier is `lsdt/`
    /// followed by the `DATA-ID`.
    package convenience init(sessionData id: String, text: String?, data: Data, type: String, language: String?) {
        self.init(
            Content(
                identifier: AVMetadataIdentifier(rawValue: "lsdt/" + id), key: id, text: text, data: data, type: type,
                language: language))
    }

    package convenience init(key: String, text: String) {
        // libavformat appends the language to a key, such as "title-eng".
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

    /// Returns the items with `identifier`, in order.
    ///
    /// ```swift
    /// let artists = AVMetadataItem.metadataItems(
    ///     from: try await asset.load(.metadata), filteredByIdentifier: .commonIdentifierArtist)
    /// ```
    public static func metadataItems(
        from items: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        items.filter { $0.identifier == identifier }
    }

    /// Returns the items with `key`, an `AVMetadataKey` or a `String`, in `keySpace`, in order. Nil matches any key or
    /// key space. A key of any other type matches no item.
    public static func metadataItems(
        from items: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
    ) -> [AVMetadataItem] {
        let name = (key as? AVMetadataKey)?.rawValue ?? key as? String
        return items.filter { item in
            let isInSpace = keySpace == nil || item.keySpace == keySpace
            // A common key also matches items whose container uses another key.
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

/// The meaning of a metadata item across formats. Raw values are AVFoundation's.
public struct AVMetadataKey: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

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

/// Metadata for a time range, such as a chapter.
public final class AVTimedMetadataGroup: Sendable {
    /// The metadata of the time range; for a chapter, its title, and an image if it has one.
    public let items: [AVMetadataItem]
    /// The time range on the asset's timeline.
    public let timeRange: CMTimeRange

    /// Creates a group of items for a time range.
    public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
        self.items = items
        self.timeRange = timeRange
    }
}
