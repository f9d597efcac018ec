import Foundation

/// A decoder for `data:` URLs (RFC 2397).
enum DataURL {
    /// Returns the media type and the content of a `data:` URL, or nil if the URL is not a valid one.
    static func decode(_ url: URL) -> (type: String, data: Data)? {
        // A fragment is not part of the content (RFC 3986 §3.5). A number sign in the content is written as %23.
        let text = url.absoluteString.prefix { $0 != "#" }
        guard text.lowercased().hasPrefix("data:"), let comma = text.firstIndex(of: ",") else { return nil }
        var type = String(text[text.index(text.startIndex, offsetBy: 5)..<comma])
        let body = Data(percentDecoding: text[text.index(after: comma)...].utf8)
        var isBase64 = false
        if type.lowercased().hasSuffix(";base64") {
            isBase64 = true
            type = String(type.dropLast(7))
        }
        if type.isEmpty { type = "text/plain;charset=US-ASCII" }
        if type.hasPrefix(";") { type = "text/plain" + type }
        guard isBase64 else { return (type, body) }
        return Data(base64Encoded: body, options: .ignoreUnknownCharacters).map { (type, $0) }
    }
}

extension Data {
    fileprivate init(percentDecoding text: Substring.UTF8View) {
        self.init(capacity: text.count)
        var i = text.startIndex
        func digit(_ c: UInt8) -> UInt8? { Character(UnicodeScalar(c)).hexDigitValue.map { UInt8($0) } }
        while i < text.endIndex {
            let c = text[i]
            let next = text.index(after: i)
            if c == UInt8(ascii: "%"), let second = text.index(i, offsetBy: 2, limitedBy: text.endIndex),
                second < text.endIndex,
                let high = digit(text[next]), let low = digit(text[second])
            {
                append(high << 4 | low)
                i = text.index(after: second)
            } else {
                append(c)
                i = next
            }
        }
    }
}
