import Foundation
import MediaCore

/// The reason why a request failed.
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
        /// The response does not match the request: it contains other bytes than requested.
        case wrongAnswer
        /// The resource has changed since its first part was read.
        case changed
        /// The `file:` URL names no file, or a file that cannot be read.
        case fileNotFound, fileUnreadable
        /// A header, cookie or user agent is not valid.
        case invalidRequest
        /// libcurl is not installed.
        case libraryMissing
        /// The caller canceled the request.
        case cancelled
        case other
    }
    package var kind: Kind
    /// The URL that failed, after redirects, without user name and password, so that it can be shown.
    package var url: URL
    package var status: Int?
    /// The delay that the server requests with `Retry-After`, in seconds from now (RFC 9110 §10.2.3).
    package var retryAfter: Double?
    /// The length of the resource in bytes, which a server sends when it rejects a range (status 416, RFC 9110 §14.4).
    package var resourceLength: Int64?
    /// Whether a retry would fail in the same way.
    package var isFinal = false
    /// The reason, as one sentence without a full stop at the end.
    package var reason: String
    /// The time from the start of the request to the failure, in nanoseconds.
    package var spent: Int64 = 0

    package init(_ kind: Kind, url: URL, status: Int? = nil, retryAfter: Double? = nil, reason: String) {
        self.kind = kind
        self.url = url.withoutCredentials
        self.status = status
        self.retryAfter = retryAfter
        self.reason = reason
    }

    /// Whether a retry may succeed: the cause is the network or the server, not the request.
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

    /// The error as apps receive it.
    package var avError: AVError {
        let location = url.location
        switch kind {
        case .cannotFindHost:
            return AVError(
                .cannotFindHost, at: location, reason: reason,
                suggestion: "Check the host name and the network connection"
            )
        case .cannotConnect:
            return AVError(
                .cannotConnectToHost, at: location, reason: reason,
                suggestion: "Check that the server is running and the port is correct")
        case .connectionLost, .truncated:
            return AVError(
                .networkConnectionLost, at: location, reason: reason,
                suggestion: isFinal
                    ? "Try again later, or get the file from another server" : "Try again")
        case .wrongAnswer:
            return AVError(
                .badServerResponse, at: location, reason: reason, suggestion: "Try again later",
                httpStatus: status)
        case .secureConnectionFailed:
            return AVError(
                .secureConnectionFailed, at: location, reason: reason,
                suggestion:
                    "Check that the server supports https, that its certificate is valid, and that this computer's clock is correct; for a server you trust, use --insecure (in an app: AVURLAssetAllowsUntrustedCertificatesKey)"
            )
        case .status:
            return .badStatus(status, at: location, reason: reason)
        case .timedOut:
            return AVError(
                .timedOut, at: location, reason: reason,
                suggestion: "Check the network connection, or increase the timeout")
        case .tooManyRedirects:
            return AVError(
                .httpTooManyRedirects, at: location, reason: reason,
                suggestion: "Check the URL, or report the error to the server's operator", httpStatus: status)
        case .unsupportedURL:
            return AVError(
                .unsupportedURL, at: location, reason: reason,
                suggestion: "Use an http or https URL such as https://example.com/film.mp4")
        case .changed:
            return AVError(.readFailed, at: location, reason: reason, suggestion: "Open the file again")
        case .fileNotFound:
            return AVError(
                .fileNotFound, at: location, reason: reason, suggestion: "Check the spelling and the current folder")
        case .fileUnreadable:
            return AVError(.permissionDenied, at: location, reason: reason, suggestion: "Check the file's permissions")
        case .invalidRequest:
            return AVError(.invalidArgument, at: location, reason: reason)
        case .libraryMissing:
            return AVError(
                .operationNotSupported, at: location, reason: reason,
                suggestion: "Install libcurl3-gnutls (Debian, Ubuntu) or libcurl")
        case .cancelled:
            return AVError(.cancelled, at: location, reason: reason)
        case .tooLarge, .other:
            return AVError(.readFailed, at: location, reason: reason, httpStatus: status)
        }
    }
}
