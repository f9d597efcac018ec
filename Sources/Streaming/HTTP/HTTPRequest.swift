import Foundation
import MediaCore

/// The options for all requests of a source: headers, cookies, timeouts and others.
package struct HTTPOptions: Sendable, Hashable {
    /// The headers to add to requests to the source's origin (see `HTTPCredentials`). A header named `User-Agent` or
    /// `Cookie` replaces the default one.
    package var headers: [String: String] = [:]
    /// The server that `headers`, `cookies` and the URL's password belong to. nil means the server of each request's
    /// URL.
    package var origin: HTTPOrigin?
    /// Whether other servers named by playlists and redirects receive the credentials too.
    package var sharesCredentials = false
    /// The user agent. nil means `HTTPOptions.defaultUserAgent`.
    package var userAgent: String?
    package static let defaultUserAgent = "Zoetrope/\(ProductVersion.text) (Linux)"
    /// The initial cookies, which a server may replace. A cookie with an empty domain belongs to the origin. A cookie
    /// with another domain enters the process's cookie jar with the first request that has it, and stays there.
    package var cookies: [HTTPCookieValue] = []
    /// Whether TLS certificate verification is skipped. Use only with servers you trust.
    package var allowsUntrustedCertificates = false
    package var timeouts = HTTPTimeouts()
    /// The time for which a source retries before its first byte has arrived, in nanoseconds from the first of
    /// consecutive failures. nil lets the source decide; `.max` means forever.
    package var openingPatience: Int64?
    /// The time for which a source retries after its first byte has arrived, in nanoseconds from the first of
    /// consecutive failures. nil lets the source decide; `.max` means forever.
    package var recoveryPatience: Int64?
    /// The local files that replace some of the source's resources, or nil if there are none.
    package var copies: LocalCopies?
    /// The source of responses for URLs with other schemes, or nil if there is none.
    package var custom: CustomTransfers?
    /// The media that is opened instead of the URL's resource, or nil if there is none.
    package var substitute: SubstituteMedia?
    package init() {}
}

/// A cookie that an app sets before the first request.
package struct HTTPCookieValue: Sendable, Hashable {
    package var name: String
    package var value: String
    /// The domain, with a leading dot to include subdomains. An empty string means the origin.
    package var domain: String
    /// The path to which the cookie is restricted. An empty string or `/` means every path.
    package var path: String
    package init(name: String, value: String, domain: String, path: String = "/") {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
    }
}

/// The timeouts of a request, in nanoseconds.
package struct HTTPTimeouts: Sendable, Hashable {
    /// The longest time for DNS lookup, connection and TLS handshake. Each redirect starts this time again.
    package var connect: Int64 = 10_000_000_000
    /// The longest time without data from the server.
    ///
    /// The response's head must be complete within this time after the request was sent, even if bytes keep arriving.
    /// The body may not pause longer than this between two bytes. Each interval of this length must bring at least
    /// `minimumRate`, because a response of one byte per second is useless. Time during which the receiver is paused
    /// does not count.
    package var idle: Int64 = 15_000_000_000
    /// The longest time for the whole transfer, pauses included. nil sets no limit while bytes arrive.
    package var total: Int64?
    /// The minimum mean rate over `idle`, in bytes per second. It is far below the rate of any media.
    package static let minimumRate: Int64 = 64
    package init() {}
}

/// A request for a resource or a range of it.
package struct HTTPRequest: Sendable {
    package var url: URL
    /// The first and the last byte, both included (RFC 9110 §14.1.2). A `last` of nil means the end of the resource. A
    /// range of nil requests the whole resource.
    package var range: (first: Int64, last: Int64?)?
    package var options: HTTPOptions
    /// The maximum length of the body, in bytes. A longer body fails with `.tooLarge`. nil sets no limit.
    package var limit: Int64?
    /// Whether to accept gzip, deflate, brotli or zstd. Compression helps with playlists and other text. Media does not
    /// become smaller, and compressed responses have no byte ranges.
    package var acceptsCompression: Bool
    /// Whether the request yields to those that playback waits for (see `LinkPriority`).
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

/// The head of a successful response.
package struct HTTPResponse: Sendable {
    /// The URL after redirects.
    package var url: URL
    package var status: Int
    /// The headers, with names in lower case.
    package var headers: [String: String]
    /// The length of this body in bytes; nil if the server does not send it, or the body is chunked or compressed.
    package var contentLength: Int64?
    /// The offset of the body's first byte in the whole resource, for status 206 (RFC 9110 §14.4).
    package var rangeStart: Int64?
    /// The length of the whole resource in bytes, or nil if it is unknown.
    package var wholeLength: Int64?
    /// Whether the server supports byte ranges: the status is 206, or the response has `Accept-Ranges: bytes`.
    package var acceptsRanges: Bool

    /// The name of an internet radio (SHOUTcast, Icecast), or nil if there is none.
    package var stationName: String? {
        headers["icy-name"].flatMap { $0.isEmpty ? nil : $0 }
    }
    /// Whether the resource is an internet radio. Each request receives such a stream from its current position.
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

/// The measurements of a finished request. Times are those of the loop's clock.
package struct HTTPMetrics: Sendable {
    package var started: HostTime
    package var firstByte: HostTime
    package var ended: HostTime
    /// The number of body bytes received over the network.
    package var bytes: Int64
    /// Whether the request used only existing connections.
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
