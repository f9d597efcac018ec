import DeclarativeUI
import Foundation

/// A picture of what plays, made when it is asked for. MediaPlayer's class; main actor.
@MainActor @preconcurrency
public final class MPMediaItemArtwork {
    /// The picture's own size at the origin, points.
    public let bounds: CGRect
    private let request: @MainActor (CGSize) -> UIImage

    /// - Parameter requestHandler: the picture for a size; called on the main actor, with `boundsSize` or less.
    public init(boundsSize: CGSize, requestHandler: @escaping @MainActor (CGSize) -> UIImage) {
        bounds = CGRect(origin: .zero, size: boundsSize)
        request = requestHandler
    }

    /// - Parameter size: points; cut to the bounds.
    public func image(at size: CGSize) -> UIImage? {
        request(CGSize(width: min(size.width, bounds.width), height: min(size.height, bounds.height)))
    }

    /// Made once: desktops want one file.
    lazy var png: Data? = request(bounds.size).pngData()
}
