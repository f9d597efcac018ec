import Foundation

/// Header fields in the order in which they were added. Names are compared without case (RFC 9110 §5.1).
package struct ServerHeaders: Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    package private(set) var fields: [(name: String, value: String)] = []

    package init() {}
    package init(dictionaryLiteral elements: (String, String)...) { fields = elements.map { ($0.0, $0.1) } }
    package init(_ elements: [String: String]) {
        fields = elements.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The first value of a field. Setting a value replaces all fields of that name; nil removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { fields.append((name, newValue)) }
        }
    }

    package mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }
    package var description: String { fields.map { "\($0.name): \($0.value)\r\n" }.joined() }
}

/// A request that was read from a connection.
package struct ServerRequest: Sendable {
    package let method: String
    /// The target in the request line. It is absolute if the client uses this server as a proxy (RFC 9112 §3.2.2).
    package let target: String
    /// The path without its leading slash and query, percent-decoded.
    package let path: String
    /// The parameters of the query, percent-decoded. The last of several values wins.
    package let query: [String: String]
    package var headers: ServerHeaders
    /// Whether the connection must be closed after the answer. True for HTTP/1.0 without keep-alive, and for clients
    /// that request it.
    package let wantsClose: Bool

    /// Parses the bytes before the empty line; nil if they are not an HTTP/1 request.
    init?(head: Data) {
        guard let text = String(data: head, encoding: .utf8) else { return nil }
        var lines = text.components(separatedBy: "\r\n")
        let first = lines.removeFirst().split(separator: " ")
        guard first.count == 3, first[2].hasPrefix("HTTP/1.") else { return nil }
        method = String(first[0])
        target = String(first[1])
        var headers = ServerHeaders()
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers.append(
                String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        self.headers = headers
        var rest = target[...]
        if let scheme = rest.range(of: "://") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" }
        }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0].drop { $0 == "/" }).removingPercentEncoding ?? String(parts[0])
        var query: [String: String] = [:]
        for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                String($0).removingPercentEncoding ?? String($0)
            }
            query[sides[0]] = sides.count > 1 ? sides[1] : ""
        }
        self.query = query
        let connection = headers["Connection"]?.lowercased()
        wantsClose = connection == "close" || first[2] == "HTTP/1.0" && connection != "keep-alive"
    }
}
