/// The facts that the responses so far have revealed about one resource: its length, its version, and whether the
/// server supports byte ranges.
package struct ResourceFacts: Sendable, Hashable {
    /// The knowledge about a server's support for byte ranges.
    package enum Ranges: Sendable, Hashable {
        case unknown
        /// The server announces support with `Accept-Ranges`.
        case promised
        /// The server has answered a request for a range with that range.
        case accepted
        case refused
    }

    /// The length of the whole resource, in bytes; nil while unknown.
    package var length: Int64?
    package var ranges = Ranges.unknown
    /// The entity tag, strong or weak, as the server sent it.
    package var entityTag: String?
    package var lastModified: String?
    /// Whether the server has sent different dates for the same file. Such a date does not identify a version and is
    /// not sent back.
    package var datesVary = false

    package init(length: Int64? = nil, ranges: Ranges = .unknown) {
        self.length = length
        self.ranges = ranges
    }

    /// Creates the facts that one response reveals.
    package init(_ response: HTTPResponse, length: Int64?) {
        self.length = length
        entityTag = response.headers["etag"].flatMap { $0.utf8.count <= 512 ? $0 : nil }
        lastModified = response.headers["last-modified"].flatMap { $0.utf8.count <= 64 ? $0 : nil }
    }

    /// The version for `If-Range`, which accepts only strong entity tags and dates (RFC 9110 §13.1.5), or an empty
    /// string if there is none. It can be stored, and set again to resume loading later.
    package var validator: String {
        get {
            if let tag = strongTag { return tag }
            return datesVary ? "" : lastModified ?? ""
        }
        set {
            entityTag = newValue.hasPrefix("\"") ? newValue : nil
            lastModified = newValue.isEmpty || newValue.hasPrefix("\"") ? nil : newValue
            datesVary = false
        }
    }

    private var strongTag: String? { entityTag.flatMap { $0.hasPrefix("\"") ? $0 : nil } }

    /// The version as text that can be stored to resume loading later. It is the validator, or `=` and the length if
    /// there is no validator. An empty string means that versions cannot be distinguished.
    package var version: String {
        get { validator.isEmpty ? length.map { "=\($0)" } ?? "" : validator }
        set {
            if newValue.hasPrefix("=") {
                length = Int64(newValue.dropFirst())
            } else {
                validator = newValue
            }
        }
    }

    /// Returns the facts for resuming after bytes of a stored version, or nil if the resource now has another version.
    /// - Parameter version: The stored version of those bytes.
    package func continued(from version: String) -> ResourceFacts? {
        var earlier = ResourceFacts()
        earlier.version = version
        if earlier.validator.isEmpty ? earlier.length == length : earlier.validator == validator {
            earlier = self
            // The stored version has no validator, so the dates of this server are not used to compare versions.
            if version.hasPrefix("=") { earlier.datesVary = true }
            return earlier
        }
        return nil
    }

    /// Returns whether both have a strong entity tag and the tags differ.
    func hasOtherStrongTag(than new: ResourceFacts) -> Bool {
        if let a = strongTag, let b = new.strongTag { a != b } else { false }
    }

    /// The result of comparing the facts of two responses.
    enum Comparison: Equatable {
        case same
        /// The versions differ, but the difference does not mean that the bytes differ.
        case alike(String)
        /// The versions differ.
        case other(String)
    }

    /// Returns whether a response belongs to the same version of the resource as the responses before it.
    func compare(_ new: ResourceFacts) -> Comparison {
        let hasSameLength = length != nil && length == new.length
        if let length, let other = new.length, length != other {
            return .other("the size changed from \(length) to \(other) bytes")
        }
        if let a = strongTag, let b = new.strongTag {
            return a == b ? .same : .other("the ETag changed from \(a) to \(b)")
        }
        if let a = entityTag, let b = new.entityTag {
            // A server that compresses responses makes a strong tag weak.
            func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
            if opaque(a) == opaque(b) { return .same }
            let reason = "the weak ETag changed from \(a) to \(b)"
            return hasSameLength ? .alike(reason) : .other(reason)
        }
        if let a = lastModified, let b = new.lastModified, a != b, !datesVary {
            let reason = "the Last-Modified date changed from \(a) to \(b)"
            return hasSameLength ? .alike(reason) : .other(reason)
        }
        return .same
    }
}
