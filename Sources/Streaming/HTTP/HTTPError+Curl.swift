import CCurl
import Foundation

extension HTTPError {
    /// libcurl's code as one of ours.
    static func curl(
        _ code: CURLcode, detail: String, url: URL, isAnswered: Bool, redirects: Int, timeouts: HTTPTimeouts
    ) -> HTTPError {
        func error(_ kind: Kind, _ reason: String) -> HTTPError { HTTPError(kind, url: url, reason: reason) }
        let words = sentence(detail)
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return error(.cannotFindHost, "there is no host named \(url.host ?? "")")
        case CURLE_COULDNT_RESOLVE_PROXY:
            return error(.cannotFindHost, "the proxy's name is unknown: \(words)")
        case CURLE_COULDNT_CONNECT:
            return error(.cannotConnect, "no connection: \(words)")
        case CURLE_OPERATION_TIMEDOUT where detail.hasPrefix("Resolving timed out"):
            return error(
                .cannotFindHost,
                "nobody says within \(CurlTransfer.seconds(timeouts.connect)) where \(url.host ?? "") is")
        case CURLE_OPERATION_TIMEDOUT:
            return error(
                .timedOut,
                isAnswered
                    ? "not done within \(CurlTransfer.seconds(timeouts.total ?? 0))"
                    : "no connection or answer in time: \(words)")
        case CURLE_TOO_MANY_REDIRECTS:
            return error(.tooManyRedirects, "\(redirects) redirects and no end")
        case CURLE_PARTIAL_FILE:
            return error(.truncated, "the answer breaks off: \(words)")
        case CURLE_GOT_NOTHING:
            return error(.connectionLost, "the server closed the connection without an answer")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return error(.connectionLost, "the connection broke: \(words)")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE:
            return error(.secureConnectionFailed, "TLS: \(words)")
        case CURLE_URL_MALFORMAT:
            return error(.unsupportedURL, "no URL that can be asked for: \(words)")
        case CURLE_UNSUPPORTED_PROTOCOL where !detail.contains("HTTP/0.9"):
            return error(.unsupportedURL, "no http or https: \(words)")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            return error(.other, "the answer is no HTTP")
        case CURLE_BAD_CONTENT_ENCODING:
            return error(.other, "the answer's compression is broken or unknown: \(words)")
        case CURLE_OUT_OF_MEMORY:
            return error(.other, "out of memory")
        default:
            return error(.other, "\(words) (libcurl \(code.rawValue))")
        }
    }

    private static func sentence(_ text: String) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: ". \n"))
    }
}

extension HTTPOptions {
    /// Why a request with these cannot be sent; nil when it can. A line break would be the start of another header.
    var problem: String? {
        func isBroken(_ text: String) -> Bool { text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f } }
        for (name, value) in headers {
            // A token (RFC 9110 §5.6.2).
            let isName =
                !name.isEmpty
                && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
            if !isName { return "“\(name)” is no name of a header" }
            if isBroken(value) { return "the value of the header \(name) has a control character in it" }
        }
        if let userAgent, isBroken(userAgent) { return "the user agent has a control character in it" }
        for cookie in cookies
        where [cookie.name, cookie.value, cookie.domain, cookie.path].contains(where: {
            isBroken($0) || $0.contains(";") || $0.contains("\t")
        }) {
            return "the cookie \(cookie.name) has a control character or a semicolon in it"
        }
        for cookie in cookies where cookie.name.isEmpty || cookie.name.contains("=") {
            return "“\(cookie.name)” is no name of a cookie"
        }
        return nil
    }
}

extension HTTPCookieValue {
    /// A line of Netscape's cookie file, which libcurl's jar reads; 0: until the process ends.
    /// - Parameter isSecure: Whether only https servers get it.
    func jarLine(isSecure: Bool) -> String {
        let bare = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
        let isAddress = bare.contains(":") || bare.allSatisfy { $0.isNumber || $0 == "." }
        let withSubdomains = domain.hasPrefix(".") && !isAddress
        return [
            bare, withSubdomains ? "TRUE" : "FALSE", path.isEmpty ? "/" : path, isSecure ? "TRUE" : "FALSE", "0", name,
            value,
        ]
        .joined(separator: "\t")
    }
}
