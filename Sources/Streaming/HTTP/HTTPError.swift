import Foundation
import MediaCore

/// Why a request failed.
package struct HTTPError: Error, Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case cannotFindHost, cannotConnect, connectionLost, secureConnectionFailed
        /// `status` is not 2xx.
        case status
        case timedOut, tooManyRedirects, unsupportedURL
        /// The body is longer than the request's limit.
        case tooLarge
        /// The body ended before its announced length.
        case truncated
        /// The answer is no answer to the request: other bytes than those that were asked for.
        case wrongAnswer
        /// The resource is no longer the one whose first part was read.
        case changed
        /// A `file:` URL that names nothing, or something that may not be read.
        case fileNotFound, fileUnreadable
        /// A header, cookie or user agent that cannot be sent.
        case invalidRequest
        /// There is no libcurl on this machine.
        case libraryMissing
        /// Given up by whoever asked.
        case cancelled
        case other
    }
    package var kind: Kind
    /// Where it was, after redirects; to be shown: without a name and password.
    package var url: URL
    package var status: Int?
    /// The server's `Retry-After`, seconds from now (RFC 9110 §10.2.3).
    package var retryAfter: Double?
    /// The length of the resource, in bytes, where the server refuses a range of it (416, RFC 9110 §14.4).
    package var resourceLength: Int64?
    /// Whether a retry would bring the same.
    package var isFinal = false
    /// One sentence without a final full stop.
    package var reason: String
    /// How long it took to fail, nanoseconds.
    package var spent: Int64 = 0

    package init(_ kind: Kind, url: URL, status: Int? = nil, retryAfter: Double? = nil, reason: String) {
        self.kind = kind
        self.url = url.withoutCredentials
        self.status = status
        self.retryAfter = retryAfter
        self.reason = reason
    }

    /// Trying again may help: the network's trouble and the server's own, not our asking for the wrong thing.
    package var isTransient: Bool {
        if isFinal { return false }
        return switch kind {
        case .cannotFindHost, .cannotConnect, .connectionLost, .timedOut, .truncated, .other: true
        case .status: status.map { $0 >= 500 || $0 == 408 || $0 == 429 } ?? true
        case .secureConnectionFailed, .tooManyRedirects, .unsupportedURL, .tooLarge, .wrongAnswer, .changed,
            .fileNotFound, .fileUnreadable, .invalidRequest, .libraryMissing, .cancelled:
            false
        }
    }

    /// As an app sees it.
    package var avError: AVError {
        let place = url.location
        switch kind {
        case .cannotFindHost:
            return AVError(
                .cannotFindHost, at: place, reason: reason, suggestion: "Check the host name and the network connection"
            )
        case .cannotConnect:
            return AVError(
                .cannotConnectToHost, at: place, reason: reason,
                suggestion: "Check that the server is running and the port is correct")
        case .connectionLost, .truncated:
            return AVError(
                .networkConnectionLost, at: place, reason: reason,
                suggestion: isFinal
                    ? "Try again later, or get the file from another server" : "Try again")
        case .wrongAnswer:
            return AVError(
                .badServerResponse, at: place, reason: reason, suggestion: "Try again later",
                httpStatus: status)
        case .secureConnectionFailed:
            return AVError(
                .secureConnectionFailed, at: place, reason: reason,
                suggestion:
                    "Check that the server supports https, that its certificate is valid, and that this computer's clock is correct; for a server you trust, use --insecure (in an app: AVURLAssetAllowsUntrustedCertificatesKey)"
            )
        case .status:
            return .badStatus(status, at: place, reason: reason)
        case .timedOut:
            return AVError(
                .timedOut, at: place, reason: reason,
                suggestion: "Check the network connection, or increase the timeout")
        case .tooManyRedirects:
            return AVError(
                .httpTooManyRedirects, at: place, reason: reason,
                suggestion: "Check the URL, or report the error to the server's operator", httpStatus: status)
        case .unsupportedURL:
            return AVError(
                .unsupportedURL, at: place, reason: reason,
                suggestion: "Use an http or https URL such as https://example.com/film.mp4")
        case .changed:
            return AVError(.readFailed, at: place, reason: reason, suggestion: "Open the file again")
        case .fileNotFound:
            return AVError(
                .fileNotFound, at: place, reason: reason, suggestion: "Check the spelling and the current folder")
        case .fileUnreadable:
            return AVError(.permissionDenied, at: place, reason: reason, suggestion: "Check the file's permissions")
        case .invalidRequest:
            return AVError(.invalidArgument, at: place, reason: reason)
        case .libraryMissing:
            return AVError(
                .operationNotSupported, at: place, reason: reason,
                suggestion: "Install libcurl3-gnutls (Debian, Ubuntu) or libcurl")
        case .cancelled:
            return AVError(.cancelled, at: place, reason: reason)
        case .tooLarge, .other:
            return AVError(.readFailed, at: place, reason: reason, httpStatus: status)
        }
    }
}
