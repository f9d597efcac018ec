import Foundation

/// The name of a metadata item: its key, its key space, and the identifier that both form.
struct MetadataName: Sendable, Hashable {
    private(set) var identifier: AVMetadataIdentifier?
    private(set) var keySpace: AVMetadataKeySpace?
    private(set) var key: String?

    /// Creates a name from an identifier.
    /// - Parameter key: The container's own key, if it differs from the key of the identifier.
    init(_ identifier: AVMetadataIdentifier?, key: String? = nil) {
        self.identifier = identifier
        keySpace = identifier.flatMap { MetadataName.keySpace(of: $0) }
        self.key = key ?? identifier.flatMap { MetadataName.key(of: $0) }
    }

    /// Sets the identifier, and the key and key space that it consists of.
    mutating func set(_ identifier: AVMetadataIdentifier?) { self = MetadataName(identifier) }
    /// Sets the key. The identifier follows, and is nil without a key space.
    mutating func set(key: String?) {
        self.key = key
        combine()
    }
    /// Sets the key space. The identifier follows, and is nil without a key.
    mutating func set(keySpace: AVMetadataKeySpace?) {
        self.keySpace = keySpace
        combine()
    }
    private mutating func combine() {
        identifier = key.flatMap { key in keySpace.flatMap { MetadataName.identifier(key: key, in: $0) } }
    }

    /// The common key with the same meaning; nil if there is none.
    var commonKey: AVMetadataKey? {
        guard let key, let keySpace else { return nil }
        return keySpace == .common
            ? AVMetadataKey(rawValue: key) : MetadataKeyTable.common(of: key, in: keySpace)
    }

    // MARK: Identifiers

    // The identifiers of ID3 keys begin with `id3`, although the key space is `org.id3`.
    private static let shortID3 = "id3"

    /// Returns the identifier of `key` in `keySpace`; nil if one of them is empty.
    static func identifier(key: String, in keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
        guard !key.isEmpty, !keySpace.rawValue.isEmpty else { return nil }
        let prefix = keySpace == .id3 ? shortID3 : keySpace.rawValue
        var key = key[...]
        var path = ""
        // Four-character codes that begin with © in Mac OS Roman, byte A9, are written with @.
        if hasCodes(keySpace), key.count == 4, key.hasPrefix("@") || key.hasPrefix("©") {
            path = "%A9"
            key = key.dropFirst()
        } else if keySpace == .id3, key.count == 3 {
            // Three-character keys of ID3v2.2.
            path = "%00"
        }
        for byte in key.utf8 {
            let character = Character(UnicodeScalar(byte))
            let isPlain =
                byte < 128 && (character.isLetter || character.isNumber || "-._~".contains(character))
            path += isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16).uppercased()
        }
        return AVMetadataIdentifier(rawValue: prefix + "/" + path)
    }
    /// Returns the key space of `identifier`; nil if it has none.
    static func keySpace(of identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
        guard let slash = identifier.rawValue.firstIndex(of: "/"), slash > identifier.rawValue.startIndex else {
            return nil
        }
        let prefix = String(identifier.rawValue[..<slash])
        return prefix == shortID3 ? .id3 : AVMetadataKeySpace(rawValue: prefix)
    }
    /// Returns the key of `identifier`; nil if it has no key space or no key.
    static func key(of identifier: AVMetadataIdentifier) -> String? {
        guard let keySpace = keySpace(of: identifier), let slash = identifier.rawValue.firstIndex(of: "/") else {
            return nil
        }
        let path = String(identifier.rawValue[identifier.rawValue.index(after: slash)...])
        if path.isEmpty { return nil }
        if hasCodes(keySpace), path.uppercased().hasPrefix("%A9") { return "@" + decoded(path.dropFirst(3)) }
        if keySpace == .id3, path.hasPrefix("%00") { return decoded(path.dropFirst(3)) }
        return decoded(path[...])
    }
    private static func decoded(_ path: Substring) -> String { path.removingPercentEncoding ?? String(path) }
    private static func hasCodes(_ keySpace: AVMetadataKeySpace) -> Bool {
        keySpace == .iTunes || keySpace == .quickTimeUserData
    }

    /// Returns a key that an app has given as text; nil for a value of another type.
    /// - Parameter key: An `AVMetadataKey`, a string, or a four-character code as a number.
    static func text(of key: Any?) -> String? {
        switch key {
        case let key as AVMetadataKey: key.rawValue
        case let key as String: key
        case let key as NSString: key.description
        case let code as Int: text(ofCode: code)
        case let code as Int32: text(ofCode: Int(code))
        case let code as UInt32: text(ofCode: Int(code))
        case let code as NSNumber: text(ofCode: code.intValue)
        default: nil
        }
    }
    private static func text(ofCode code: Int) -> String? {
        guard let bits = UInt32(exactly: code) ?? Int32(exactly: code).map({ UInt32(bitPattern: $0) }) else {
            return nil
        }
        let bytes: ArraySlice<UInt8> = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> UInt32($0)) }.drop {
            $0 == 0
        }
        return bytes.reduce(into: "") { $0.unicodeScalars.append($1 == 0xA9 ? "@" : Unicode.Scalar($1)) }
    }
}

/// The parts of identifiers.
extension AVMetadataItem {
    /// Returns the identifier of `key` in `keySpace`.
    ///
    /// ```swift
    /// let title = AVMetadataItem.identifier(forKey: AVMetadataKey.iTunesMetadataKeySongName, keySpace: .iTunes)
    /// print(title == .iTunesMetadataSongName)  // true
    /// ```
    ///
    /// - Parameter key: An `AVMetadataKey`, a `String`, an `NSString`, or a four-character code as a number.
    /// - Returns: Nil if the key or the key space is empty, or if the key has another type.
    public static func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
        MetadataName.text(of: key).flatMap { MetadataName.identifier(key: $0, in: keySpace) }
    }
    /// Returns the key space of `identifier`; nil if it has none.
    public static func keySpace(forIdentifier identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
        MetadataName.keySpace(of: identifier)
    }
    /// Returns the key of `identifier`, a `String` as in the constants of `AVMetadataKey`; nil if it has none.
    public static func key(forIdentifier identifier: AVMetadataIdentifier) -> Any? {
        MetadataName.key(of: identifier)
    }
}
