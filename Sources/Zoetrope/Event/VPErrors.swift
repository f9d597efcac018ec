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
        case .filterError(let reason): "A filter is left out: \(reason)"
        case .subtitlesError(let reason): "No subtitles: \(reason)"
        }
    }
    /// The same as `description`.
    public var errorDescription: String? { description }

    private static func text(_ reason: (any Error)?) -> String { reason.map { "\($0)" } ?? "Unknown error." }
}
