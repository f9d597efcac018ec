import Foundation

/// Where a resource of a server, or a part of it, lies on this machine.
package struct LocalCopy: Sendable {
    package enum Content: Sendable {
        case file(URL)
        case bytes(Data)
    }
    package var content: Content
    /// Which byte of the resource the content begins with.
    package var offset: Int64
    /// Of the content, bytes.
    package var length: Int64
    /// Of the resource, bytes; nil: unknown.
    package var whole: Int64?

    package init(_ content: Content, offset: Int64 = 0, length: Int64, whole: Int64? = nil) {
        self.content = content
        self.offset = offset
        self.length = length
        self.whole = whole
    }
}

/// Copies of a source's resources: requests for them are answered from this machine, without the network. Asked anew
/// for each request, on the loop; compared by identity.
package final class LocalCopies: Sendable, Hashable {
    private let find: @Sendable (URL, (first: Int64, last: Int64?)?) -> LocalCopy?

    /// - Parameter find: the copy of a resource that holds all of a range (nil: the whole resource), or of one without
    ///   a last byte the beginning; nil: there is none.
    package init(_ find: @escaping @Sendable (URL, (first: Int64, last: Int64?)?) -> LocalCopy?) { self.find = find }

    func copy(for request: HTTPRequest) -> LocalCopy? { find(request.url, request.range) }
    package func copy(of url: URL, _ range: (first: Int64, last: Int64?)?) -> LocalCopy? { find(url, range) }

    package static func == (a: LocalCopies, b: LocalCopies) -> Bool { a === b }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
