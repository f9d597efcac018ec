import Zoetrope

/// An error of the artwork of an item. `notAvailable` also stands for an item that failed for an unknown reason.
public enum PlayerError: Error, LocalizedError, Equatable {
    /// The image was not found: there is no such file or resource, or the server did not return it.
    case notAvailable
    /// The data is not a readable image.
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

/// An error of an item that has opened.
public enum AVPlayerItemError: Error, LocalizedError, Equatable {
    /// The item's media type is video (`Playable.mediaType`), but it has no video track.
    case missingVideoTrack

    public var errorDescription: String? { "Can't play the item as a video: it has no video track." }
    public var failureReason: String? { "The item's media type is .video, but it contains no video track." }
    public var recoverySuggestion: String? { "Check the item's URL, or give it the media type .audio." }
}

/// An error of loading artwork.
public enum ArtworkError: Error, LocalizedError, Equatable {
    /// The scheme of the URL is not `file`, `http` or `https`.
    case unsupportedScheme(URL)
    /// The server returned a status outside of 200…299.
    case status(Int, URL)
    /// The image is larger than `ArtworkCache.largestPicture`.
    case tooLarge(URL)

    public var errorDescription: String? { cause.errorDescription }
    public var failureReason: String? { cause.failureReason }
    public var recoverySuggestion: String? { cause.recoverySuggestion }

    /// The error of the player with the same meaning, whose texts are used.
    private var cause: AVError {
        switch self {
        case .unsupportedScheme(let url): .unsupportedScheme(url)
        case .status(let code, let url): .badStatus(code, at: url.location)
        case .tooLarge(let url): .tooLong(Int64(ArtworkCache.largestPicture), at: url.location)
        }
    }
}
