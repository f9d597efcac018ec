import Foundation

/// What went wrong, where, and what to do about it.
///
/// Plays the role of AVFoundation's `AVError`. Where AVFoundation has a code for the case the code
/// carries its name; the others are ours. `description` is fit to be shown to a user.
public struct AVError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, for code that decides.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The file or resource does not exist.
        case fileNotFound
        /// The name is a directory, a socket or a device: not something that holds media.
        case notAFile
        /// The file exists but may not be read by this user.
        case permissionDenied
        /// The file has no bytes.
        case fileEmpty
        /// No demuxer recognises the bytes: not media, or a container FFmpeg does not know.
        case fileFormatNotRecognized
        /// A container was recognised but its structure is broken or cut off before anything can play.
        case fileFailedToParse
        /// The file ends before what its header promises: a copy or a download that broke off.
        case fileTruncated
        /// The container holds no audio and no video that could be played.
        case noPlayableTracks
        /// A picture was asked of a file that has none.
        case noVideoTrack
        /// No decoder for this codec is in the installed FFmpeg.
        case decoderNotFound
        /// The decoder is there but every packet of the track is broken.
        case decodeFailed
        /// Reading broke off: an I/O error, a vanished disk, a closed connection.
        case readFailed
        /// It took longer than it may.
        case timedOut
        /// The operation was given up by its caller.
        case cancelled
        /// An argument makes no sense here (an invalid time, an unknown language).
        case invalidArgument
        /// Not possible for this asset or on this machine.
        case operationNotSupported

        // While a file is written.

        /// No encoder for what is to be written is in the installed FFmpeg; the suggestion names the package.
        case encoderNotFound
        /// The encoder or the container refused what it was given.
        case encodeFailed
        /// There is a file of that name already, and nobody said that it may be replaced.
        case fileAlreadyExists
        /// No room is left where the file is to be (ENOSPC, EDQUOT).
        case diskFull
        /// The file could not be made or written: a folder that is missing or may not be written to, a vanished disk.
        case writeFailed

        // Over the network; the names are `URLError`'s where it has one.

        /// No address belongs to the host's name.
        case cannotFindHost
        /// Nobody listens there, or the way is closed.
        case cannotConnectToHost
        /// The connection broke in the middle.
        case networkConnectionLost
        /// TLS: a certificate that cannot be trusted, a handshake that failed.
        case secureConnectionFailed
        /// The server answered with a status that is no success; `httpStatus` tells which.
        case badServerResponse
        /// Redirects in a circle, or too many of them.
        case httpTooManyRedirects
        /// The URL's scheme or form is not one we can load.
        case unsupportedURL
        /// A live stream that stopped being one.
        case noLongerPlayable
        /// An HLS playlist is not one; the reason names the line.
        case playlistInvalid
        /// The media is protected by a key system (FairPlay, Widevine, PlayReady) that this player does not have.
        case unsupportedKeySystem
        /// The device in the network that was to play refused, or went away; playing is here again.
        case externalPlaybackFailed
        /// None of the above; `underlying` tells more.
        case unknown
    }

    /// What kind of failure it is: what a program decides by, where `reason` is for people.
    public let code: Code
    /// The file, URL (without a name and password in it) or track the error is about.
    public let location: String
    /// Why it failed: a clause with a subject, in lower case and without a final full stop.
    public let reason: String
    /// What the reader can do: an instruction without a final full stop; empty if nothing helps.
    public let suggestion: String
    /// FFmpeg's own code (negative `AVERROR`) or errno behind it; nil if there is none.
    public let underlying: Int32?
    /// The HTTP status behind it (RFC 9110 §15); nil if no server answered or none was asked.
    public let httpStatus: Int?

    /// Names and passwords are taken out of URLs in `location` and `reason`.
    ///
    /// - Parameters:
    ///   - location: the file, URL or track the error is about; empty if there is none.
    ///   - reason: why it failed: a clause with a subject, without a final full stop.
    ///   - suggestion: what to do about it; empty: nothing is known to help.
    ///   - underlying: FFmpeg's (negative) error number.
    ///   - httpStatus: the server's answer (RFC 9110 §15).
    public init(
        _ code: Code, at location: String, reason: String, suggestion: String = "", underlying: Int32? = nil,
        httpStatus: Int? = nil
    ) {
        self.code = code
        // Whoever reads an error is not to read a password.
        self.location = Credentials.removed(from: location)
        self.reason = Credentials.removed(from: reason)
        self.suggestion = Credentials.removed(from: suggestion)
        self.underlying = underlying
        self.httpStatus = httpStatus
    }

    /// What failed, why, and what to do about it: one or two sentences with the whole location.
    public var description: String { ErrorText.whole(self) }
}

extension AVError: LocalizedError {
    /// What failed, where and why: a sentence.
    public var errorDescription: String? { ErrorText.description(code.failure(of: location), reason) }
    /// Why it failed: a sentence.
    public var failureReason: String? { ErrorText.sentence(reason) }
    /// What to do about it: a sentence; nil if nothing is known to help.
    public var recoverySuggestion: String? { ErrorText.suggestion(suggestion) }
}

extension AVError.Code {
    /// What failed, without the reason: “Can't open “film.mkv””. Nil without a location: the reason stands alone.
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
    /// What was opened as a stream names things to play one after the other (M3U).
    package var isListOfMedia: Bool { code == .playlistInvalid && reason == AVError.listOfMediaReason }
}
