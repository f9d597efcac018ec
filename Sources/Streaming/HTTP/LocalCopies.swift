import Foundation

/// The location of a resource, or of a part of it, on this machine.
package struct LocalCopy: Sendable {
    package enum Content: Sendable {
        case file(URL)
        case bytes(Data)
    }
    package var content: Content
    /// The offset of the content's first byte in the resource.
    package var offset: Int64
    /// The length of the content, in bytes.
    package var length: Int64
    /// The length of the resource in bytes, or nil if it is unknown.
    package var whole: Int64?

    package init(_ content: Content, offset: Int64 = 0, length: Int64, whole: Int64? = nil) {
        self.content = content
        self.offset = offset
        self.length = length
        self.whole = whole
    }
}

/// A source of local copies. Requests for resources that have a copy are served from this machine, without the network.
///
/// Each request looks up its copy again, on the thread that starts the request. Two instances are equal only if they
/// are identical.
package final class LocalCopies: Sendable, Hashable {
    private let find: @Sendable (URL, (first: Int64, last: Int64?)?) -> LocalCopy?

    /// Creates a source of copies.
    /// - Parameter find: Returns the copy of a resource, or nil if there is none. The copy must contain the whole given
    ///   range, or the whole resource if the range is nil. For a range without a last byte, it must contain the
    ///   beginning of the range. Called on any thread.
    package init(_ find: @escaping @Sendable (URL, (first: Int64, last: Int64?)?) -> LocalCopy?) { self.find = find }

    func copy(for request: HTTPRequest) -> LocalCopy? { find(request.url, request.range) }
    package func copy(of url: URL, _ range: (first: Int64, last: Int64?)?) -> LocalCopy? { find(url, range) }

    package static func == (a: LocalCopies, b: LocalCopies) -> Bool { a === b }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
