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
    /// Picture in picture was not allowed by the settings, no picture is loaded (or it is sound alone), or the display has none.
    case notSupportedPiP
    /// A local file cannot be played.
    case failedToLoad
    /// A filter or a shader cannot be carried out (with the line, where there is one): the video plays on without it.
    case filterError(AVError)
    /// The subtitles cannot be shown: the video plays on without them.
    case subtitlesError(AVError)
}

extension VPErrors: Equatable {
    /// Of errors that know no equality their texts are compared.
    public static func == (a: VPErrors, b: VPErrors) -> Bool {
        switch (a, b) {
        case (.remoteVideoError(let x), .remoteVideoError(let y)): x.map { "\($0)" } == y.map { "\($0)" }
        case (.filterError(let x), .filterError(let y)), (.subtitlesError(let x), .subtitlesError(let y)): x == y
        case (.sourceNotFound(let x), .sourceNotFound(let y)): x == y
        case (.settingsNotUnique, .settingsNotUnique), (.notSupportedPiP, .notSupportedPiP), (.failedToLoad, .failedToLoad): true
        default: false
        }
    }
}

extension VPErrors: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .remoteVideoError(let reason?): "The video cannot be played from the network: \(reason)"
        case .remoteVideoError(nil): "The video cannot be played from the network. Check the address and the connection"
        case .sourceNotFound(""): "No video is named. Give the settings a SourceName"
        case .sourceNotFound(let name):
            "\(Credentials.removed(from: name)): no such video in the app's resources, beside the app or in the working directory. Check the name and its extension"
        case .settingsNotUnique: "A video setting is given twice. Give each one once"
        case .notSupportedPiP: "Picture in picture is not available: the settings do not allow it, no picture is loaded, or this display has none"
        case .failedToLoad: "The video cannot be played"
        case .filterError(let reason): "A filter is left out: \(reason)"
        case .subtitlesError(let reason): "No subtitles: \(reason)"
        }
    }
    public var errorDescription: String? { description }
}
