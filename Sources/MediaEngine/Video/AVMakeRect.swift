import Foundation

/// The largest rectangle of `aspectRatio` (width to height) within `boundingRect`, in its middle. Where either has no
/// area, or a side that is no number, an empty one in its middle.
public func AVMakeRect(aspectRatio: CGSize, insideRect boundingRect: CGRect) -> CGRect {
    let bounds = boundingRect.standardized
    let scale = min(bounds.width / aspectRatio.width, bounds.height / aspectRatio.height)
    guard aspectRatio.width > 0, aspectRatio.height > 0, scale > 0, scale.isFinite else {
        return CGRect(x: bounds.midX, y: bounds.midY, width: 0, height: 0)
    }
    // The side that touches is the bounds' own, not one computed back.
    let width =
        aspectRatio.width / aspectRatio.height * bounds.height <= bounds.width
        ? aspectRatio.width * scale : bounds.width
    let height = width == bounds.width ? aspectRatio.height * scale : bounds.height
    return CGRect(x: bounds.midX - width / 2, y: bounds.midY - height / 2, width: width, height: height)
}
