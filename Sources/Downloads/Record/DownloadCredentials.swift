import Foundation
import MediaCore
import Streaming

/// The passwords and secret headers of a download, which are sent only to the servers they were given for. Kept in
/// memory only.
///
/// The database stores which credentials a download needs (`Needs`), so that a later process can report that they are
/// missing.
struct DownloadCredentials: Sendable, Hashable {
    /// A user name and password, percent-encoded as in the URL.
    struct Login: Sendable, Hashable {
        var user: String
        var password: String?
    }

    /// The credentials without which a download cannot continue; stored without their values.
    struct Needs: Sendable, Hashable, Codable {
        var login = false
        /// The names of the headers, sorted.
        var headers: [String] = []
        var isEmpty: Bool { !login && headers.isEmpty }
    }

    /// The logins by the origin (scheme, host and port) that they were given for.
    private(set) var logins: [HTTPOrigin: Login] = [:]
    private(set) var headers: [String: String] = [:]

    init() {}

    /// Moves the credentials out of a URL and options, which may then be stored.
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

    /// Keeps the user name and password of a URL.
    ///
    /// - Returns: The URL without them.
    mutating func take(from url: URL) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let user = parts.percentEncodedUser
        else { return url.withoutCredentials }
        if let origin = Self.origin(url) { logins[origin] = Login(user: user, password: parts.percentEncodedPassword) }
        (parts.percentEncodedUser, parts.percentEncodedPassword) = (nil, nil)
        return parts.url ?? url.withoutCredentials
    }

    /// Keeps the user names and passwords of the URLs in a playlist.
    ///
    /// - Returns: The text without them.
    mutating func take(from text: String) -> String {
        let (atSign, quote) = (UnicodeScalar(UInt8(ascii: "@")), UnicodeScalar(UInt8(ascii: "\"")))
        guard text.unicodeScalars.contains(atSign) else { return text }
        // A line is a URL, or a tag with URLs in quotes. Split by scalars, because "\r\n" is a single character.
        var result: [String] = []
        for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.contains(atSign) else {
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

    /// Returns the URL with the user name and password for its server, if there are any.
    func authorized(_ url: URL) -> URL {
        guard !logins.isEmpty, let origin = Self.origin(url), let login = logins[origin],
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), parts.percentEncodedUser == nil
        else { return url }
        (parts.percentEncodedUser, parts.percentEncodedPassword) = (login.user, login.password)
        return parts.url ?? url
    }

    /// Returns the credentials that a download of `url` needs.
    func needs(for url: URL) -> Needs {
        Needs(login: Self.origin(url).map { logins[$0] != nil } ?? false, headers: headers.keys.sorted())
    }

    /// Checks that all needed credentials are present.
    ///
    /// - Throws: `.credentialsNeeded` if some are missing.
    func check(_ needs: Needs, for url: URL) throws(DownloadError) {
        let names = Set(headers.keys.map { $0.lowercased() })
        let missingHeaders = needs.headers.filter { !names.contains($0.lowercased()) }
        let lacksLogin = needs.login && !self.needs(for: url).login
        guard lacksLogin || !missingHeaders.isEmpty else { return }
        let missing =
            (lacksLogin ? ["the user name and password of its URL"] : [])
            + (missingHeaders.isEmpty
                ? []
                : [
                    (missingHeaders.count == 1 ? "the header " : "the headers ")
                        + missingHeaders.joined(separator: ", ")
                ])
        throw DownloadError(
            .credentialsNeeded, at: url.location,
            reason: "the download needs \(missing.joined(separator: " and ")) again; these are never stored",
            suggestion:
                "Retry with them: in an app with retry(with:headers:), in a terminal with the command that started the download"
        )
    }

    private static func origin(_ url: URL) -> HTTPOrigin? { HTTPOrigin(url.withoutCredentials) }
}
