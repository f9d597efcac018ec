import Foundation

/// A writer for playlists that parse as the same value again (RFC 8216 §4). It writes the definitions of variables, but
/// no references: values have already been substituted.
struct PlaylistWriter {
    private(set) var text = "#EXTM3U\n"

    mutating func line(_ content: String) {
        text += content
        text += "\n"
    }

    mutating func head(_ common: PlaylistCommon) {
        if common.version != 1 { line("#EXT-X-VERSION:\(common.version)") }
        for definition in common.definitions {
            var attributes = AttributeWriter()
            switch definition.origin {
            case .value:
                attributes.quoted("NAME", definition.name)
                attributes.quoted("VALUE", definition.value)
            case .imported: attributes.quoted("IMPORT", definition.name)
            case .queryParameter: attributes.quoted("QUERYPARAM", definition.name)
            }
            line("#EXT-X-DEFINE:" + attributes.text)
        }
        if common.isIndependentSegments { line("#EXT-X-INDEPENDENT-SEGMENTS") }
        if let start = common.start {
            var attributes = AttributeWriter()
            attributes.plain("TIME-OFFSET", Self.number(start.timeOffset))
            attributes.flag("PRECISE", start.isPrecise)
            line("#EXT-X-START:" + attributes.text)
        }
    }

    mutating func key(_ tag: String, _ key: EncryptionKey) {
        var attributes = AttributeWriter()
        attributes.word("METHOD", key.method.name)
        attributes.quoted("URI", key.uri)
        if let iv = key.iv {
            attributes.plain("IV", "0x" + iv.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
        if key.keyFormat != "identity" { attributes.quoted("KEYFORMAT", key.keyFormat) }
        if key.keyFormatVersions != "1" { attributes.quoted("KEYFORMATVERSIONS", key.keyFormatVersions) }
        line("#\(tag):" + attributes.text)
    }

    /// Returns the shortest decimal number that parses as the same value. It has no exponent, because the grammar does
    /// not allow one.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let text = "\(value)"
        if text.hasSuffix(".0") { return String(text.dropLast(2)) }
        guard text.utf8.contains(0x65) else { return text }
        for digits in 0...340 {
            let fixed = String(format: "%.\(digits)f", value)
            if Double(fixed) == value { return fixed }
        }
        return "0"
    }
}

/// A writer for the attributes of one tag.
struct AttributeWriter {
    private(set) var text = ""

    mutating func plain(_ name: String, _ value: String) {
        if !text.isEmpty { text += "," }
        text += name + "=" + value
    }

    mutating func quoted(_ name: String, _ value: String?) {
        guard let value else { return }
        // Quotation marks and line feeds are omitted, because the grammar cannot express them in a string.
        let isForbidden: (UInt8) -> Bool = { $0 == 0x22 || $0 == 0x0A }
        let clean =
            value.utf8.contains(where: isForbidden)
            ? String(decoding: value.utf8.filter { !isForbidden($0) }, as: UTF8.self) : value
        plain(name, "\"\(clean)\"")
    }

    mutating func list(_ name: String, _ values: [String], separator: String = ",") {
        if !values.isEmpty { quoted(name, values.joined(separator: separator)) }
    }

    /// Writes an enumerated string, quoted if it could not be parsed otherwise.
    mutating func word(_ name: String, _ value: String?) {
        guard let value else { return }
        if value.utf8.contains(where: { $0 <= 0x20 || $0 == 0x22 || $0 == 0x2C }) {
            quoted(name, value)
        } else {
            plain(name, value)
        }
    }

    mutating func integer(_ name: String, _ value: Int?) {
        if let value { plain(name, String(value)) }
    }

    mutating func number(_ name: String, _ value: Double?) {
        if let value { plain(name, PlaylistWriter.number(value)) }
    }

    mutating func flag(_ name: String, _ value: Bool) {
        if value { plain(name, "YES") }
    }

    mutating func date(_ name: String, _ value: Date?) {
        if let value { quoted(name, PlaylistDate.text(value)) }
    }

    mutating func byteRange(_ name: String, _ range: ByteRange?) {
        if let range { quoted(name, "\(range.length)@\(range.offset)") }
    }

    mutating func others(_ attributes: [PlaylistAttribute]) {
        for attribute in attributes {
            if attribute.isQuoted {
                quoted(attribute.name, attribute.value)
            } else {
                word(attribute.name, attribute.value)
            }
        }
    }
}

extension Playlist {
    /// The playlist as text, which `parse` reads back as the same value.
    package var text: String {
        switch self {
        case .multivariant(let playlist): playlist.text
        case .media(let playlist): playlist.text
        }
    }
}
