import Foundation

extension GeometryProxy {
    /// The frame of the reader in the scrolled content around it, and the visible part of that content. Nil if nothing
    /// scrolls.
    package var placeInScroll: (own: CGRect, seen: CGRect)? {
        guard let element, let seen = element.host?.visibleRect else { return nil }
        return (element.frameInHost, seen)
    }
}
