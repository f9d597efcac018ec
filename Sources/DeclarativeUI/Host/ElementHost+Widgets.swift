import GTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// An element with a widget that may have the keyboard.
@MainActor
protocol FocusHolder: Element {
    var focusWidget: GTKWidget? { get }
}

/// What GTK adds to a host. `ElementSurface` is the only kind of host with widgets.
extension ElementHost {
    /// The GTK widget whose child an element's widget becomes; nil without a display.
    var container: GTKWidget? { (self as? ElementSurface)?.widget }

    /// Puts a child widget where an element is. - Parameter transform: of the element's space into the host's.
    func position(_ child: GTKWidget, _ transform: CGAffineTransform, _ size: CGSize) {
        (self as? ElementSurface)?.position(child, transform, size)
    }
}
