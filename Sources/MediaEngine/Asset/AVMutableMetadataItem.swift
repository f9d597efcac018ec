import Foundation
import MediaCore

/// A metadata item that an app creates, for `AVPlayerItem.externalMetadata` or an export. Safe to use from any thread.
///
/// ```swift
/// let title = AVMutableMetadataItem()
/// title.identifier = .commonIdentifierTitle
/// title.value = "The Kid"
/// session.metadata = [title]
/// ```
/// An item has either an identifier, or a key and a key space. Both forms have the same effect:
/// ```swift
/// let artist = AVMutableMetadataItem()
/// artist.keySpace = .common
/// artist.key = AVMetadataKey.commonKeyArtist as NSString
/// artist.value = "Charlie Chaplin" as NSString
/// ```
public final class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. It adds no stored property.

    /// Creates an empty item. Set `identifier`, or `key` and `keySpace`, and then `value`.
    public init() { super.init(Content(identifier: nil)) }
    override init(_ content: Content) { super.init(content) }

    /// The identifier. Setting it also sets `key`, `keySpace` and `commonKey`.
    public override var identifier: AVMetadataIdentifier? {
        get { super.identifier }
        set { rename { $0.set(newValue) } }
    }
    /// The key: an `AVMetadataKey`, a `String`, an `NSString`, or a four-character code as a number. A value of another
    /// type counts as nil. The key is read as a `String`.
    ///
    /// Setting it also sets `identifier`, which is nil unless there are a key and a key space, and `commonKey`.
    public override var key: Any? {
        get { super.key }
        set {
            let text = MetadataName.text(of: newValue)
            rename { $0.set(key: text) }
        }
    }
    /// The key space. Setting it also sets `identifier`, which is nil unless there are a key and a key space, and
    /// `commonKey`.
    public override var keySpace: AVMetadataKeySpace? {
        get { super.keySpace }
        set { rename { $0.set(keySpace: newValue) } }
    }
    private func rename(_ change: (inout MetadataName) -> Void) {
        content.withLock { content in
            change(&content.name)
            content.commonKey = content.name.commonKey
        }
    }

    /// The value: text (`String`, `NSString`), a number, a date (`Date`, `NSDate`), or bytes (`Data`, `NSData`).
    ///
    /// A date is stored in ISO 8601, and a number or a value of any other type as its description. Nil removes the
    /// value. Setting the value also sets `dataType`. For bytes, the type is detected from the first bytes: PNG, JPEG,
    /// otherwise `application/octet-stream`.
    public override var value: Any? {
        get { super.value }
        set {
            let data: Data?
            let text: String?
            switch newValue {
            case let bytes as Data: (data, text) = (bytes, nil)
            case let bytes as NSData: (data, text) = (Data(bytes), nil)
            case let string as String: (data, text) = (Data(string.utf8), string)
            case let string as NSString: (data, text) = (Data(string.description.utf8), string.description)
            case let date as Date:
                text = ISO8601DateFormatter().string(from: date)
                data = text.map { Data($0.utf8) }
            case let date as NSDate:
                text = ISO8601DateFormatter().string(
                    from: Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
                data = text.map { Data($0.utf8) }
            case let other?:
                text = "\(other)"
                data = text.map { Data($0.utf8) }
            case nil: (data, text) = (nil, nil)
            }
            content.withLock {
                ($0.data, $0.text) = (data, text)
                $0.type = text == nil ? Self.imageType(data ?? Data()) : "text/plain"
            }
        }
    }
    public override var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { content.withLock { $0.language = newValue } }
    }
    /// The locale of the value. Setting it also sets `extendedLanguageTag`.
    public override var locale: Locale? {
        get { super.locale }
        set {
            let tag = newValue?.identifier(.bcp47)
            content.withLock { $0.language = tag }
        }
    }
    public override var time: CMTime {
        get { super.time }
        set { content.withLock { $0.time = newValue } }
    }
    public override var duration: CMTime {
        get { super.duration }
        set { content.withLock { $0.duration = newValue } }
    }
    public override var startDate: Date? {
        get { super.startDate }
        set { content.withLock { $0.startDate = newValue } }
    }
    /// The additional attributes. They are stored, and have no effect on playback or export.
    public override var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
        get { super.extraAttributes }
        set {
            let attributes = ExtraAttributes(values: newValue)
            content.withLock { $0.extraAttributes = attributes }
        }
    }
    /// The MIME type of the value. A type of another kind, such as a uniform type identifier, is kept as it is.
    public override var dataType: String {
        get { super.dataType }
        set { content.withLock { $0.type = newValue } }
    }

    private static func imageType(_ data: Data) -> String {
        if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if data.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        return "application/octet-stream"
    }
}

/// Items are equal if they are the same object.
extension AVMetadataItem: Hashable {
    public static func == (a: AVMetadataItem, b: AVMetadataItem) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AVPlayerItem {
    /// Returns the metadata of the item: the app's own (`externalMetadata`), then a radio station's current title, then
    /// the remaining metadata of `file`.
    package func metadata(over file: [AVMetadataItem]) -> [AVMetadataItem] {
        var file = file
        if let streamTitle {
            file.removeAll { $0.commonKey == .commonKeyTitle }
            file.insert(AVMetadataItem(identifier: .commonIdentifierTitle, stringValue: streamTitle), at: 0)
        }
        let own = Set(externalMetadata.compactMap(\.meaning))
        return externalMetadata + file.filter { item in item.meaning.map { !own.contains($0) } ?? true }
    }
}
