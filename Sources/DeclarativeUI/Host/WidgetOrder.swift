import GTK

/// The widgets that elements of a surface put somewhere, in the order of drawing. GTK's order of children is that of
/// focus and, backwards, of picking.
@MainActor
struct WidgetOrder {
    private var located: [GTKWidget] = []
    private var sorted: [GTKWidget] = []
    private var isOld = true

    /// Elements have come or gone.
    mutating func invalidate() { isOld = true }
    /// All widgets are located again.
    mutating func begin() { located.removeAll(keepingCapacity: true) }
    mutating func add(_ child: GTKWidget) { located.append(child) }

    /// Gives the children of `widget` this order, and hides those that were not located.
    mutating func sort(_ widget: GTKWidget) {
        guard isOld || located != sorted else { return }
        isOld = false
        var previous: GTKWidget?
        for child in located where child.parent == widget {
            if child.previousSibling != previous { child.insert(in: widget, after: previous) }
            previous = child
        }
        // Those that are not located now are not there for anybody.
        let shown = Set(located)
        var child = widget.firstChild
        while let current = child {
            let visible = shown.contains(current)
            if current.isChildVisible != visible { current.isChildVisible = visible }
            child = current.nextSibling
        }
        sorted = located
    }
}
