@_spi(Graph) import ViewGraph

/// A container that shows a view apart from the view that declares it: a window, a cover or a popover.
@MainActor
protocol PresentationPlace: AnyObject {
    /// The element whose children are the elements of the content.
    var root: LayersElement { get }
    /// Opens the container.
    ///
    /// - Parameter element: The first element of the view that declares the presentation, or of its nearest ancestor
    ///   with elements. Nil if there is none.
    func open(over element: Element?)
    func close()
    /// Called when the user requests to close the container.
    var onClose: (() -> Void)? { get set }
    /// Applies the content's title, or keeps the current title for nil. Called when the content has changed.
    func titled(_ title: String?)
    /// Sets whether the user's requests to close the container are ignored. Called when the content has changed.
    func setDismissDisabled(_ isDisabled: Bool)
}
extension PresentationPlace {
    func titled(_ title: String?) {}
    func setDismissDisabled(_ isDisabled: Bool) {}
}

/// A modifier that shows a view in a `PresentationPlace`.
///
/// The content has the environment of the view that declares it, with `dismiss` and `isPresented`. Its state lasts as
/// long as the presentation.
struct Presenting: FiberModifier {
    /// The view to show, or nil for none. Another id starts another presentation.
    let shown: (id: AnyHashable, content: AnyView)?
    let makePresentation: (_Fiber) -> any PresentationPlace
    /// Called when the user or the content closes the presentation, to set the app's binding.
    let closed: () -> Void
    /// Called after the presentation has closed.
    let onDismiss: (() -> Void)?

    final class Storage: PreferenceObserver {
        var presentation: (any PresentationPlace)?
        var fiber: _ViewFiber<RootView>?
        var id: AnyHashable?
        var closed: () -> Void = {}
        var onDismiss: (() -> Void)?
        var environments: (above: EnvironmentValues, below: EnvironmentValues)?
        let editing = EditModeStore()
        let order: Int
        init(order: Int) { self.order = order }
        func check() {
            guard let fiber else { return }
            presentation?.titled(fiber.preference(WindowTitleKey.self) ?? nil)
            presentation?.setDismissDisabled(fiber.preference(SheetSettingsKey.self)?.isDismissDisabled ?? false)
        }
    }

    func makeStorage(_ fiber: _Fiber) -> Storage { Storage(order: fiber.depth) }

    private func environment(_ storage: Storage, _ above: EnvironmentValues) -> EnvironmentValues {
        if let known = storage.environments, known.above.isSame(as: above) { return known.below }
        var below = above
        below.isPresented = true
        below.editMode = storage.editing.binding
        below.isLazy = false
        below.isInList = false
        below.isInSidebar = false
        below.navigationReference = nil
        below.dismiss = DismissAction { [weak storage] in storage?.closed() }
        storage.environments = (above, below)
        return below
    }

    func updated(_ storage: inout Storage, _ fiber: _Fiber) {
        storage.closed = closed
        storage.onDismiss = onDismiss
        if storage.id != shown?.id { end(storage, fiber) }
        guard let shown else { return }
        let below = environment(storage, fiber.environment)
        if let presentation = storage.presentation {
            storage.fiber?.update(RootView(content: shown.content, root: presentation.root), below)
            return
        }
        let presentation = makePresentation(fiber)
        storage.presentation = presentation
        storage.id = shown.id
        presentation.onClose = { [weak storage] in storage?.closed() }
        storage.fiber =
            RootView._makeFiber(RootView(content: shown.content, root: presentation.root), fiber.inputs(below, in: nil))
            as _ViewFiber<RootView>
        fiber.graph.add(storage)
        // Opens later, because the element below may not be in a window yet.
        fiber.graph.after { [weak fiber, weak storage, weak presentation] in
            guard let fiber, let storage, let presentation, storage.presentation === presentation, !fiber.isRemoved
            else {
                return
            }
            presentation.open(over: Presenting.element(of: fiber))
        }
    }

    func removed(_ storage: Storage, _ fiber: _Fiber) { end(storage, fiber) }

    private func end(_ storage: Storage, _ fiber: _Fiber) {
        guard let presentation = storage.presentation else { return }
        fiber.graph.remove(storage)
        storage.fiber?.remove()
        storage.fiber = nil
        storage.presentation = nil
        storage.id = nil
        presentation.onClose = nil
        presentation.close()
        if let onDismiss = storage.onDismiss { fiber.graph.after(onDismiss) }
    }

    /// Returns the first element of a fiber or, if it has none, of its nearest ancestor that has one.
    private static func element(of fiber: _Fiber) -> Element? {
        var current: _Fiber? = fiber
        while let ancestor = current {
            if let element = ancestor.elements.first { return element }
            current = ancestor.parent
        }
        return nil
    }
}

/// A view that reads whether something is presented, so that only this view is evaluated again when that changes.
struct PresentedWhile<Content: View>: View {
    let content: Content
    let shown: @MainActor () -> (id: AnyHashable, content: AnyView)?
    let makePresentation: @MainActor (_Fiber) -> any PresentationPlace
    let closed: @MainActor () -> Void
    let onDismiss: (@MainActor () -> Void)?
    var body: some View {
        content.fiberModifier(
            Presenting(shown: shown(), makePresentation: makePresentation, closed: closed, onDismiss: onDismiss))
    }
}

extension View {
    func presenting(
        _ isPresented: Binding<Bool>, onDismiss: (@MainActor () -> Void)? = nil,
        in place: @escaping @MainActor (_Fiber) -> any PresentationPlace,
        _ content: @escaping @MainActor () -> AnyView
    ) -> some View {
        PresentedWhile(
            content: self, shown: { isPresented.wrappedValue ? (AnyHashable(true), content()) : nil },
            makePresentation: place,
            closed: { if isPresented.wrappedValue { isPresented.wrappedValue = false } }, onDismiss: onDismiss)
    }
    func presenting<Item: Identifiable>(
        _ item: Binding<Item?>, onDismiss: (@MainActor () -> Void)? = nil,
        in place: @escaping @MainActor (_Fiber) -> any PresentationPlace,
        _ content: @escaping @MainActor (Item) -> AnyView
    ) -> some View {
        PresentedWhile(
            content: self, shown: { item.wrappedValue.map { (AnyHashable($0.id), content($0)) } },
            makePresentation: place,
            closed: { if item.wrappedValue != nil { item.wrappedValue = nil } }, onDismiss: onDismiss)
    }
}
