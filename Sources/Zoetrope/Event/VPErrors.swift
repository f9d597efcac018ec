import Foundation
import MediaCore

/// A reason why a video can't be played, or why a command failed. `description` can be shown to a user.
///
/// An app that shows errors itself can offer another video if the file is missing:
/// ```swift
/// .onPlayerEventChange { events in
///     for case .error(let error) in events {
///         if case .sourceNotFound(let name) = error { missing = name } else { message = error.localizedDescription }
///     }
/// }
/// ```
public enum VPErrors: Error, Sendable {
    /// A remote video can't be played. The value is the player's error, usually an `AVError`; nil if the reason is
    /// unknown.
    case remoteVideoError((any Error)?)
    /// No resource and no file has this name.
    case sourceNotFound(String)
    /// A setting was given more than once.
    case settingsNotUnique
    /// Picture in Picture is not possible: no frame is loaded, the item has only audio, or the display does not support
    /// floating windows.
    case notSupportedPiP
    /// A local file can't be played. The value is the player's error, usually an `AVError`; nil if the reason is
    /// unknown.
    case failedToLoad((any Error)?)
    /// A filter or a shader can't be applied. The video plays without it. The error contains the line of the shader if
    /// it is known.
    case filterError(AVError)
    /// The subtitles can't be shown. The video plays without them.
    case subtitlesError(AVError)
}

extension VPErrors: Equatable {
    /// Returns whether two errors are equal. The player's errors in `remoteVideoError` and `failedToLoad` are compared
    /// by their texts.
    public static func == (a: VPErrors, b: VPErrors) -> Bool {
        switch (a, b) {
        case (.remoteVideoError(let x), .remoteVideoError(let y)), (.failedToLoad(let x), .failedToLoad(let y)):
            x.map { "\($0)" } == y.map { "\($0)" }
        case (.filterError(let x), .filterError(let y)), (.subtitlesError(let x), .subtitlesError(let y)): x == y
        case (.sourceNotFound(let x), .sourceNotFound(let y)): x == y
        case (.settingsNotUnique, .settingsNotUnique), (.notSupportedPiP, .notSupportedPiP): true
        default: false
        }
    }
}

extension VPErrors: CustomStringConvertible, LocalizedError {
    /// The error as a line of English text, without credentials in the name of a source.
    public var description: String {
        switch self {
        case .remoteVideoError(let reason): "Playback error: \(VPErrors.text(reason))"
        case .sourceNotFound(let name): "Source not found: \(Credentials.removed(from: name))"
        case .settingsNotUnique: "Settings are not unique."
        case .notSupportedPiP: "Picture-in-Picture (PiP) is not supported on this device."
        case .failedToLoad(let reason): "Failed to load the video: \(VPErrors.text(reason))"
        case .filterError, .subtitlesError: ErrorText.whole(self)
        }
    }
    /// A sentence that describes the failure.
    public var errorDescription: String? {
        switch self {
        case .remoteVideoError(let reason), .failedToLoad(let reason):
            (reason as? any LocalizedError)?.errorDescription
                ?? ErrorText.description("Can't play the video", reason.map { "\($0)" } ?? "the reason is unknown")
        case .sourceNotFound(let name): "Can't find the source “\(Credentials.removed(from: name))”."
        case .settingsNotUnique: "Can't apply the settings: one of them is given more than once."
        case .notSupportedPiP: "Can't start Picture in Picture."
        case .filterError(let error): VPErrors.description("Can't apply the filter", error)
        case .subtitlesError(let error): VPErrors.description("Can't show the subtitles", error)
        }
    }
    /// A sentence with the cause of the failure.
    public var failureReason: String? {
        switch self {
        case .remoteVideoError(let reason), .failedToLoad(let reason):
            (reason as? any LocalizedError)?.failureReason
                ?? ErrorText.sentence(reason.map { "\($0)" } ?? "the reason is unknown")
        case .filterError(let reason), .subtitlesError(let reason): reason.failureReason
        case .sourceNotFound: "No resource of the app or file has this name."
        case .settingsNotUnique: "One of the settings is given more than once."
        case .notSupportedPiP: "The video has no frame to show, or the display does not support floating windows."
        }
    }
    /// A sentence with a remedy for the user; nil if none is known.
    public var recoverySuggestion: String? {
        switch self {
        case .remoteVideoError(let reason): VPErrors.suggestion(reason) ?? "Check the URL and the network, then retry."
        case .failedToLoad(let reason): VPErrors.suggestion(reason) ?? "Check that the file plays in another player."
        case .filterError(let reason), .subtitlesError(let reason): VPErrors.suggestion(reason)
        case .sourceNotFound: "Check the name and its extension."
        case .settingsNotUnique: "Remove the duplicate setting."
        case .notSupportedPiP: "Wait until the video is loaded, or use a desktop that supports floating windows."
        }
    }

    private static func description(_ failure: String, _ error: AVError) -> String {
        ErrorText.description(error.location.isEmpty ? failure : "\(failure) “\(error.location)”", error.reason)
    }

    private static func suggestion(_ reason: (any Error)?) -> String? {
        (reason as? any LocalizedError)?.recoverySuggestion
    }

    private static func text(_ reason: (any Error)?) -> String { reason.map { "\($0)" } ?? "Unknown error." }
}
