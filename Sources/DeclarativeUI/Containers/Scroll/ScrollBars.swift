import CGTK
@_spi(Graph) import ViewGraph

/// The axes along which an area scrolls, and whether its scroll bars may be visible.
struct ScrollBars: Equatable {
    var axes: Axis.Set = .vertical
    var showsIndicators = true
    /// The axes whose bars are hidden in all scroll views of the app.
    var hidden: Axis.Set = []

    /// The rule for the size of the surface that is scrolled.
    var sizing: ElementSurface.Sizing {
        axes.contains(.horizontal)
            ? (axes.contains(.vertical) ? .scrolledBoth : .scrolledHorizontally) : .scrolledVertically
    }

    /// Returns GTK's policy for the bar along `axis`.
    func policy(_ axis: Axis.Set) -> GtkPolicyType {
        guard axes.contains(axis) else { return GTK_POLICY_NEVER }
        return showsIndicators && !hidden.contains(axis) ? GTK_POLICY_AUTOMATIC : GTK_POLICY_EXTERNAL
    }
}
