import Foundation

/// The object that shows a tree of elements.
@_spi(Graph) @MainActor
public protocol ElementHost: AnyObject {
    /// The time of animations, in seconds.
    var now: Double { get }
    /// The animation of the current change.
    var animation: Animation? { get }
    /// The animation of the current layout.
    var layoutAnimation: Animation? { get }
    func needsLayout()
    func needsDisplay()
    /// Requests that widgets are positioned again, although the layout is unchanged.
    func needsPlacement()
    /// Notifies the host that elements were inserted or removed.
    func structureChanged()
    /// Starts animating, because an element has begun to move by itself.
    func animate()
    /// Whether a video may use its own surface, above everything that GTK draws.
    var allowsOwnSurface: Bool { get }
    /// The visible part of a scrolled host. Nil if everything is visible.
    var visibleRect: CGRect? { get }
    /// The element of another host that contains this scrolled host. Nil for the host of a window.
    var enclosing: Element? { get }
}
