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
    /// What went wrong, one sentence without a final full stop.
    public let reason: String
    /// What the reader can do, one sentence; empty if nothing helps.
    public let suggestion: String
    /// FFmpeg's own code (negative `AVERROR`) or errno behind it; nil if there is none.
    public let underlying: Int32?
    /// The HTTP status behind it (RFC 9110 §15); nil if no server answered or none was asked.
    public let httpStatus: Int?

    /// Names and passwords are taken out of URLs in `location` and `reason`.
    ///
    /// - Parameters:
    ///   - location: the file, URL or track it is about.
    ///   - reason: what went wrong, without a final full stop.
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

    public var description: String {
        var text = "\(location): \(reason)"
        if !suggestion.isEmpty { text += ". \(suggestion)" }
        return text
    }
}

extension AVError: LocalizedError {
    /// What went wrong and where: a sentence.
    public var errorDescription: String? { ErrorText.description(at: location, reason) }
    /// Why: a sentence.
    public var failureReason: String? { ErrorText.reason(at: location, reason) }
    /// `suggestion` as a sentence; nil if nothing is known to help.
    public var recoverySuggestion: String? { ErrorText.suggestion(suggestion) }
}

extension AVError {
    package static let listOfMediaReason =
        "is a list of media, not an HLS playlist: it has none of HLS's tags (EXT-X-…)"
    /// What was opened as a stream names things to play one after the other (M3U).
    package var isListOfMedia: Bool { code == .playlistInvalid && reason == AVError.listOfMediaReason }
}
