import Foundation

/// A namespace for resolving references in a resource, such as a playlist, a list of media or a thumbnail track.
///
/// Every URL from the text of a resource is created here. This enforces a rule in one place: only files on this
/// computer may refer to files on this computer.
package enum ResourceReference {
    package enum Problem: Error, Sendable, Equatable {
        /// The text is not a URL.
        case notAURL
        /// The text refers to a file on this computer, but the resource is not on this computer.
        case localFile
    }

    /// The schemes that need no slashes after the colon. Any other text before a colon is part of a relative name, such
    /// as `12:30:00.ts`, unless two slashes follow the colon.
    private static let schemes: Set = ["http", "https", "file", "data", "skd"]

    /// Resolves `text` against the URL of the resource that contains it (RFC 3986 §5). Any thread.
    /// - Parameter resource: The URL of the resource, after redirects.
    /// - Throws: A `Problem` if the text is not a URL or refers to a local file that is not allowed.
    package static func resolve(_ text: String, in resource: URL) throws(Problem) -> URL {
        let scheme = scheme(of: text)
        guard scheme != "file" || resource.isFileURL else { throw .localFile }
        let url: URL?
        if scheme != nil {
            url = URL(lenient: text)
        } else {
            // A `data:` URL has no folder to which a name could be relative.
            guard resource.scheme?.lowercased() != "data" else { throw .notAURL }
            // Without the dot, the text before the colon would be a scheme (RFC 3986 §4.2).
            let name = text.prefix { !"/?#".contains($0) }.contains(":") ? "./" + text : text
            url = URL(lenient: name, relativeTo: resource)?.absoluteURL
        }
        guard let url else { throw .notAURL }
        // The check also covers file URLs that result from resolving the text.
        guard !url.isFileURL || resource.isFileURL else { throw .localFile }
        return url
    }

    /// Returns whether `text` refers to a file on this computer although `resource` is not on this computer.
    package static func isForbidden(_ text: String, in resource: URL) -> Bool {
        guard !resource.isFileURL, let first = text.utf8.first, first | 0x20 == UInt8(ascii: "f") else { return false }
        return scheme(of: text) == "file"
    }

    /// Returns the scheme in lower case, or nil if the text is relative.
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
