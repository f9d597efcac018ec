@_spi(Graph) import ViewGraph

extension View {
    /// Adds a menu that opens with the right mouse button, with a long press on a touch screen, or with the Menu key.
    ///
    /// ```swift
    /// Text(title)
    ///     .contextMenu {
    ///         Button("Play next") { playNext() }
    ///         Button("Remove", role: .destructive) { remove() }
    ///     }
    /// ```
    /// The Menu key and Shift+F10 open the menu while something in this view has the keyboard focus. Buttons, toggles,
    /// pickers, menus, dividers and texts in `menuItems` become entries. Without entries, there is no menu. If views
    /// with menus are nested, the innermost menu opens. The menu of a list row opens anywhere in the row.
    public func contextMenu<MenuItems: View>(@ViewBuilder menuItems: () -> MenuItems) -> some View {
        ContextMenuView(content: self, items: menuItems())
    }
    /// Adds a context menu to this view.
    ///
    /// - Parameters:
    ///   - menuItems: The entries.
    ///   - preview: Has no effect: on Linux, menus open beside the view without a preview.
    public func contextMenu<M: View, P: View>(@ViewBuilder menuItems: () -> M, @ViewBuilder preview: () -> P)
        -> some View
    { ContextMenuView(content: self, items: menuItems()) }
}

struct ContextMenuView<Content: View, Items: View>: _PrimitiveView {
    let content: Content
    let items: Items
    /// Whether the entries are actions of a row, which are also in the menus inside and around this one.
    var areRowActions = false
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { ContextMenuFiber(view, inputs) }
}

/// A fiber for the content, for the menu of each of its elements, and for the views that the entries are read from.
final class ContextMenuFiber<Content: View, Items: View>: _ViewFiber<ContextMenuView<Content, Items>> {
    private let entries = EntriesElement()
    private var content: _ViewFiber<Content>?
    private var items: _ViewFiber<Items>?
    private var wrappers: [ContextMenuElement] = []

    override init(_ view: ContextMenuView<Content, Items>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        content = Content._makeFiber(view.content, self.inputs())
        items = Items._makeFiber(view.items, self.inputs(environment.forEntries))
        entries.setChildren(items?.elements ?? [])
        _ = wrap()
    }

    override var children: [_Fiber] { [content, items].compactMap { $0 } }
    override var elements: [Element] { wrappers }

    override func update(_ view: ContextMenuView<Content, Items>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        for wrapper in wrappers { wrapper.isEnabled = environment.isEnabled }
        content?.update(view.content, environment)
        items?.update(view.items, environment.forEntries)
    }

    override func structureChanged() {
        entries.setChildren(items?.elements ?? [])
        if wrap() { super.structureChanged() }
    }

    /// Wraps the content's elements in menu elements, and returns whether the wrappers have changed.
    private func wrap() -> Bool {
        let elements = content?.elements ?? []
        let before = wrappers
        wrappers = elements.map { element in
            let kept =
                elements.count == 1 && before.count == 1 ? before.first : before.first { $0.children.first === element }
            let wrapper = kept ?? ContextMenuElement(entries, areRowActions: view.areRowActions)
            wrapper.isEnabled = environment.isEnabled
            wrapper.setChildren([element])
            return wrapper
        }
        return wrappers.count != before.count || !zip(wrappers, before).allSatisfy { $0 === $1 }
    }
}
