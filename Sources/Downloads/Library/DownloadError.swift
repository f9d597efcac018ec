import Foundation
import GRDB
import MediaCore
import Streaming

/// Why a download waits or has failed: what, where, and what to do about it. `description` is fit to be shown to a
/// user.
public struct DownloadError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The kind of trouble, for code that decides.
    public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
        /// The network or the server fails (no connection, a timeout, 5xx). Retried as long as
        /// ``DownloadPolicy/patience`` says; a download that has failed with it can be resumed.
        case network
        /// The connection is not secure: the server's certificate is not valid, or not trusted.
        case secureConnectionFailed
        /// The network costs by the byte, and the policy says to wait for another one.
        case meteredNetwork
        /// No room is left on the disk, or only what the policy keeps free. Goes on when there is room.
        case diskFull
        /// The library's quota is taken by what may not be evicted.
        case quotaExceeded
        /// Files could not be written, read or removed for another reason than room.
        case disk
        /// The server does not let us have it (401, 403).
        case refused
        /// It is not there (404), or no longer (410).
        case gone
        /// An address that worked is refused now, and its playlist gives no new one.
        case linkExpired
        /// Under the address stands another resource than the one whose beginning is here.
        case changedOnServer
        /// What came is no media: no playlist, no container, cut off, or shorter than the playlist says.
        case notMedia
        /// A key of an encrypted stream cannot be had, or is none.
        case keyMissing
        /// A segment does not decrypt to media: its key or its initialization vector is not the right one.
        case wrongKey
        /// A password or a header that the download was begun with is needed again; neither is ever stored.
        /// `Download.retry(with:headers:)` takes them.
        case credentialsNeeded
        /// A live stream, which has no end. `DownloadOptions.recordedDuration` records a stretch of it.
        case live
        /// Protected by a key system (FairPlay, Widevine, PlayReady).
        case protected
        /// Another process has the download, or the library, in its hands.
        case inUse
        /// There is no such download, package or rendition.
        case notFound
        /// What should be on the disk is not: it was removed or changed from outside.
        case damaged
        /// The database is none, is broken, or of a newer version.
        case record
        /// An argument makes no sense.
        case invalidArgument
        /// Given up by its caller.
        case cancelled
    }

    /// What kind of failure it is: what a program decides by, where `reason` is for people.
    public let code: Code
    /// The URL (without a name and password) or file that it is about.
    public let location: String
    /// Why it failed: a clause with a subject, in lower case and without a final full stop.
    public let reason: String
    /// What the reader can do: an instruction without a final full stop; empty if nothing helps.
    public let suggestion: String
    /// The HTTP status behind it (RFC 9110 §15); nil if no server answered.
    public let httpStatus: Int?

    /// The record's names.
    private enum CodingKeys: String, CodingKey {
        case code, location, reason, httpStatus
        case suggestion = "recoverySuggestion"
    }

    /// Names and passwords are taken out of URLs in `location` and `reason`.
    public init(_ code: Code, at location: String, reason: String, suggestion: String = "", httpStatus: Int? = nil) {
        self.code = code
        self.location = Credentials.removed(from: location)
        self.reason = Credentials.removed(from: reason)
        self.suggestion = Credentials.removed(from: suggestion)
        self.httpStatus = httpStatus
    }

    /// What failed, why, and what to do about it: one or two sentences with the whole location.
    public var description: String { ErrorText.whole(self) }

    /// It passes by itself: the download goes on when its cause has gone.
    public var isTransient: Bool {
        switch code {
        case .network, .meteredNetwork, .diskFull, .quotaExceeded, .inUse: true
        default: false
        }
    }
}

extension DownloadError: LocalizedError {
    /// What failed, where and why: a sentence.
    public var errorDescription: String? { ErrorText.description(failure, reason) }
    /// Why it failed: a sentence.
    public var failureReason: String? { ErrorText.sentence(reason) }
    /// What to do about it: a sentence; nil if nothing is known to help.
    public var recoverySuggestion: String? { ErrorText.suggestion(suggestion) }

    /// What failed, without the reason. Nil without a location: the reason stands alone.
    private var failure: String? {
        guard !location.isEmpty else { return nil }
        let name = "“\(location)”"
        if code == .cancelled { return "Can't continue with \(name)" }
        // Of a download, or of a file or folder of the library.
        guard location.hasPrefix("/") else { return "Can't download \(name)" }
        return switch code {
        case .disk: "Can't access \(name)"
        case .diskFull, .quotaExceeded: "Can't write to \(name)"
        default: "Can't use \(name)"
        }
    }
}

