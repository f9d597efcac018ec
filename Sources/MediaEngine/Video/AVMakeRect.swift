import Foundation

/// Returns the largest rectangle with the given aspect ratio, centered within a bounding rectangle.
///
/// ```swift
/// let window = CGRect(x: 0, y: 0, width: 1000, height: 1000)
/// let video = AVMakeRect(aspectRatio: CGSize(width: 16, height: 9), insideRect: window)
/// print(video)  // x 0, y 218.75, width 1000, height 562.5
/// ```
///
/// - Parameters:
///   - aspectRatio: The ratio of width to height.
///   - boundingRect: The bounding rectangle.
/// - Returns: The rectangle; an empty one at the center if either argument has no area or a size that is not a number.
public func AVMakeRect(aspectRatio: CGSize, insideRect boundingRect: CGRect) -> CGRect {
    let bounds = boundingRect.standardized
    let scale = min(bounds.width / aspectRatio.width, bounds.height / aspectRatio.height)
    guard aspectRatio.width > 0, aspectRatio.height > 0, scale > 0, scale.isFinite else {
        return CGRect(x: bounds.midX, y: bounds.midY, width: 0, height: 0)
    }
    // On the side on which the result fills the bounds, their own length is used. A computed length could have a
    // rounding error.
    let width =
        aspectRatio.width / aspectRatio.height * bounds.height <= bounds.width
        ? aspectRatio.width * scale : bounds.width
    let height = width == bounds.width ? aspectRatio.height * scale : bounds.height
    return CGRect(x: bounds.midX - width / 2, y: bounds.midY - height / 2, width: width, height: height)
}
