import Foundation

/// A server as credentials are bound to it: scheme, host and port (RFC 6454 §4).
package struct HTTPOrigin: Sendable, Hashable {
    package let scheme: String
    package let host: String
    package let port: Int
    /// The name and password in the URL, percent-decoded.
    let login: HTTPLogin?

    /// Nil if `url` is no http or https URL.
    package init?(_ url: URL) {
        let url = url.absoluteURL
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", let host = url.host,
            !host.isEmpty
        else { return nil }
        self.scheme = scheme
        // A name may end in the root's dot, and means the same.
        let name = host.lowercased()
        self.host = name.hasSuffix(".") ? String(name.dropLast()) : name
        port = url.port ?? (scheme == "https" ? 443 : 80)
        login = HTTPLogin(url)
    }

    /// Whether both are the same server; the logins may differ.
    func isSame(as other: HTTPOrigin) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }
}

/// A name and a password for a server.
struct HTTPLogin: Sendable, Hashable {
    let user: String
    let password: String

    /// Nil if the URL has neither.
    init?(_ url: URL) {
        let user = url.user(percentEncoded: false) ?? ""
        let password = url.password(percentEncoded: false) ?? ""
        guard !user.isEmpty || !password.isEmpty else { return nil }
        (self.user, self.password) = (user, password)
    }
}

/// What one request carries of its source's headers, cookies and password: the only place that decides it.
///
/// They are for the origin that they were given for. Playlists and redirects name other servers, whose owners must not
/// get them, unless the user has said so (`HTTPOptions.sharesCredentials`).
package struct HTTPCredentials {
    let headers: [String: String]
    /// Cookies of this request; the process's jar adds what servers have set.
    let cookies: [HTTPCookieValue]
    /// Cookies whose domain says where they go: for the jar.
    let jarCookies: [HTTPCookieValue]
    let login: HTTPLogin?
    /// Whether something was given that this server does not get.
    let isWithheld: Bool

    /// Headers that tell a server nothing that it might not know, and that streams need on each server they use.
    private static let harmless: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "connection", "dnt",
        "icy-metadata", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "origin", "pragma",
        "range", "referer", "user-agent",
    ]

    /// Whether the header of that name may be sent to any server and stored: it says nothing that must be kept secret.
    package static func isHarmless(_ name: String) -> Bool { harmless.contains(name.lowercased()) }

    /// - Parameters:
    ///   - url: The URL of the request, or the one that a redirect has led to.
    ///   - first: The URL that the request began with.
    init(for url: URL, first: URL, _ options: HTTPOptions) {
        let here = HTTPOrigin(url)
        let start = HTTPOrigin(first)
        let given = options.origin ?? start
        func isHere(_ origin: HTTPOrigin?) -> Bool {
            guard let here, let origin else { return false }
            return here.isSame(as: origin)
        }
        let mayHaveAll = options.sharesCredentials || isHere(given)
        headers =
            mayHaveAll ? options.headers : options.headers.filter { Self.isHarmless($0.key) }
        var own: [HTTPCookieValue] = []
        var forJar: [HTTPCookieValue] = []
        for cookie in options.cookies {
            let domain = cookie.domain.lowercased()
            if domain.isEmpty || domain == given?.host {
                own.append(cookie)
            } else {
                forJar.append(cookie)
            }
        }
        jarCookies = forJar
        let path = url.path(percentEncoded: true)
        cookies = mayHaveAll ? own.filter { $0.isSent(toPath: path.isEmpty ? "/" : path) } : []
        // A login in the URL itself is for that server: the playlist or the redirect has named it.
        let inherited = [start, options.origin].compactMap { $0 }.first { isHere($0) && $0.login != nil }?.login
        let shared = options.sharesCredentials ? options.origin?.login ?? start?.login : nil
        login = here?.login ?? inherited ?? shared
        isWithheld =
            !mayHaveAll
            && (headers.count < options.headers.count || !own.isEmpty || (given?.login != nil && login == nil))
    }
}

extension HTTPCookieValue {
    /// RFC 6265 §5.1.4.
    func isSent(toPath requested: String) -> Bool {
        guard !path.isEmpty, path != "/", requested != path else { return true }
        guard requested.hasPrefix(path) else { return false }
        return path.hasSuffix("/") || requested.dropFirst(path.count).first == "/"
    }
}

extension URL {
    /// Without a name and password, which are sent as a header; nil where it has none.
    var withoutLogin: URL? {
        guard HTTPLogin(self) != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return nil
        }
        (parts.user, parts.password) = (nil, nil)
        return parts.url
    }
}
