import Foundation
import GRDB
import MediaCore
import Streaming

/// The reason why a download waits or has failed, with its location and a remedy. Apps can show `description` to users.
///
/// ```swift
/// do {
///     try await download.finished()
/// } catch {
///     if error.code == .credentialsNeeded {
///         try await download.retry(headers: ["Authorization": "Bearer \(token)"])
///     } else {
///         print(error.description)
///     }
/// }
/// ```
public struct DownloadError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The kind of an error, for decisions in code.
    public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
        /// The network or the server failed (no connection, a timeout, a 5xx status). Requests are retried for
        /// ``DownloadPolicy/patience`` seconds; after that, the download has failed and can be resumed.
        case network
        /// The connection is not secure: the server's certificate is invalid or not trusted.
        case secureConnectionFailed
        /// The network is metered, and the policy requires an unmetered one.
        case meteredNetwork
        /// The disk is full, or only the space that the policy reserves is free. The download resumes when there is
        /// enough space.
        case diskFull
        /// The library's quota is used up by downloads that may not be evicted.
        case quotaExceeded
        /// A file could not be written, read or removed, for another reason than a full disk.
        case disk
        /// The server refused the request (401, 403, 407), or a local file cannot be read.
        case refused
        /// The resource does not exist (404, or a missing local file), no longer exists (410), or is behind too many
        /// redirects.
        case gone
        /// The server now refuses a URL that it accepted before, and the playlist provides no URL that works.
        case linkExpired
        /// The resource at the URL has changed since its first bytes were downloaded.
        case changedOnServer
        /// The response is not valid media: it is not a playlist or container, it is truncated, or it is shorter than
        /// the playlist states. Also a status for which there is no other code, such as 400.
        case notMedia
        /// The key of an encrypted stream is unavailable or invalid.
        case keyMissing
        /// A segment does not decrypt to media: its key or its initialization vector is wrong.
        case wrongKey
        /// The download needs a password or header that the app passed at its start. Zoetrope never stores passwords
        /// and secret headers, so pass them again to `Download.retry(with:headers:)`.
        case credentialsNeeded
        /// The stream is live and has no end. `DownloadOptions.recordedDuration` records a part of a live stream.
        case live
        /// The stream is protected by a key system (FairPlay, Widevine, PlayReady).
        case protected
        /// Another process or download is using the package or the library.
        case inUse
        /// The download, package or rendition does not exist.
        case notFound
        /// A file that should be on the disk was removed or changed by another program.
        case damaged
        /// The database is invalid, damaged, or written by a newer version.
        case record
        /// An argument is invalid.
        case invalidArgument
        /// The caller canceled the operation.
        case cancelled
    }

    /// The kind of the failure, for decisions in code. Show `reason` to people.
    public let code: Code
    /// The URL (without a user name and password) or the file path that the error is about.
    public let location: String
    /// The reason of the failure: a clause with a subject, in lower case and without a final full stop.
    public let reason: String
    /// The remedy: an instruction without a final full stop, or an empty string if none is known.
    public let suggestion: String
    /// The HTTP status that caused the error (RFC 9110 §15), or nil if no server answered.
    public let httpStatus: Int?

    /// `suggestion` is stored under its earlier name, which existing databases contain.
    private enum CodingKeys: String, CodingKey {
        case code, location, reason, httpStatus
        case suggestion = "recoverySuggestion"
    }

    /// Creates an error, and removes user names and passwords from URLs in the texts.
    ///
    /// - Parameters:
    ///   - location: The URL or file path that the error is about.
    ///   - reason: A clause with a subject, in lower case and without a final full stop.
    ///   - suggestion: An instruction without a final full stop, or an empty string.
    ///   - httpStatus: The HTTP status that caused the error, if any.
    public init(_ code: Code, at location: String, reason: String, suggestion: String = "", httpStatus: Int? = nil) {
        self.code = code
        self.location = Credentials.removed(from: location)
        self.reason = Credentials.removed(from: reason)
        self.suggestion = Credentials.removed(from: suggestion)
        self.httpStatus = httpStatus
    }

    /// The failure with its full location, its reason and its remedy, in one or two sentences.
    public var description: String { ErrorText.whole(self) }

    /// Whether a waiting download with this error resumes by itself when the cause has passed. A failed download never
    /// resumes by itself.
    public var isTransient: Bool {
        switch code {
        case .network, .meteredNetwork, .diskFull, .quotaExceeded, .inUse: true
        default: false
        }
    }
}

extension DownloadError: LocalizedError {
    /// A sentence with the failure, its location and its reason.
    public var errorDescription: String? { ErrorText.description(failure, reason) }
    /// A sentence with the reason of the failure.
    public var failureReason: String? { ErrorText.sentence(reason) }
    /// A sentence with the remedy, or nil if none is known.
    public var recoverySuggestion: String? { ErrorText.suggestion(suggestion) }

