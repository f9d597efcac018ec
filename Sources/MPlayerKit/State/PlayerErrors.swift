import Zoetrope

/// What can go wrong with what a player is given beside its video.
public enum PlayerError: Error, LocalizedError, Equatable {
    /// It is nowhere to be had: no such file or resource, or an answer without it.
    case notAvailable
    /// The artwork is no picture that can be read.
    case invalidImageFormat

    public var errorDescription: String? {
        switch self {
        case .notAvailable: "Can't load the artwork: it was not found."
        case .invalidImageFormat: "Can't show the artwork: it is not a readable image."
        }
    }
    public var failureReason: String? {
        switch self {
        case .notAvailable: "The file or resource does not exist, or the server did not return it."
        case .invalidImageFormat: "The image format is unknown, or the data is damaged."
        }
    }
    public var recoverySuggestion: String? {
        switch self {
        case .notAvailable: "Check the artwork's URL."
        case .invalidImageFormat: "Use a PNG or JPEG image."
        }
    }
}

/// What is wrong with an item that opened.
public enum AVPlayerItemError: Error, LocalizedError, Equatable {
    /// It says that it is a video (`Playable.mediaType`), and has no picture.
    case missingVideoTrack

    public var errorDescription: String? { "Can't play the item as a video: it has no video track." }
    public var failureReason: String? { "The item's media type is .video, but it contains no video track." }
    public var recoverySuggestion: String? { "Check the item's URL, or give it the media type .audio." }
}

/// Why artwork did not come.
public enum ArtworkError: Error, LocalizedError, Equatable {
    /// A scheme other than `file`, `http` and `https`.
    case unsupportedScheme(URL)
    /// The server answered with another status than 200…299.
    case status(Int, URL)
    /// More than `ArtworkCache.largestPicture` bytes.
    case tooLarge(URL)

    public var errorDescription: String? { cause.errorDescription }
    public var failureReason: String? { cause.failureReason }
    public var recoverySuggestion: String? { cause.recoverySuggestion }

    /// The same as the engine's error, whose texts these are.
    private var cause: AVError {
        switch self {
        case .unsupportedScheme(let url): .unsupportedScheme(url)
        case .status(let code, let url): .badStatus(code, at: url.location)
        case .tooLarge(let url): .tooLong(Int64(ArtworkCache.largestPicture), at: url.location)
        }
    }
}
