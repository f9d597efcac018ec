import CCurl
import Foundation

extension HTTPError {
    /// Returns the error for one of libcurl's result codes.
    /// - Parameters:
    ///   - detail: libcurl's message for this request.
    ///   - isAnswered: Whether the head of a response has arrived.
    static func curl(
        _ code: CURLcode, detail: String, url: URL, isAnswered: Bool, redirects: Int, timeouts: HTTPTimeouts
    ) -> HTTPError {
        func error(_ kind: Kind, _ reason: String) -> HTTPError { HTTPError(kind, url: url, reason: reason) }
        let message = trimmedMessage(detail)
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            let host = url.host ?? ""
            return error(
                .cannotFindHost, host.isEmpty ? "the URL has no host name" : "the host “\(host)” was not found")
        case CURLE_COULDNT_RESOLVE_PROXY:
            return error(.cannotFindHost, "the proxy's host was not found: \(message)")
        case CURLE_COULDNT_CONNECT:
            return error(.cannotConnect, "the connection failed: \(unreachableHost(message))")
        case CURLE_OPERATION_TIMEDOUT where detail.hasPrefix("Resolving timed out"):
            return error(
                .cannotFindHost,
                "DNS lookup for “\(url.host ?? "")” timed out after \(CurlTransfer.seconds(timeouts.connect))")
        case CURLE_OPERATION_TIMEDOUT:
            return error(
                .timedOut,
                isAnswered
                    ? "the request was not complete after \(CurlTransfer.seconds(timeouts.total ?? 0))"
                    : "the server did not respond in time: \(message)")
        case CURLE_TOO_MANY_REDIRECTS:
            return error(.tooManyRedirects, "the server redirected the request more than \(redirects) times")
        case CURLE_PARTIAL_FILE:
            return error(.truncated, "the response ended early: \(message)")
        case CURLE_GOT_NOTHING:
            return error(.connectionLost, "the server closed the connection without a response")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return error(.connectionLost, "the connection was lost: \(message)")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE:
            return error(.secureConnectionFailed, "the TLS connection failed: \(message)")
        case CURLE_URL_MALFORMAT:
            return error(.unsupportedURL, "the URL is not valid")
        case CURLE_UNSUPPORTED_PROTOCOL where !detail.contains("HTTP/0.9"):
            return error(
                .unsupportedURL, "the URL, or a URL that the server redirected to, is not an http or https URL")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            return error(.other, "the response is not HTTP")
        case CURLE_BAD_CONTENT_ENCODING:
            return error(.other, "the response's compression is damaged or not supported: \(message)")
        case CURLE_OUT_OF_MEMORY:
            return error(.other, "there is not enough memory")
        default:
            return error(.other, "\(message) (libcurl \(code.rawValue))")
        }
    }

    /// Shortens libcurl's message “Failed to connect to HOST port 80 after 1 ms: Couldn't connect to server”.
    private static func unreachableHost(_ text: String) -> String {
        let start = "Failed to connect to "
        guard text.hasPrefix(start), let end = text.range(of: " after ") else { return text }
        return "\(text[..<end.lowerBound].dropFirst(start.count)) can't be reached"
    }

    private static func trimmedMessage(_ text: String) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: ". \n"))
    }
}

extension HTTPOptions {
    /// The reason why a request with these options cannot be sent, or nil if it can. Control characters are rejected,
    /// because a line break would start another header.
    var problem: String? {
        func isBroken(_ text: String) -> Bool { text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f } }
        for (name, value) in headers {
            // A header's name must be a token (RFC 9110 §5.6.2).
            let isName =
                !name.isEmpty
                && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
            if !isName { return "“\(name)” is not a valid header name" }
            if isBroken(value) { return "the value of the header \(name) contains a control character" }
        }
        if let userAgent, isBroken(userAgent) { return "the user agent contains a control character" }
        for cookie in cookies
        where [cookie.name, cookie.value, cookie.domain, cookie.path].contains(where: {
            isBroken($0) || $0.contains(";") || $0.contains("\t")
        }) {
            return "the cookie \(cookie.name) contains a control character or a semicolon"
        }
        for cookie in cookies where cookie.name.isEmpty || cookie.name.contains("=") {
            return "“\(cookie.name)” is not a valid cookie name"
        }
        return nil
    }
}

extension HTTPCookieValue {
    /// Returns the cookie as a line of Netscape's cookie file, which libcurl's cookie jar reads. The expiry time 0
    /// keeps the cookie until the process ends.
    /// - Parameter isSecure: Whether the cookie is sent only to https servers.
    func jarLine(isSecure: Bool) -> String {
        let (host, includesSubdomains) = target
        return [
            host, includesSubdomains ? "TRUE" : "FALSE", path.isEmpty ? "/" : path, isSecure ? "TRUE" : "FALSE", "0",
            name, value,
        ]
        .joined(separator: "\t")
    }
}
