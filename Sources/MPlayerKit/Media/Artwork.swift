import Zoetrope

/// The artwork of an item, in portrait and in landscape. Any thread.
///
/// ```swift
/// let artwork = Artwork(portraitUrl: poster, landscapeUrl: still)
/// let data = try await artwork.artwork(for: .landscape)
/// let image = Image(data: data)
/// ```
public struct Artwork: Hashable, Sendable, ArtworkCacheable {
    /// The orientation of an image.
    public enum Orientation: Sendable {
        /// Wider than tall; taller than wide.
        case landscape, portrait
    }
    /// The URL of the portrait image, such as a poster: a file, or an `http` or `https` URL.
    public let portraitUrl: URL
    /// The URL of the landscape image, such as a still: a file, or an `http` or `https` URL.
    public let landscapeUrl: URL

    /// Creates artwork with an image for each orientation.
    public init(portraitUrl: URL, landscapeUrl: URL) {
        (self.portraitUrl, self.landscapeUrl) = (portraitUrl, landscapeUrl)
    }
    /// Creates artwork with the same image for both orientations.
    public init(url: URL) { self.init(portraitUrl: url, landscapeUrl: url) }

    /// Returns the data of an image.
    /// - Parameter orientation: The orientation of the image.
    /// - Throws: The errors of `ArtworkCacheable.artwork(for:)`.
    public func artwork(for orientation: Orientation) async throws -> Data {
        try await artwork(for: orientation == .portrait ? portraitUrl : landscapeUrl)
    }
}

/// A type whose images are loaded once for the whole process. Any thread.
public protocol ArtworkCacheable {
    /// Returns the data at a URL. It is loaded only if the cache does not contain it. The data is not checked to be an
    /// image.
    /// - Parameter url: A file, or an `http` or `https` URL.
    /// - Throws: An `ArtworkError`, `PlayerError.notAvailable`, or an error of `URLSession` or of reading a file.
    func artwork(for url: URL) async throws -> Data
}
extension ArtworkCacheable {
    public func artwork(for url: URL) async throws -> Data { try await ArtworkCache.shared.data(for: url) }
}
