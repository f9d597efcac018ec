import GTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// An element with a widget that may receive keyboard input.
@MainActor
protocol FocusHolder: Element {
    var focusWidget: GTKWidget? { get }
}

/// The GTK part of a host. `ElementSurface` is the only kind of host with widgets.
extension ElementHost {
    /// The GTK widget that contains the widgets of elements, or nil without a display.
    var container: GTKWidget? { (self as? ElementSurface)?.widget }

    /// Places a child widget at the position of its element.
    /// - Parameter transform: The transform from the element's space to the host's space.
    func position(_ child: GTKWidget, _ transform: CGAffineTransform, _ size: CGSize) {
        (self as? ElementSurface)?.position(child, transform, size)
    }
}
