/// Everything that the answers so far have said about one resource: its length, its version, and whether the server
/// answers byte ranges. A value.
package struct ResourceFacts: Sendable, Hashable {
    package enum Ranges: Sendable, Hashable {
        case unknown
        /// The server says that it has them (`Accept-Ranges`).
        case promised
        /// It has answered one.
        case accepted
        case refused
    }

    /// The length of the whole resource, in bytes; nil while unknown.
    package var length: Int64?
    package var ranges = Ranges.unknown
    /// Strong or weak, as the server sent it.
    package var entityTag: String?
    package var lastModified: String?
    /// Whether the server gave the same file different dates. Such a date is no version and is not sent back.
    package var datesVary = false

    package init(length: Int64? = nil, ranges: Ranges = .unknown) {
        self.length = length
        self.ranges = ranges
    }

    /// What an answer says.
    package init(_ response: HTTPResponse, length: Int64?) {
        self.length = length
        entityTag = response.headers["etag"].flatMap { $0.utf8.count <= 512 ? $0 : nil }
        lastModified = response.headers["last-modified"].flatMap { $0.utf8.count <= 64 ? $0 : nil }
    }

    /// The version for `If-Range`, which takes strong entity tags and dates only (RFC 9110 §13.1.5). Empty: there is
    /// none. It can be stored, and set when loading continues later.
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

    /// The version as text, to be stored and to continue loading with later: the validator; where there is none, `=`
    /// and the length. Empty: nothing tells versions apart.
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

    /// These facts for continuing behind bytes of a `version` that was stored; nil: it is another one.
    package func continued(from version: String) -> ResourceFacts? {
        var earlier = ResourceFacts()
        earlier.version = version
        if earlier.validator.isEmpty ? earlier.length == length : earlier.validator == validator {
            earlier = self
            // The server has given the same file different dates.
            if version.hasPrefix("=") { earlier.datesVary = true }
            return earlier
        }
        return nil
    }

    /// Whether both have a strong tag, and the tags differ.
    func hasOtherStrongTag(than new: ResourceFacts) -> Bool {
        if let a = strongTag, let b = new.strongTag { a != b } else { false }
    }

    enum Comparison: Equatable {
        case same
        /// The versions differ in a way that says nothing about the bytes.
        case alike(String)
        /// The versions differ.
        case other(String)
    }

    /// Whether an answer belongs to the resource that the answers before it came from.
    func compare(_ new: ResourceFacts) -> Comparison {
        let isOfOneLength = length != nil && length == new.length
        if let length, let other = new.length, length != other {
            return .other("the size changed from \(length) to \(other) bytes")
        }
        if let a = strongTag, let b = new.strongTag {
            return a == b ? .same : .other("the ETag changed from \(a) to \(b)")
        }
        if let a = entityTag, let b = new.entityTag {
            // A server that compresses makes a strong tag weak.
            func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
            if opaque(a) == opaque(b) { return .same }
            let reason = "the weak ETag changed from \(a) to \(b)"
            return isOfOneLength ? .alike(reason) : .other(reason)
        }
        if let a = lastModified, let b = new.lastModified, a != b, !datesVary {
            let reason = "the Last-Modified date changed from \(a) to \(b)"
            return isOfOneLength ? .alike(reason) : .other(reason)
        }
        return .same
    }
}
