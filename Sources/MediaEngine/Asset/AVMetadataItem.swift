import CFFmpeg
import Foundation
import MediaCore
import Synchronization

/// A metadata item of a file or an app, such as the title, the date or the artwork. Safe to use from any thread.
///
/// ```swift
/// for item in try await asset.load(.metadata) {
///     print(item.identifier?.rawValue ?? "", item.stringValue ?? "\(item.dataValue?.count ?? 0) bytes")
/// }
/// ```
public class AVMetadataItem: @unchecked Sendable {
    // Unchecked because the compiler checks only final classes. `content` is a mutex, and the mutable subclass writes
    // under it.
    struct Content: Sendable {
        var name: MetadataName
        var commonKey: AVMetadataKey?
        var text: String?
        var data: Data?
        /// The MIME type of the value, or a type that an app has set.
        var type: String
        var language: String?
        var time = CMTime.invalid, duration = CMTime.invalid
        var startDate: Date?
        var extraAttributes = ExtraAttributes()

        /// Creates the content of an item with `identifier`.
        /// - Parameter key: The container's own key; nil for the key of `identifier`.
        init(
            identifier: AVMetadataIdentifier?, key: String? = nil, text: String? = nil, data: Data? = nil,
            type: String = "text/plain", language: String? = nil
        ) {
            name = MetadataName(identifier, key: key)
            commonKey = identifier.flatMap { MetadataName($0).commonKey }
            (self.text, self.data, self.type, self.language) = (text, data, type, language)
        }
    }
    /// The additional attributes of an item. Unchecked because an app's values can have any type. They are only stored
    /// and returned.
    struct ExtraAttributes: @unchecked Sendable {
        var values: [AVMetadataExtraAttributeKey: Any]?
    }
    let content: Mutex<Content>
    init(_ content: Content) { self.content = Mutex(content) }

    /// The key space and key, such as `comn/title`, or `file/` followed by the container's own key. Nil for an app's
    /// item that lacks a key or a key space.
    public var identifier: AVMetadataIdentifier? { content.withLock { $0.name.identifier } }
    /// The key space, such as `.common` or `.iTunes`; nil if there is none.
    public var keySpace: AVMetadataKeySpace? { content.withLock { $0.name.keySpace } }
    /// The key, a `String`: the container's key as libavformat reports it, or the key that an app has set. Nil if there
    /// is none.
    ///
    /// ```swift
    /// if item.keySpace == .id3, item.key as? String == "TIT2" {
    ///     title = item.stringValue
    /// }
    /// ```
    /// Unlike in AVFoundation, four-character keys of iTunes are strings too, not numbers. They are written as in the
    /// constants of ``AVMetadataKey``, with `@` instead of `©`.
    public var key: Any? { content.withLock { $0.name.key } }
    /// The key as text; empty if there is none.
    package var keyText: String { content.withLock { $0.name.key ?? "" } }
    /// The meaning across formats if there is one, else the identifier. An app's item replaces the items of the file
    /// with the same meaning.
    package var meaning: String? {
        content.withLock { content in
            content.commonKey.map { "comn/" + $0.rawValue } ?? content.name.identifier?.rawValue
        }
    }
    /// The key with the same meaning across formats; nil if there is none. An iTunes, ID3 or QuickTime key such as
    /// `.iTunesMetadataKeySongName` has the common key `.commonKeyTitle`.
    public var commonKey: AVMetadataKey? { content.withLock { $0.commonKey } }
    /// The value as text; nil for binary values.
    public var stringValue: String? { content.withLock { $0.text } }
    /// The value as bytes: an image file for artwork, UTF-8 for text. Nil without a value.
    public var dataValue: Data? { content.withLock { $0.data } }
    /// The MIME type of `dataValue`, such as `image/jpeg`, or the type that an app has set. AVFoundation has uniform
    /// type identifiers here instead.
    public var dataType: String { content.withLock { $0.type } }
    /// The language of the value as a BCP 47 tag; nil if unknown.
    public var extendedLanguageTag: String? { content.withLock { $0.language } }
    /// The locale of `extendedLanguageTag`; nil if the language is unknown.
    public var locale: Locale? { extendedLanguageTag.map(Locale.init(identifier:)) }
    /// The value: a `String`, or `Data` if it is not text. Nil without a value.
    public var value: Any? { stringValue ?? dataValue }
    /// The time at which the value begins to apply; `.invalid` if the value applies to the whole asset. Only timed
    /// metadata (``AVPlayerItemMetadataOutput``) has a time.
    public var time: CMTime { content.withLock { $0.time } }
    /// The duration for which the value applies; `.invalid` if the value applies to the whole asset.
    public var duration: CMTime { content.withLock { $0.duration } }
    /// The date at which the value begins to apply; nil if there is none.
    public var startDate: Date? { content.withLock { $0.startDate } }
    /// The additional attributes that an app has set, and for timed ID3 metadata the description or owner as `.info`;
    /// nil if there are none. The metadata of files has none here.
    public var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
        let attributes = content.withLock { $0.extraAttributes }
        return attributes.values
    }

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

    /// Returns the items with `key` in `keySpace`, in order. Nil matches any key or key space.
    ///
    /// ```swift
    /// let titles = AVMetadataItem.metadataItems(
    ///     from: try await asset.load(.metadata), withKey: AVMetadataKey.commonKeyTitle, keySpace: .common)
    /// ```
    /// In the key space `.common`, items of any format are compared by their common keys.
    ///
    /// - Parameter key: An `AVMetadataKey`, a `String`, an `NSString` or a four-character code. A key of any other type
    ///   matches no item.
    public static func metadataItems(
        from items: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
    ) -> [AVMetadataItem] {
        let name = MetadataName.text(of: key)
        return items.filter { item in
            let isCommon = item.commonKey != nil && (keySpace == .common || item.keySpace == .common)
            let isInSpace = keySpace == nil || item.keySpace == keySpace || keySpace == .common && isCommon
            let isNamed =
                key == nil || name != nil && (item.keyText == name || isCommon && item.commonKey?.rawValue == name)
            return isInSpace && isNamed
        }
    }
    /// Returns the items in the preferred languages, best first. Items without a language are left out.
    ///
    /// - Parameter languages: BCP 47 tags, best first. `en` also matches `en-US`.
    public static func metadataItems(
        from items: [AVMetadataItem], filteredAndSortedAccordingToPreferredLanguages languages: [String]
    ) -> [AVMetadataItem] {
        LanguageTag.ranking(for: languages, among: items.map(\.extendedLanguageTag)).map { items[$0] }
    }
    /// Returns the items whose locale is `locale`, in order.
    public static func metadataItems(from items: [AVMetadataItem], with locale: Locale) -> [AVMetadataItem] {
        items.filter { $0.locale == locale }
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
