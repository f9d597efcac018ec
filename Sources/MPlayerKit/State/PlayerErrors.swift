import Zoetrope

/// What can go wrong with what a player is given beside its video.
public enum PlayerError: Error, LocalizedError, Equatable {
    /// It is nowhere to be had: no such file or resource, or an answer without it.
    case notAvailable
    /// The artwork is no picture that can be read.
    case invalidImageFormat

    public var errorDescription: String? {
        switch self {
        case .notAvailable: "The artwork is not there; check its address"
        case .invalidImageFormat: "The artwork is no picture that can be read; use PNG or JPEG"
        }
    }
}

/// What is wrong with an item that opened.
public enum AVPlayerItemError: Error, LocalizedError, Equatable {
    /// It says that it is a video (`Playable.mediaType`), and has no picture.
    case missingVideoTrack

    public var errorDescription: String? {
        "The item is said to be a video and has no video track; check its address, or give it the media type .audio"
    }
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
        case .unsupportedScheme(let url):
            "\(url.location): artwork is fetched from file:, http: and https: addresses only; use one of these"
        case .status(let code, let url): "\(url.location): the server answered with status \(code); check the address"
        case .tooLarge(let url):
            "\(url.location): larger than \(ArtworkCache.largestPicture >> 20) MiB, which is no artwork; use a smaller picture"
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
