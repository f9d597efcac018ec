import CGTK
@_spi(Graph) import ViewGraph

/// The axes along which an area scrolls, and whether its scroll bars may be visible.
struct ScrollBars: Equatable {
    var axes: Axis.Set = .vertical
    var showsIndicators = true

    /// The rule for the size of the surface that is scrolled.
    var sizing: ElementSurface.Sizing {
        axes.contains(.horizontal)
            ? (axes.contains(.vertical) ? .scrolledBoth : .scrolledHorizontally) : .scrolledVertically
    }

    /// Returns GTK's policy for the bar along `axis`.
    func policy(_ axis: Axis.Set) -> GtkPolicyType {
        axes.contains(axis) ? (showsIndicators ? GTK_POLICY_AUTOMATIC : GTK_POLICY_EXTERNAL) : GTK_POLICY_NEVER
    }
}
