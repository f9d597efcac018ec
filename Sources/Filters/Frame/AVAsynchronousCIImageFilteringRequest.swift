import Foundation
import MediaCore
import MediaEngine

/// The request to filter one frame, which a video composition makes to its handler. AVFoundation's type.
///
/// The handler finishes each request once, on any thread: with an image, or with an error. See
/// ``AVVideoComposition/init(asset:applyingCIFiltersWithHandler:)``.
public final class AVAsynchronousCIImageFilteringRequest: Sendable {
    /// The frame as an image: upright, with square pixels, with its origin at the lower left.
    ///
    /// The image stands for the frame of this request. It has no pixels of its own: in another request, it stands for
    /// the frame of that request.
    public let sourceImage: CIImage
    /// The time of the frame in the item.
    public let compositionTime: CMTime
    /// The size of the composed frame, in pixels.
    public let renderSize: CGSize
    /// The orientation in which the stored frame is shown as `sourceImage`.
    let orientation: PictureOrientation
    /// Whether the frame may have transparent parts.
    let hasAlpha: Bool
    private let number: UInt64
    private let wait: RequestWait

    init(
        _ number: UInt64, _ wait: RequestWait, size: CGSize, time: CMTime, renderSize: CGSize,
        orientation: PictureOrientation, hasAlpha: Bool
    ) {
        sourceImage = .source(size)
        compositionTime = time
        self.renderSize = renderSize
        self.orientation = orientation
        self.hasAlpha = hasAlpha
        self.number = number
        self.wait = wait
    }

    /// Finishes the request with an image. The part in the rectangle from the origin with `renderSize` is displayed.
    ///
    /// Further calls for this request have no effect.
    /// - Parameters:
    ///   - filteredImage: The image, usually a result of filters on `sourceImage`.
    ///   - context: Ignored. The thread that composes frames draws the image.
    public func finish(with filteredImage: CIImage, context: CIContext?) {
        wait.finish(number, with: .success(filteredImage))
    }

    /// Finishes the request with an error. A player shows the source frame and reports the error; an export fails.
    ///
    /// Further calls for this request have no effect.
    public func finish(with error: any Error) {
        wait.finish(
            number,
            with: .failure(
                error as? AVError ?? AVError(.unknown, at: "AVVideoComposition", reason: "\(error)")))
    }
}
