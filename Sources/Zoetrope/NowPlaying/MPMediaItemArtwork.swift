import DeclarativeUI
import Foundation

/// The artwork of the current track, created on request. MediaPlayer's class.
///
/// ```swift
/// let artwork = MPMediaItemArtwork(boundsSize: cover.size) { _ in cover }
/// MPNowPlayingInfoCenter.default().nowPlayingInfo = [
///     MPMediaItemPropertyTitle: "Sunrise",
///     MPMediaItemPropertyArtwork: artwork,
/// ]
/// ```
@MainActor @preconcurrency
public final class MPMediaItemArtwork {
    /// The size of the artwork in points, with the origin at zero.
    public let bounds: CGRect
    private let request: @MainActor (CGSize) -> UIImage

    /// Creates artwork from a closure that returns its image.
    /// - Parameters:
    ///   - boundsSize: The size of the artwork, in points.
    ///   - requestHandler: Returns the image for a size, which is at most `boundsSize`. It is called on the main actor.
    public init(boundsSize: CGSize, requestHandler: @escaping @MainActor (CGSize) -> UIImage) {
        bounds = CGRect(origin: .zero, size: boundsSize)
        request = requestHandler
    }

    /// Returns the image for a size. On Linux, the result is never nil.
    /// - Parameter size: The size in points. It is limited to the size of `bounds`.
    public func image(at size: CGSize) -> UIImage? {
        request(CGSize(width: min(size.width, bounds.width), height: min(size.height, bounds.height)))
    }

    /// The artwork as a PNG. It is created once, because desktops read one file.
    lazy var png: Data? = request(bounds.size).pngData()
}
