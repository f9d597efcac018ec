import Zoetrope

/// A picture for something that plays, upright and lying. Any thread.
public struct Artwork: Hashable, Sendable, ArtworkCacheable {
    /// Which of the two pictures.
    public enum Orientation: Sendable {
        /// Wider than high, higher than wide.
        case landscape, portrait
    }
    /// Higher than wide, as a poster is. A file, or an http(s) URL.
    public let portraitUrl: URL
    /// Wider than high, as a still is. A file, or an http(s) URL.
    public let landscapeUrl: URL

    /// A picture for either shape.
    public init(portraitUrl: URL, landscapeUrl: URL) {
        (self.portraitUrl, self.landscapeUrl) = (portraitUrl, landscapeUrl)
    }
    /// The same for both.
    public init(url: URL) { self.init(portraitUrl: url, landscapeUrl: url) }

    /// The picture's bytes. Throws what `ArtworkCacheable.artwork(for:)` throws.
    public func artwork(for orientation: Orientation) async throws -> Data {
        try await artwork(for: orientation == .portrait ? portraitUrl : landscapeUrl)
    }
}

/// Has pictures that the process fetches once. Any thread.
public protocol ArtworkCacheable {
    /// The bytes at `url`, fetched when nobody has yet. Throws `ArtworkError`, `PlayerError.notAvailable`, or what
    /// `URLSession` throws.
    func artwork(for url: URL) async throws -> Data
}
extension ArtworkCacheable {
    public func artwork(for url: URL) async throws -> Data { try await ArtworkCache.shared.data(for: url) }
}
