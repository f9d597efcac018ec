import Foundation
import MediaCore
import Streaming

/// Whether the duration and the timing are read precisely, as `Bool`. Has no effect: they are always as precise as the
/// container allows.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// The HTTP headers of the asset's requests, as `[String: String]`.
///
/// A playlist or a redirect can name servers with another scheme, host or port. Such servers receive only headers that
/// contain no secret, such as `Referer` and `User-Agent`, unless ``AVURLAssetSharesCredentialsKey`` is true.
public let AVURLAssetHTTPHeaderFieldsKey = "AVURLAssetHTTPHeaderFieldsKey"
/// The `User-Agent` header of the asset's requests, as `String`. The default is Zoetrope's own.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"
/// The initial cookies of the asset's requests, as `[AVURLAssetHTTPCookie]`.
///
/// By default, a cookie is sent to the server of the URL (scheme, host and port). Cookies with another domain are added
/// to the cookies of the process, which are kept in memory.
public let AVURLAssetHTTPCookiesKey = "AVURLAssetHTTPCookiesKey"
/// Whether TLS certificate verification is skipped, as `Bool`. Use only with servers you trust. The default is false.
/// Not part of AVFoundation.
public let AVURLAssetAllowsUntrustedCertificatesKey = "AVURLAssetAllowsUntrustedCertificatesKey"
/// Whether other servers that a playlist or redirect names also receive the asset's headers, cookies and password, as
/// `Bool`.
///
/// The default is false. Use only if you trust each of these servers. Not part of AVFoundation.
public let AVURLAssetSharesCredentialsKey = "AVURLAssetSharesCredentialsKey"
/// The maximum time without data for a request, in seconds, as `Double` or `Int`, finite and greater than 0. Not part
/// of AVFoundation.
///
/// The default is 15. Values above 86,400, a day, count as 86,400. The time limit for a connection is the same, but at
/// most 10 s.
public let AVURLAssetTimeoutKey = "AVURLAssetTimeoutKey"
/// The maximum time for retries when an item is opened, in seconds, as `Double` or `Int` of at least 0. Not part of
/// AVFoundation.
///
/// The time counts from the first temporary failure: no connection, a timeout, or status 5xx, 408 or 429. By default,
/// there are at most three attempts within 20 s. If set, the number of attempts is not limited. At 0, the first failure
/// fails the item; `.infinity` retries forever.
public let AVURLAssetOpeningTimeoutKey = "AVURLAssetOpeningTimeoutKey"
/// The maximum time for retries after the first data has arrived, in seconds, as `Double` or `Int` of at least 0. Not
/// part of AVFoundation.
///
/// When a player has no more media, it waits this long for the network before the item fails. The default is 60 for a
/// file and 120 for a stream.
public let AVURLAssetRecoveryTimeoutKey = "AVURLAssetRecoveryTimeoutKey"

/// A cookie for `AVURLAssetHTTPCookiesKey`.
///
/// ```swift
/// let session = AVURLAssetHTTPCookie(name: "session", value: sessionID)
/// let asset = AVURLAsset(url: url, options: [AVURLAssetHTTPCookiesKey: [session]])
/// ```
/// This type replaces Foundation's `HTTPCookie`, which on Linux is part of FoundationNetworking and would add a second
/// HTTP implementation.
public struct AVURLAssetHTTPCookie: Sendable, Hashable {
    /// The name, which is sent unchanged. If it contains a control character, the asset cannot be opened.
    public var name: String
    /// The value, which is sent unchanged, without encoding. If it contains a control character, the asset cannot be
    /// opened.
    public var value: String
    /// The domain. If the domain is empty or is the host of the asset's URL, only the server of the URL receives the
    /// cookie. If the domain begins with a dot, all its hosts receive the cookie.
    public var domain: String
    /// The path prefix. The cookie is sent only to paths that begin with it.
    public var path: String

    /// Creates a cookie without checking its values. If a value cannot be sent, the asset cannot be opened.
    public init(name: String, value: String, domain: String = "", path: String = "/") {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
    }
}

extension AVURLAsset {
    /// Whether a request with only the URL may fail or return other data, because the asset has its own headers,
    /// cookies or user agent, or allows untrusted certificates.
    package var needsOwnRequests: Bool {
        !httpOptions.headers.isEmpty || !httpOptions.cookies.isEmpty || httpOptions.userAgent != nil
            || httpOptions.allowsUntrustedCertificates
    }

    /// Returns the HTTP options in `options`, and the error if a value is invalid.
    static func httpOptions(from options: [String: any Sendable], url: URL) -> (HTTPOptions, AVError?) {
        var result = HTTPOptions()
        result.origin = HTTPOrigin(url)
        var problem: AVError?
        func value<T>(_ key: String, _ type: T.Type, _ name: String) -> T? {
            guard let raw = options[key] else { return nil }
            if let value = raw as? T { return value }
            problem = AVError(.invalidArgument, at: url.absoluteString, reason: "the value of \(key) is not \(name)")
            return nil
        }
        if let headers = value(AVURLAssetHTTPHeaderFieldsKey, [String: String].self, "a [String: String]") {
            result.headers = headers
        }
        result.userAgent = value(AVURLAssetHTTPUserAgentKey, String.self, "a String")
        if let cookies = value(AVURLAssetHTTPCookiesKey, [AVURLAssetHTTPCookie].self, "an [AVURLAssetHTTPCookie]") {
            result.cookies = cookies.map {
                HTTPCookieValue(name: $0.name, value: $0.value, domain: $0.domain, path: $0.path)
            }
        }
        if let allows = value(AVURLAssetAllowsUntrustedCertificatesKey, Bool.self, "a Bool") {
            result.allowsUntrustedCertificates = allows
        }
        if let shares = value(AVURLAssetSharesCredentialsKey, Bool.self, "a Bool") { result.sharesCredentials = shares }
        let seconds =
            (options[AVURLAssetTimeoutKey] as? Int).map(Double.init)
            ?? value(AVURLAssetTimeoutKey, Double.self, "a number of seconds")
        if let seconds {
            if seconds > 0, seconds.isFinite {
                result.timeouts.idle = Int64(min(seconds, 86_400) * 1e9)
                result.timeouts.connect = min(result.timeouts.connect, result.timeouts.idle)
            } else {
                problem = AVError(
                    .invalidArgument, at: url.absoluteString,
                    reason: "\(AVURLAssetTimeoutKey) is \(seconds) s, but must be greater than 0")
            }
        }
        func timeout(_ key: String) -> Int64? {
            guard
                let seconds = (options[key] as? Int).map(Double.init) ?? value(key, Double.self, "a number of seconds")
            else { return nil }
            guard seconds >= 0 else {
                problem = AVError(
                    .invalidArgument, at: url.absoluteString, reason: "\(key) is \(seconds) s, but must be 0 or greater"
                )
                return nil
            }
            return seconds < 1e9 ? Int64(seconds * 1e9) : .max
        }
        result.openingPatience = timeout(AVURLAssetOpeningTimeoutKey)
        result.recoveryPatience = timeout(AVURLAssetRecoveryTimeoutKey)
        return (result, problem)
    }
}
