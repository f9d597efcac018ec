import GTK

/// The placed widgets of a surface's elements in the order of drawing. GTK moves the focus in the order of children. It
/// searches them in reverse order for the widget under the pointer.
@MainActor
struct WidgetOrder {
    private var located: [GTKWidget] = []
    private var sorted: [GTKWidget] = []
    private var isInvalid = true

    /// Called when elements were added or removed.
    mutating func invalidate() { isInvalid = true }
    /// Begins a new placement of all widgets.
    mutating func begin() { located.removeAll(keepingCapacity: true) }
    mutating func add(_ child: GTKWidget) { located.append(child) }

    /// Sorts the children of `widget` in this order, and hides those that were not placed.
    mutating func sort(_ widget: GTKWidget) {
        guard isInvalid || located != sorted else { return }
        isInvalid = false
        var previous: GTKWidget?
        for child in located where child.parent == widget {
            if child.previousSibling != previous { child.insert(in: widget, after: previous) }
            previous = child
        }
        // Widgets that were not placed now must take no input.
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
