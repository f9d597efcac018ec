import Foundation
import MediaCore
import Streaming

/// Passwords and tokens of a download: what a user has given to be shown to a server, and to nobody else. A value, kept
/// in memory only: the record has what they were (`Needs`), so that a later process can say that it lacks them.
struct DownloadCredentials: Sendable, Hashable {
    /// A name and a password, percent-encoded as in the URL that they come from.
    struct Login: Sendable, Hashable {
        var user: String
        var password: String?
    }

    /// What a download cannot go on without; stored.
    struct Needs: Sendable, Hashable, Codable {
        var login = false
        /// Names of headers, sorted.
        var headers: [String] = []
        var isEmpty: Bool { !login && headers.isEmpty }
    }

    /// By the origin that they were given for (scheme, host and port).
    private(set) var logins: [HTTPOrigin: Login] = [:]
    private(set) var headers: [String: String] = [:]

    init() {}

    /// Takes the credentials out of a URL and of options, which are then fit to be stored.
    init(takenFrom url: inout URL, _ options: inout DownloadOptions) {
        url = take(from: url)
        take(from: &options)
    }

    mutating func take(from options: inout DownloadOptions) {
        headers = options.network.headers.filter { name, value in
            !HTTPCredentials.isHarmless(name) || Credentials.removed(from: value) != value
        }
        for name in headers.keys { options.network.headers[name] = nil }
        options.id = options.id.map(Credentials.removed)
        options.title = options.title.map(Credentials.removed)
    }

    /// Remembers the name and password in a URL.
    ///
    /// - Returns: the URL without them.
    mutating func take(from url: URL) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let user = parts.percentEncodedUser
        else { return url.withoutCredentials }
        if let origin = Self.origin(url) { logins[origin] = Login(user: user, password: parts.percentEncodedPassword) }
        (parts.percentEncodedUser, parts.percentEncodedPassword) = (nil, nil)
        return parts.url ?? url.withoutCredentials
    }

    /// Remembers the names and passwords in a playlist's URLs.
    ///
    /// - Returns: the text without them.
    mutating func take(from text: String) -> String {
        let (at, quote) = (UnicodeScalar(UInt8(ascii: "@")), UnicodeScalar(UInt8(ascii: "\"")))
        guard text.unicodeScalars.contains(at) else { return text }
        // A line is a URL, or a tag with URLs in quotes. By scalars: "\r\n" is one character.
        var result: [String] = []
        for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.contains(at) else {
                result.append(String(line))
                continue
            }
            let pieces = line.split(separator: quote, omittingEmptySubsequences: false).map { piece in
                let piece = String(piece)
                if let url = URL(lenient: piece.trimmingCharacters(in: .whitespacesAndNewlines)) { _ = take(from: url) }
                return Credentials.removed(from: piece)
            }
            result.append(pieces.joined(separator: "\""))
        }
        return result.joined(separator: "\n")
    }

    /// Takes over what `newer` has.
    mutating func merge(_ newer: DownloadCredentials) {
        logins.merge(newer.logins) { $1 }
        headers = newer.headers
    }

    /// With the name and password that were given for its server.
    func authorized(_ url: URL) -> URL {
        guard !logins.isEmpty, let origin = Self.origin(url), let login = logins[origin],
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), parts.percentEncodedUser == nil
        else { return url }
        (parts.percentEncodedUser, parts.percentEncodedPassword) = (login.user, login.password)
        return parts.url ?? url
    }

    /// What a download of `url` cannot do without.
    func needs(for url: URL) -> Needs {
        Needs(login: Self.origin(url).map { logins[$0] != nil } ?? false, headers: headers.keys.sorted())
    }

    /// - Throws: `.credentialsNeeded` where some of `needs` is not here.
    func check(_ needs: Needs, for url: URL) throws(DownloadError) {
        let names = Set(headers.keys.map { $0.lowercased() })
        let lacks = needs.headers.filter { !names.contains($0.lowercased()) }
        let lacksLogin = needs.login && !self.needs(for: url).login
        guard lacksLogin || !lacks.isEmpty else { return }
        let what =
            (lacksLogin ? ["the user name and password of its URL"] : [])
            + (lacks.isEmpty
                ? [] : [(lacks.count == 1 ? "the header " : "the headers ") + lacks.joined(separator: ", ")])
        throw DownloadError(
            .credentialsNeeded, at: url.location,
            reason: "the download needs \(what.joined(separator: " and ")) again; these are never stored",
            suggestion:
                "Retry with them: in an app with retry(with:headers:), in a terminal with the command that started the download"
        )
    }

    private static func origin(_ url: URL) -> HTTPOrigin? { HTTPOrigin(url.withoutCredentials) }
}
