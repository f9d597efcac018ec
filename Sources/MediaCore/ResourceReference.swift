import Foundation

/// Turns what a resource names (a playlist, a list of media, a thumbnail track) into a URL.
///
/// Every URL that comes from the text of a resource is made here, so the rule for what a resource may name has one
/// place: only a file on this computer may name files on this computer.
package enum ResourceReference {
    package enum Problem: Error, Sendable, Equatable {
        /// The text is not a URL.
        case notAURL
        /// The text names a file on this computer, and the resource itself isn't one.
        case localFile
    }

    /// Schemes that need no slashes behind their colon. Any other text before a colon is part of a relative name, such
    /// as `12:30:00.ts`, unless two slashes follow the colon.
    private static let schemes: Set = ["http", "https", "file", "data", "skd"]

    /// Resolves `text` against the URL of the resource that contains it (RFC 3986 §5). Any thread.
    /// - Parameter resource: where the resource came from, after redirects.
    package static func resolve(_ text: String, in resource: URL) throws(Problem) -> URL {
        let scheme = scheme(of: text)
        guard scheme != "file" || resource.isFileURL else { throw .localFile }
        let url: URL?
        if scheme != nil {
            url = URL(lenient: text)
        } else {
            // A `data:` URL has no folder that a relative name could go on from.
            guard resource.scheme?.lowercased() != "data" else { throw .notAURL }
            // Without the dot a colon would end a scheme (RFC 3986 §4.2).
            let name = text.prefix { !"/?#".contains($0) }.contains(":") ? "./" + text : text
            url = URL(lenient: name, relativeTo: resource)?.absoluteURL
        }
        guard let url else { throw .notAURL }
        // Whatever way the text found to it.
        guard !url.isFileURL || resource.isFileURL else { throw .localFile }
        return url
    }

    /// Whether `text`, in a resource that is no file on this computer, names a file on it.
    package static func isForbidden(_ text: String, in resource: URL) -> Bool {
        guard !resource.isFileURL, let first = text.utf8.first, first | 0x20 == UInt8(ascii: "f") else { return false }
        return scheme(of: text) == "file"
    }

    /// In lower case; nil: the text is relative.
    private static func scheme(of text: String) -> String? {
        let head = text.utf8.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard head.count < text.utf8.count, text.utf8[head.endIndex] == UInt8(ascii: ":"),
            let first = head.first, (0x61...0x7A).contains(first | 0x20),
            head.allSatisfy({
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D
                    || $0 == 0x2E
            })
        else { return nil }
        let scheme = String(Substring(head)).lowercased()
        let rest = text.utf8[text.utf8.index(after: head.endIndex)...]
        return schemes.contains(scheme) || rest.starts(with: "//".utf8) ? scheme : nil
    }
}
