@_spi(Graph) import ViewGraph

extension View {
    /// A menu that opens where this view is clicked with the right button or held on a touch screen, or by the Menu key
    /// (Shift+F10) while something in it has the keyboard. Of its content, buttons, toggles, pickers, menus, dividers
    /// and texts become entries; without any there is no menu. Of views one in the other the innermost one's opens.
    /// The menu of a list's row opens on the whole row.
    public func contextMenu<MenuItems: View>(@ViewBuilder menuItems: () -> MenuItems) -> some View {
        ContextMenuView(content: self, items: menuItems())
    }
    /// - Parameter preview: not shown: on Linux menus open beside what they are of.
    public func contextMenu<M: View, P: View>(@ViewBuilder menuItems: () -> M, @ViewBuilder preview: () -> P)
        -> some View
    { ContextMenuView(content: self, items: menuItems()) }
}

struct ContextMenuView<Content: View, Items: View>: _PrimitiveView {
    let content: Content
    let items: Items
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { ContextMenuFiber(view, inputs) }
}

/// The content, each of its elements with the menu, and the views that the entries are read from.
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

    /// True when there are other wrappers now.
    private func wrap() -> Bool {
        let elements = content?.elements ?? []
        let before = wrappers
        wrappers = elements.map { element in
            let kept =
                elements.count == 1 && before.count == 1 ? before.first : before.first { $0.children.first === element }
            let wrapper = kept ?? ContextMenuElement(entries)
            wrapper.isEnabled = environment.isEnabled
            wrapper.setChildren([element])
            return wrapper
        }
        return wrappers.count != before.count || !zip(wrappers, before).allSatisfy { $0 === $1 }
    }
}
