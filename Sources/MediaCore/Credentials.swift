import Foundation

/// A namespace for removing user names and passwords from URLs (`https://name:password@host/…`).
///
/// Credentials are used for requests but never shown. Every text with a URL that is shown or logged must pass through
/// `removed(from:)`. `AVError` and the network's logs do so themselves.
package enum Credentials {
    /// Returns `text` without the user name and password of every URL in it.
    package static func removed(from text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var result = ""
        var rest = text[...]
        while let mark = rest.range(of: ":/") {
            // A URL that was converted to a path has only one slash.
            let scheme = rest[..<mark.lowerBound].lowercased()
            var start = mark.upperBound
            let isURL = rest[start...].hasPrefix("/") || scheme.hasSuffix("http") || scheme.hasSuffix("https")
            while start < rest.endIndex, rest[start] == "/" {
                // `file:///a@b` has no host, so no user name precedes the @.
                if rest.distance(from: mark.upperBound, to: start) >= 1 { break }
                start = rest.index(after: start)
            }
            let end =
                rest[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" || $0.isWhitespace } ?? rest.endIndex
            result += rest[..<start]
            if isURL, let at = rest[start..<end].lastIndex(of: "@") { start = rest.index(after: at) }
            result += rest[start..<end]
            rest = rest[end...]
        }
        return result + rest
    }
}

extension URL {
    /// The URL without its user name and password, for display.
    package var withoutCredentials: URL {
        let text = absoluteString
        let shown = Credentials.removed(from: text)
        return shown == text ? self : URL(string: shown) ?? URL(fileURLWithPath: "/")
    }

    /// Creates a URL from text as people and playlists write it (RFC 3986 §2). Characters that are not allowed are
    /// percent-encoded, and existing encodings are kept. If a text has both, `URL(string:)` would encode the existing
    /// encodings again.
    package init?(lenient text: String, relativeTo base: URL? = nil) {
        self.init(string: URL.encodedWhereNeeded(text), relativeTo: base)
    }

    private static func encodedWhereNeeded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        func isHex(_ i: Int) -> Bool { i < bytes.count && Character(UnicodeScalar(bytes[i])).isHexDigit }
        // Host names are not percent-encoded, because international names have their own encoding.
        var host = 0..<0
        if let mark = text.range(of: "://"), !text[..<mark.lowerBound].contains(where: { "/?#".contains($0) }) {
            let start = text.utf8.distance(from: text.startIndex, to: mark.upperBound)
            let end = bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.count
            let at = bytes[start..<end].lastIndex(of: 0x40)
            host = (at.map { $0 + 1 } ?? start)..<end
        }
        var result: [UInt8] = []
        var isInFragment = false
        result.reserveCapacity(bytes.count + 16)
        for (i, byte) in bytes.enumerated() {
            let isAllowed: Bool =
                switch byte {
                case _ where host.contains(i): true
                case UInt8(ascii: "%"): isHex(i + 1) && isHex(i + 2)
                // The first number sign begins the fragment.
                case UInt8(ascii: "#"): !isInFragment
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-._~:/?@!$&'()*+,;=".utf8.contains(byte)
                }
            if byte == UInt8(ascii: "#") { isInFragment = true }
            if isAllowed { result.append(byte) } else { result += Array(String(format: "%%%02X", Int(byte)).utf8) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
