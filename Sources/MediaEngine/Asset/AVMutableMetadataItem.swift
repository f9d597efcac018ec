import Foundation

/// A metadata item that an app creates, for `AVPlayerItem.externalMetadata` or an export. Safe to use from any thread.
///
/// ```swift
/// let title = AVMutableMetadataItem()
/// title.identifier = .commonIdentifierTitle
/// title.value = "The Kid"
/// session.metadata = [title]
/// ```
public final class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. It adds no stored property.

    /// Creates an empty item. Set `identifier` and `value`.
    public init() { super.init(Content(identifier: AVMetadataIdentifier(rawValue: ""))) }
    override init(_ content: Content) { super.init(content) }

    /// The identifier. Setting it also sets `key` and `commonKey`.
    public override var identifier: AVMetadataIdentifier {
        get { super.identifier }
        set {
            content.withLock {
                let meaning = Content(identifier: newValue)
                ($0.identifier, $0.key, $0.commonKey) = (newValue, meaning.key, meaning.commonKey)
            }
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
    /// The MIME type of the value.
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
        let own = Set(externalMetadata.map { $0.commonKey.map { "comn/" + $0.rawValue } ?? $0.identifier.rawValue })
        return externalMetadata
            + file.filter { !own.contains($0.commonKey.map { "comn/" + $0.rawValue } ?? $0.identifier.rawValue) }
    }
}
