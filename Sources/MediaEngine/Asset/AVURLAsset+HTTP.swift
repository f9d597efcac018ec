import Foundation
import MediaCore
import Streaming

/// `[String: String]`: headers added to the asset's requests. Other servers than the URL's (another scheme, host or port),
/// which a playlist or a redirect names, get only those that are no secret, such as `Referer` and `User-Agent`, unless
/// ``AVURLAssetSharesCredentialsKey`` is true.
public let AVURLAssetHTTPHeaderFieldsKey = "AVURLAssetHTTPHeaderFieldsKey"
/// `String`: the `User-Agent`, instead of Zoetrope's own.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"
/// `[AVURLAssetHTTPCookie]`: cookies to begin with, for the URL's own server (scheme, host and port); those with another
/// domain join the cookies of the process, which are kept in memory.
public let AVURLAssetHTTPCookiesKey = "AVURLAssetHTTPCookiesKey"
/// `Bool`, ours: no certificate is checked. For a server of one's own in development.
public let AVURLAssetAllowsUntrustedCertificatesKey = "AVURLAssetAllowsUntrustedCertificatesKey"
/// `Bool`, ours: whether other servers that a playlist or a redirect names get the asset's headers, cookies and password
/// too. Default: false. Use only if you trust each of these servers.
public let AVURLAssetSharesCredentialsKey = "AVURLAssetSharesCredentialsKey"
/// Seconds (`Double` or `Int`, above 0), ours: the longest that a request may be silent. 15 by default; a
/// connection has to stand after the same time, at most 10.
public let AVURLAssetTimeoutKey = "AVURLAssetTimeoutKey"
/// Seconds (`Double` or `Int`, from 0 on, `.infinity`: never give up), ours: how long opening goes on trying after what
/// may pass (no connection, a timeout, 5xx, 408, 429), counted from the first of these failures. At most three tries
/// within 20 s by default; when set, as many as fit. 0: the first failure is the item's.
public let AVURLAssetOpeningTimeoutKey = "AVURLAssetOpeningTimeoutKey"
/// The same once the source has given something: how long a player that runs out of media waits for the network to come
/// back before the item fails. 60 s for a file and 120 s for a stream by default.
public let AVURLAssetRecoveryTimeoutKey = "AVURLAssetRecoveryTimeoutKey"

/// A cookie for `AVURLAssetHTTPCookiesKey`.
///
/// In place of Foundation's `HTTPCookie`, which on Linux is in FoundationNetworking, and that brings a second
/// HTTP stack with it.
public struct AVURLAssetHTTPCookie: Sendable, Hashable {
    /// Sent as it is; with a control character in it opening fails.
    public var name: String
    /// Sent as it is, not encoded; likewise.
    public var value: String
    /// Empty, or the host of the asset's URL: that server alone. With a leading dot all hosts of that domain.
    public var domain: String
    /// The paths it is sent to begin with this one.
    public var path: String

    /// Takes all as it is; what cannot be sent fails when the asset is opened.
    public init(name: String, value: String, domain: String = "", path: String = "/") {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
    }
}

extension AVURLAsset {
    /// Who loads it with nothing but its address gets something else, or nothing.
    package var needsOwnRequests: Bool {
        !httpOptions.headers.isEmpty || !httpOptions.cookies.isEmpty || httpOptions.userAgent != nil
            || httpOptions.allowsUntrustedCertificates
    }

    /// The options that concern HTTP, and what is wrong with them.
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
        func patience(_ key: String) -> Int64? {
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
        result.openingPatience = patience(AVURLAssetOpeningTimeoutKey)
        result.recoveryPatience = patience(AVURLAssetRecoveryTimeoutKey)
        return (result, problem)
    }
}
