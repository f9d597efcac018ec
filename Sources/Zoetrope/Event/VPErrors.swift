import Foundation
import MediaCore

/// Why a video is not played, or a command not carried out. `description` is fit to be shown to a user.
public enum VPErrors: Error, Sendable {
    /// A video from the network cannot be played; the engine's reason, an `AVError`, where there is one.
    case remoteVideoError((any Error)?)
    /// No resource and no file has this name.
    case sourceNotFound(String)
    /// A setting was given twice.
    case settingsNotUnique
    /// No picture is loaded to float (or it is sound alone), or the display can float none.
    case notSupportedPiP
    /// A local file cannot be played; the engine's reason, an `AVError`, where there is one.
    case failedToLoad((any Error)?)
    /// A filter or a shader cannot be carried out (with the line, where there is one): the video plays on without it.
    case filterError(AVError)
    /// The subtitles cannot be shown: the video plays on without them.
    case subtitlesError(AVError)
}

extension VPErrors: Equatable {
    /// Of errors that know no equality their texts are compared.
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
    /// One line in English, without credentials of a source's name.
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
    /// What went wrong: a sentence.
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
    /// Why: a sentence.
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
    /// What to do about it: a sentence; nil if nothing is known to help.
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
