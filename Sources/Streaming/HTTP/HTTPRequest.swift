import Foundation
import MediaCore

/// How a source is asked for: the app's own headers and how long it may take.
package struct HTTPOptions: Sendable, Hashable {
    /// Added to the source's requests to its origin, see `HTTPCredentials`; one named `User-Agent` or `Cookie` replaces
    /// ours.
    package var headers: [String: String] = [:]
    /// The server that `headers`, `cookies` and the URL's password were given for; nil: the one of each request's URL.
    package var origin: HTTPOrigin?
    /// Whether other servers that playlists and redirects name get them too.
    package var sharesCredentials = false
    /// Nil: `HTTPOptions.defaultUserAgent`.
    package var userAgent: String?
    package static let defaultUserAgent = "Zoetrope/\(ProductVersion.text) (Linux)"
    /// Set beforehand; a server may replace them. One with an empty domain is for the origin. One with another domain
    /// enters the process's cookie jar with the first request that brings it, and stays there.
    package var cookies: [HTTPCookieValue] = []
    /// No certificate is checked. For a server of one's own in development.
    package var allowsUntrustedCertificates = false
    package var timeouts = HTTPTimeouts()
    /// How long a source tries again after the first failure in a row, nanoseconds: before anything of it has come, and
    /// after that. Nil: as the source thinks best; `.max`: for ever.
    package var openingPatience: Int64?
    package var recoveryPatience: Int64?
    /// Files of this machine that stand for some of the source's resources; nil: none do.
    package var copies: LocalCopies?
    package init() {}
}

package struct HTTPCookieValue: Sendable, Hashable {
    package var name: String
    package var value: String
    package var domain: String
    package var path: String
    package init(name: String, value: String, domain: String, path: String = "/") {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
    }
}

/// Nanoseconds.
package struct HTTPTimeouts: Sendable, Hashable {
    /// Name look-up, connection and TLS handshake, of each redirect anew.
    package var connect: Int64 = 10_000_000_000
    /// How long an answer may be silent. Its head must be whole this long after the request was sent, however its
    /// bytes dribble in. The body may pause no longer between two bytes, and each stretch of this length must
    /// bring at least `minimumRate`: an answer of a byte a second is as good as none. Time in which the receiver
    /// itself is paused does not count.
    package var idle: Int64 = 15_000_000_000
    /// The whole transfer, pauses included; nil: as long as bytes come.
    package var total: Int64?
    /// Bytes a second, far below any media; the mean over `idle`.
    package static let minimumRate: Int64 = 64
    package init() {}
}

package struct HTTPRequest: Sendable {
    package var url: URL
    /// First and last byte, both included (RFC 9110 §14.1.2); last nil: to the end.
    package var range: (first: Int64, last: Int64?)?
    package var options: HTTPOptions
    /// The body may not be longer, bytes; one that is ends in `.tooLarge`.
    package var limit: Int64?
    /// Accept gzip, deflate, brotli or zstd. For playlists and other text; media gain nothing and lose their ranges.
    package var acceptsCompression: Bool
    /// Nobody waits to see or hear what it brings: it yields to requests for what plays (`LinkPriority`).
    package var isBackground = false

    package init(
        url: URL, range: (first: Int64, last: Int64?)? = nil, options: HTTPOptions = HTTPOptions(),
        limit: Int64? = nil, acceptsCompression: Bool = false
    ) {
        self.url = url
        self.range = range
        self.options = options
        self.limit = limit
        self.acceptsCompression = acceptsCompression
    }
}

package struct HTTPResponse: Sendable {
    /// After redirects.
    package var url: URL
    package var status: Int
    /// Names in lower case.
    package var headers: [String: String]
    /// Of this body, when the server says; nil for chunked and compressed ones.
    package var contentLength: Int64?
    /// Where the body's first byte lies in the whole, and how long the whole is, for a 206 (RFC 9110 §14.4).
    package var rangeStart: Int64?
    package var wholeLength: Int64?
    /// The server answers ranges: a 206, or `Accept-Ranges: bytes`.
    package var acceptsRanges: Bool

    /// The name of an internet radio (SHOUTcast, Icecast); nil: it has none, or is none.
    package var stationName: String? {
        headers["icy-name"].flatMap { $0.isEmpty ? nil : $0 }
    }
    /// Whether it is an internet radio, which each request hears from where it is now.
    package var isRadio: Bool { contentLength == nil && headers.keys.contains { $0.hasPrefix("icy-") } }

    package init(
        url: URL, status: Int, headers: [String: String] = [:], contentLength: Int64? = nil,
        rangeStart: Int64? = nil, wholeLength: Int64? = nil, acceptsRanges: Bool = false
    ) {
        self.url = url
        self.status = status
        self.headers = headers
        self.contentLength = contentLength
        self.rangeStart = rangeStart
        self.wholeLength = wholeLength
        self.acceptsRanges = acceptsRanges
    }
}

/// What a finished request took. Times are the loop's.
package struct HTTPMetrics: Sendable {
    package var started: HostTime
    package var firstByte: HostTime
    package var ended: HostTime
    /// Of the body as it came over the wire.
    package var bytes: Int64
    /// No new connection had to be made.
    package var reusedConnection: Bool

    package init(
        started: HostTime = .zero, firstByte: HostTime = .zero, ended: HostTime = .zero, bytes: Int64 = 0,
        reusedConnection: Bool = false
    ) {
        self.started = started
        self.firstByte = firstByte
        self.ended = ended
        self.bytes = bytes
        self.reusedConnection = reusedConnection
    }
}
