import Foundation

/// Where elements are shown.
@_spi(Graph) @MainActor
public protocol ElementHost: AnyObject {
    /// Seconds.
    var now: Double { get }
    /// The animation of the change that is under way.
    var animation: Animation? { get }
    /// The animation with which the layout under way moves things.
    var layoutAnimation: Animation? { get }
    func needsLayout()
    func needsDisplay()
    /// Widgets are to be put elsewhere, though the layout stays.
    func needsPlacement()
    /// Elements have come or gone.
    func structureChanged()
    /// Something moves by itself from now on.
    func animate()
    /// Whether a picture may have a surface of its own, over all that GTK draws.
    var allowsOwnSurface: Bool { get }
    /// The part that is seen, of a host that is scrolled; nil is all.
    var visibleRect: CGRect? { get }
    /// The element of another host that this host stands in, scrolled; nil in a window of its own.
    var enclosing: Element? { get }
}
