import Zoetrope

/// What can go wrong with what a player is given beside its video.
public enum PlayerError: Error, LocalizedError, Equatable {
    /// It is nowhere to be had: no such file or resource, or an answer without it.
    case notAvailable
    /// The artwork is no picture that can be read.
    case invalidImageFormat

    public var errorDescription: String? {
        switch self {
        case .notAvailable: "The artwork can't be loaded: it was not found."
        case .invalidImageFormat: "The artwork can't be shown: it is not an image that can be read."
        }
    }
    public var failureReason: String? {
        switch self {
        case .notAvailable: "There is no such file, resource or answer of a server."
        case .invalidImageFormat: "The format of the image is unknown, or its data is broken."
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

    public var errorDescription: String? { "The item can't be played as a video: it has no video track." }
    public var failureReason: String? { "The item's media type is .video, but it holds no video track." }
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

    public var errorDescription: String? {
        switch self {
        case .unsupportedScheme(let url), .status(_, let url), .tooLarge(let url):
            "Can't load the artwork “\(url.location)”: \(why)."
        }
    }
    public var failureReason: String? { why.prefix(1).uppercased() + why.dropFirst() + "." }
    public var recoverySuggestion: String? {
        switch self {
        case .unsupportedScheme: "Use a file:, http: or https: URL."
        case .status: "Check the URL."
        case .tooLarge: "Use a smaller image."
        }
    }

    private var why: String {
        switch self {
        case .unsupportedScheme(let url): "the scheme “\(url.scheme ?? "")” is not supported"
        case .status(let code, _): "the server answered with status \(code)"
        case .tooLarge: "it is larger than \(ArtworkCache.largestPicture >> 20) MiB"
        }
    }
}

extension URL {
    /// For words to people: no passwords, nothing of a query.
    var location: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else { return scheme ?? "?" }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return isFileURL ? path : parts.string ?? "?"
    }
}
