import Foundation

/// The scheme, host and port of a server, to which credentials are bound (RFC 6454 §4).
package struct HTTPOrigin: Sendable, Hashable {
    package let scheme: String
    package let host: String
    package let port: Int
    /// The user name and password in the URL, percent-decoded.
    let login: HTTPLogin?

    /// Creates the origin of a URL. Returns nil if `url` is not an http or https URL.
    package init?(_ url: URL) {
        let url = url.absoluteURL
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", let host = url.host,
            !host.isEmpty
        else { return nil }
        self.scheme = scheme
        // A host name may end in the dot of the DNS root, which does not change its meaning.
        let name = host.lowercased()
        self.host = name.hasSuffix(".") ? String(name.dropLast()) : name
        port = url.port ?? (scheme == "https" ? 443 : 80)
        login = HTTPLogin(url)
    }

    /// Returns whether both have the same scheme, host and port. Logins are not compared.
    func isSame(as other: HTTPOrigin) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }
}

/// A user name and password for a server.
struct HTTPLogin: Sendable, Hashable {
    let user: String
    let password: String

    /// Creates the login of a URL. Returns nil if the URL contains neither a user name nor a password.
    init?(_ url: URL) {
        let user = url.user(percentEncoded: false) ?? ""
        let password = url.password(percentEncoded: false) ?? ""
        guard !user.isEmpty || !password.isEmpty else { return nil }
        (self.user, self.password) = (user, password)
    }
}

/// The headers, cookies and login that one request sends. Only this type decides which credentials a server receives.
///
/// Credentials belong to the origin that they were given for. Playlists and redirects name other servers, which do not
/// receive them unless `HTTPOptions.sharesCredentials` is set.
package struct HTTPCredentials {
    let headers: [String: String]
    /// The cookies of this request. Cookies that servers have set are added from the process's cookie jar.
    let cookies: [HTTPCookieValue]
    /// The cookies with a domain of their own, which go into the cookie jar.
    let jarCookies: [HTTPCookieValue]
    let login: HTTPLogin?
    /// Whether some of the given credentials are not sent to this server.
    let isWithheld: Bool

    /// The headers that reveal no secret and that streams need on every server that they use.
    private static let harmless: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "connection", "dnt",
        "icy-metadata", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "origin", "pragma",
        "range", "referer", "user-agent",
    ]

    /// Returns whether a header may be sent to any server and stored on disk, because it contains no secret.
    package static func isHarmless(_ name: String) -> Bool { harmless.contains(name.lowercased()) }

    /// Creates the credentials for a request to the server of `url`.
    /// - Parameters:
    ///   - url: The URL of the request, or the URL that a redirect led to.
    ///   - first: The URL that the request began with.
    init(for url: URL, first: URL, _ options: HTTPOptions) {
        let requestOrigin = HTTPOrigin(url)
        let firstOrigin = HTTPOrigin(first)
        let credentialsOrigin = options.origin ?? firstOrigin
        func isRequestOrigin(_ origin: HTTPOrigin?) -> Bool {
            guard let requestOrigin, let origin else { return false }
            return requestOrigin.isSame(as: origin)
        }
        let receivesAll = options.sharesCredentials || isRequestOrigin(credentialsOrigin)
        headers =
            receivesAll ? options.headers : options.headers.filter { Self.isHarmless($0.key) }
        var own: [HTTPCookieValue] = []
        var forJar: [HTTPCookieValue] = []
        for cookie in options.cookies {
            let domain = cookie.domain.lowercased()
            if domain.isEmpty || domain == credentialsOrigin?.host {
                own.append(cookie)
            } else {
                forJar.append(cookie)
            }
        }
        jarCookies = forJar
        let path = url.path(percentEncoded: true)
        cookies = receivesAll ? own.filter { $0.isSent(toPath: path.isEmpty ? "/" : path) } : []
        // A login in the URL itself is meant for that server: a playlist or a redirect contained that URL.
        let inherited = [firstOrigin, options.origin].compactMap { $0 }.first {
            isRequestOrigin($0) && $0.login != nil
        }?.login
        let shared = options.sharesCredentials ? options.origin?.login ?? firstOrigin?.login : nil
        login = requestOrigin?.login ?? inherited ?? shared
        isWithheld =
            !receivesAll
            && (headers.count < options.headers.count || !own.isEmpty
                || (credentialsOrigin?.login != nil && login == nil))
    }
}

extension HTTPCookieValue {
    /// The host that receives the cookie, and whether its subdomains receive it too. An IP address has no subdomains.
    var target: (host: String, includesSubdomains: Bool) {
        let host = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return (host, domain.hasPrefix(".") && !isAddress)
    }

    /// Returns whether the cookie's domain includes the host of `url` (RFC 6265 §5.1.3). A cookie without a domain
    /// belongs to every host.
    package func isSent(toHostOf url: URL) -> Bool {
        guard !domain.isEmpty else { return true }
        guard let origin = HTTPOrigin(url) else { return false }
        let (host, includesSubdomains) = target
        let name = host.lowercased()
        return origin.host == name || includesSubdomains && origin.host.hasSuffix("." + name)
    }

    /// Returns whether the cookie's path matches the path of a request (RFC 6265 §5.1.4).
    func isSent(toPath requested: String) -> Bool {
        guard !path.isEmpty, path != "/", requested != path else { return true }
        guard requested.hasPrefix(path) else { return false }
        return path.hasSuffix("/") || requested.dropFirst(path.count).first == "/"
    }
}

extension URL {
    /// The URL without its user name and password, which are sent as a header; nil if it has none.
    var withoutLogin: URL? {
        guard HTTPLogin(self) != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return nil
        }
        (parts.user, parts.password) = (nil, nil)
        return parts.url
    }
}
