import Foundation

extension GeometryProxy {
    /// Where the reader is in what scrolls around it, and which part of that is seen; nil where nothing scrolls.
    package var placeInScroll: (own: CGRect, seen: CGRect)? {
        guard let element, let seen = element.host?.visibleRect else { return nil }
        return (element.frameInHost, seen)
    }
}