    /// The failure without its reason, or nil if there is no location to name.
    private var failure: String? {
        guard !location.isEmpty else { return nil }
        let name = "“\(location)”"
        if code == .cancelled { return "Can't continue with \(name)" }
        // A location that begins with a slash is a file or folder of the library; any other location is a download's
        // URL.
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
        let errorLocation = error.url.location
        let advice = error.avError.suggestion
        switch error.kind {
        case .status:
            switch error.status ?? 0 {
            case 401, 403, 407:
                self.init(
                    .refused, at: errorLocation, reason: error.reason,
                    suggestion: "Check the user name and password, cookies or token for this URL",
                    httpStatus: error.status)
            case 404, 410:
                self.init(
                    .gone, at: errorLocation, reason: error.reason, suggestion: "Check the URL",
                    httpStatus: error.status)
            case 500..., 408, 429:
                self.init(
                    .network, at: errorLocation, reason: error.reason, suggestion: "Try again later",
                    httpStatus: error.status)
            default:
                self.init(
                    .notMedia, at: errorLocation, reason: error.reason, suggestion: advice, httpStatus: error.status)
            }
        case .changed:
            self.init(
                .changedOnServer, at: errorLocation, reason: error.reason,
                suggestion: "Retry to download it from the start")
        case .fileNotFound: self.init(.gone, at: errorLocation, reason: error.reason, suggestion: advice)
        case .fileUnreadable: self.init(.refused, at: errorLocation, reason: error.reason, suggestion: advice)
        case .cancelled: self.init(.cancelled, at: errorLocation, reason: error.reason)
        case .tooLarge:
            self.init(
                .notMedia, at: errorLocation, reason: error.reason,
                suggestion: "Check that the URL points to a media file or stream",
                httpStatus: error.status)
        case .unsupportedURL, .invalidRequest:
            self.init(.invalidArgument, at: errorLocation, reason: error.reason, suggestion: advice)
        case .truncated where error.isFinal, .wrongAnswer:
            self.init(.notMedia, at: errorLocation, reason: error.reason, suggestion: advice, httpStatus: error.status)
        case .secureConnectionFailed:
            self.init(.secureConnectionFailed, at: errorLocation, reason: error.reason, suggestion: advice)
        case .tooManyRedirects:
            self.init(.gone, at: errorLocation, reason: error.reason, suggestion: advice, httpStatus: error.status)
        case .cannotFindHost, .cannotConnect, .connectionLost, .timedOut, .truncated, .libraryMissing, .other:
            self.init(.network, at: errorLocation, reason: error.reason, suggestion: advice, httpStatus: error.status)
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

    /// Returns an error for a failed system call on a file.
    ///
    /// - Parameters:
    ///   - code: The value of `errno`.
    ///   - action: A clause with the failed action, which begins the reason.
    static func system(_ code: Int32, at path: String, _ action: String) -> DownloadError {
        let text = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT:
            return DownloadError(
                .diskFull, at: path, reason: "the disk is full",
                suggestion: "Free some space, then try again; a running download resumes by itself")
        case EACCES, EPERM, EROFS:
            return DownloadError(
                .disk, at: path, reason: "\(action): \(text)",
                suggestion: "Check the permissions of the file and its folder, or choose another folder")
        default:
            return DownloadError(
                .disk, at: path, reason: "\(action): \(text)",
                suggestion: "Check the path and the disk, or choose another folder")
        }
    }

    /// Returns an error for a failed operation of the database at `path`.
    ///
    /// - Parameter system: The value of `errno` that SQLite has kept; 0 for none.
    static func record(_ error: any Error, system: Int32 = 0, at path: String) -> DownloadError {
        if let error = error as? DownloadError { return error }
        guard let error = error as? DatabaseError else { return DownloadError(.record, at: path, reason: "\(error)") }
        let message = error.message ?? "error \(error.resultCode.rawValue)"
        switch error.extendedResultCode {
        // SQLite reports SHMSIZE, and not FULL, if it has no space for the index of its log (database-shm), and an I/O
        // error if the user's quota is exceeded.
        case .SQLITE_FULL, .SQLITE_IOERR_SHMSIZE,
            .SQLITE_IOERR where [ENOSPC, EDQUOT].contains(system):
            return .system(ENOSPC, at: path, message)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return DownloadError(
                .inUse, at: path, reason: "another process is using the download database", suggestion: "Try again")
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            return DownloadError(
                .record, at: path, reason: "the download database is damaged: \(message)",
                suggestion: "Move the database to another folder; the downloaded files are kept")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            return DownloadError(
                .disk, at: path, reason: "the download database can't be written: \(message)",
                suggestion: "Make the folder writable, or choose another folder")
        default: return DownloadError(.record, at: path, reason: message)
        }
    }
}