extension DownloadError {
    init(_ error: HTTPError) {
        let place = error.url.location
        let advice = error.avError.suggestion
        switch error.kind {
        case .status:
            switch error.status ?? 0 {
            case 401, 403, 407:
                self.init(
                    .refused, at: place, reason: error.reason,
                    suggestion: "Check the user name and password, cookies or token for this URL",
                    httpStatus: error.status)
            case 404, 410:
                self.init(.gone, at: place, reason: error.reason, suggestion: "Check the URL", httpStatus: error.status)
            case 500..., 408, 429:
                self.init(
                    .network, at: place, reason: error.reason, suggestion: "Try again later",
                    httpStatus: error.status)
            default:
                self.init(.notMedia, at: place, reason: error.reason, suggestion: advice, httpStatus: error.status)
            }
        case .changed:
            self.init(
                .changedOnServer, at: place, reason: error.reason,
                suggestion: "Retry to download it from the start")
        case .fileNotFound: self.init(.gone, at: place, reason: error.reason, suggestion: advice)
        case .fileUnreadable: self.init(.refused, at: place, reason: error.reason, suggestion: advice)
        case .cancelled: self.init(.cancelled, at: place, reason: error.reason)
        case .tooLarge:
            self.init(
                .notMedia, at: place, reason: error.reason,
                suggestion: "Check that the URL points to a media file or stream",
                httpStatus: error.status)
        case .unsupportedURL, .invalidRequest:
            self.init(.invalidArgument, at: place, reason: error.reason, suggestion: advice)
        case .truncated where error.isFinal, .wrongAnswer:
            self.init(.notMedia, at: place, reason: error.reason, suggestion: advice, httpStatus: error.status)
        case .secureConnectionFailed:
            self.init(.secureConnectionFailed, at: place, reason: error.reason, suggestion: advice)
        case .tooManyRedirects:
            self.init(.gone, at: place, reason: error.reason, suggestion: advice, httpStatus: error.status)
        case .cannotFindHost, .cannotConnect, .connectionLost, .timedOut, .truncated, .libraryMissing, .other:
            self.init(.network, at: place, reason: error.reason, suggestion: advice, httpStatus: error.status)
        }
    }

    init(_ error: AVError) {
        let code: Code =
            switch error.code {
            case .unsupportedKeySystem: .protected
            case .cancelled: .cancelled
            case .fileNotFound: .gone
            case .diskFull: .diskFull
            case .writeFailed, .readFailed, .permissionDenied: .disk
            case .invalidArgument, .unsupportedURL: .invalidArgument
            default: .notMedia
            }
        self.init(
            code, at: error.location, reason: error.reason, suggestion: error.suggestion,
            httpStatus: error.httpStatus)
    }

    /// Of the system's calls on files.
    static func system(_ code: Int32, at path: String, _ what: String) -> DownloadError {
        let text = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT:
            return DownloadError(
                .diskFull, at: path, reason: "the disk is full",
                suggestion: "Free some space, then try again; a running download resumes by itself")
        case EACCES, EPERM, EROFS:
            return DownloadError(
                .disk, at: path, reason: "\(what): \(text)",
                suggestion: "Check the permissions of the file and its folder, or choose another folder")
        default:
            return DownloadError(
                .disk, at: path, reason: "\(what): \(text)",
                suggestion: "Check the path and the disk, or choose another folder")
        }
    }

    /// Of the database.
    static func record(_ error: any Error, at path: String) -> DownloadError {
        if let error = error as? DownloadError { return error }
        guard let error = error as? DatabaseError else { return DownloadError(.record, at: path, reason: "\(error)") }
        let words = error.message ?? "error \(error.resultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_FULL:
            return DownloadError(
                .diskFull, at: path, reason: "the disk is full",
                suggestion: "Free some space, then try again; a running download resumes by itself")
        case .SQLITE_IOERR where errno == ENOSPC:
            return DownloadError(
                .diskFull, at: path, reason: "the disk is full",
                suggestion: "Free some space, then try again; a running download resumes by itself")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return DownloadError(
                .inUse, at: path, reason: "another process is using the download database", suggestion: "Try again")
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            return DownloadError(
                .record, at: path, reason: "the download database is damaged: \(words)",
                suggestion: "Move the database to another folder; the downloaded files are kept")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            return DownloadError(
                .disk, at: path, reason: "the download database can't be written: \(words)",
                suggestion: "Make the folder writable, or choose another folder")
        default: return DownloadError(.record, at: path, reason: words)
        }
    }
}
