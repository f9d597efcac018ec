import Foundation

/// An error with its cause, the file or URL it is about, and a suggestion.
///
/// ```swift
/// do {
///     let duration = try await asset.load(.duration)
///     print(duration.seconds)
/// } catch {
///     switch error.code {
///     case .fileNotFound: print("The file was moved or deleted.")
///     case .badServerResponse: print("Status \(error.httpStatus ?? 0)")
///     default: print(error.description)
///     }
/// }
/// ```
/// The type corresponds to AVFoundation's `AVError`. Codes that AVFoundation also has use its names; the others are
/// specific to Zoetrope. `description` can be shown to users.
public struct AVError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, for decisions in code.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The file or resource does not exist.
        case fileNotFound
        /// The path is a directory, a socket or a device, which cannot contain media.
        case notAFile
        /// The file exists, but the current user is not allowed to read it.
        case permissionDenied
        /// The file is empty.
        case fileEmpty
        /// The data does not have the required format: it is not media, subtitles or an image, or its container is
        /// unknown to FFmpeg.
        case fileFormatNotRecognized
        /// The container was recognized, but its structure is damaged or cut off before any media.
        case fileFailedToParse
        /// The file is shorter than its header states, for example after an interrupted copy or download.
        case fileTruncated
        /// The container has no audio or video that can be played.
        case noPlayableTracks
        /// A frame was requested from a file without video.
        case noVideoTrack
        /// The installed FFmpeg has no decoder for this codec.
        case decoderNotFound
        /// A decoder exists, but every packet of the track is damaged.
        case decodeFailed
        /// Reading failed because of an I/O error, a removed disk or a closed connection, or because the resource is
        /// larger than the limit.
        case readFailed
        /// The operation exceeded its time limit.
        case timedOut
        /// The caller canceled the operation.
        case cancelled
        /// An argument is not valid, such as an invalid time or an unknown language.
        case invalidArgument
        /// The operation is not possible for this asset or on this machine.
        case operationNotSupported

        // Errors of writing a file.

        /// The installed FFmpeg has no suitable encoder. The suggestion names the package.
        case encoderNotFound
        /// The encoder or the container rejected its input.
        case encodeFailed
        /// A file with this name already exists, and replacing it was not allowed.
        case fileAlreadyExists
        /// The disk is full, or the user's quota is exceeded (ENOSPC, EDQUOT).
        case diskFull
        /// The file could not be created or written, because of a missing or read-only folder, or a removed disk.
        case writeFailed

        // Network errors. The names are those of `URLError` where it has one.

        /// The host name has no IP address.
        case cannotFindHost
        /// The host does not accept the connection, or it cannot be reached.
        case cannotConnectToHost
        /// The connection was lost during a transfer.
        case networkConnectionLost
        /// TLS failed: the certificate is not trusted, or the handshake failed.
        case secureConnectionFailed
        /// The server returned a status that is not a success. `httpStatus` contains it.
        case badServerResponse
        /// The server redirected in a circle or too often.
        case httpTooManyRedirects
        /// The URL's scheme or form is not supported.
        case unsupportedURL
        /// A live stream has become unavailable.
        case noLongerPlayable
        /// The HLS playlist is not valid. The reason names the line.
        case playlistInvalid
        /// The media is protected by a key system (FairPlay, Widevine, PlayReady), which this player does not support.
        case unsupportedKeySystem
        /// The external playback device refused or disconnected. Playback has returned to this machine.
        case externalPlaybackFailed
        /// The cause is none of the above. `underlying` may contain more information.
        case unknown
    }

    /// The kind of failure. Use it for decisions in code; `reason` is for people.
    public let code: Code
    /// The file, the URL (without user name and password) or the track that the error is about, or an empty string if
    /// there is none.
    public let location: String
    /// The cause: a clause with a subject, in lower case and without a full stop at the end.
    public let reason: String
    /// A remedy: an instruction without a full stop at the end, or an empty string if there is none.
    public let suggestion: String
    /// FFmpeg's error code (a negative `AVERROR`) or the errno, or nil if there is none.
    public let underlying: Int32?
    /// The HTTP status (RFC 9110 §15), or nil if no server responded.
    public let httpStatus: Int?

    /// Creates an error. User names and passwords are removed from URLs in the texts.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - location: The file, URL or track that the error is about, or an empty string if there is none.
    ///   - reason: The cause: a clause with a subject, without a full stop at the end.
    ///   - suggestion: The remedy, or an empty string if there is none.
    ///   - underlying: FFmpeg's error code (negative) or the errno.
    ///   - httpStatus: The status of the server's response (RFC 9110 §15).
    public init(
        _ code: Code, at location: String, reason: String, suggestion: String = "", underlying: Int32? = nil,
        httpStatus: Int? = nil
    ) {
        self.code = code
        // The texts of an error must not show passwords.
        self.location = Credentials.removed(from: location)
        self.reason = Credentials.removed(from: reason)
        self.suggestion = Credentials.removed(from: suggestion)
        self.underlying = underlying
        self.httpStatus = httpStatus
    }

    /// The failure with its full location, the cause and the remedy, in one or two sentences.
    public var description: String { ErrorText.whole(self) }
}

extension AVError: LocalizedError {
    /// A sentence with the failure, its location and its cause.
    public var errorDescription: String? { ErrorText.description(code.failure(of: location), reason) }
    /// A sentence with the cause.
    public var failureReason: String? { ErrorText.sentence(reason) }
    /// A sentence with the remedy, or nil if there is none.
    public var recoverySuggestion: String? { ErrorText.suggestion(suggestion) }
}

extension AVError.Code {
    /// Returns the failure without its cause, such as “Can't open “film.mkv””, or nil if there is no location.
    func failure(of location: String) -> String? {
        guard !location.isEmpty else { return nil }
        let name = "“\(location)”"
        return switch self {
        case .fileNotFound, .notAFile, .permissionDenied, .fileEmpty, .fileFormatNotRecognized, .fileFailedToParse:
            "Can't open \(name)"
        case .fileTruncated: "\(name) is incomplete"
        case .noPlayableTracks, .unsupportedKeySystem: "Can't play \(name)"
        case .noVideoTrack: "Can't get a frame from \(name)"
        case .decoderNotFound, .decodeFailed: "Can't decode \(name)"
        case .readFailed, .playlistInvalid, .noLongerPlayable: "Can't read \(name)"
        case .timedOut: "\(name) timed out"
        case .cancelled: "Can't continue with \(name)"
        case .invalidArgument, .operationNotSupported: "Can't use \(name)"
        case .encoderNotFound, .encodeFailed, .fileAlreadyExists, .diskFull, .writeFailed: "Can't write \(name)"
        case .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .secureConnectionFailed,
            .badServerResponse, .httpTooManyRedirects, .unsupportedURL:
            "Can't load \(name)"
        case .externalPlaybackFailed: "Can't cast to \(name)"
        case .unknown: "Can't process \(name)"
        }
    }
}

extension AVError {
    package static let listOfMediaReason =
        "the file is a list of media (M3U), not an HLS playlist: it has no EXT-X-… tags"
    /// Whether the error is about an M3U list of media that was opened as a stream.
    package var isListOfMedia: Bool { code == .playlistInvalid && reason == AVError.listOfMediaReason }
}
