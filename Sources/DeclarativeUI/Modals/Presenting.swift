import Foundation
@_spi(Graph) import ViewGraph

/// Something that is shown apart from where it is said, while a view is given: a window, a cover, a popover.
@MainActor
protocol PresentationPlace: AnyObject {
    /// The elements of what is shown are this one's children.
    var root: LayersElement { get }
    /// Shows it. - Parameter element: where it is said; nil when nothing stands there.
    func open(over element: Element?)
    func close()
    /// The user wants to close it.
    var onClose: (() -> Void)? { get set }
    /// Told when what is in it has changed.
    func titled(_ title: String?)
    /// Told when what is in it has changed: whether the user's wish to close it is passed over.
    func setDismissDisabled(_ isDisabled: Bool)
}
extension PresentationPlace {
    func titled(_ title: String?) {}
    func setDismissDisabled(_ isDisabled: Bool) {}
}

/// Shows `content` by a `PresentationPlace` while it is there. The content is in the environment of the place where it
/// is said, plus `dismiss` and `isPresented`; its state begins and ends with it.
struct Presenting: FiberModifier {
    /// What is shown; another id is another presentation. Nil: nothing.
    let shown: (id: AnyHashable, content: AnyView)?
    let makePresentation: (_Fiber) -> any PresentationPlace
    /// The user, or the content, closes it: the app's binding is to say so.
    let closed: () -> Void
    /// It is gone.
    let gone: (() -> Void)?

    final class Place: PreferenceObserver {
        var presentation: (any PresentationPlace)?
        var fiber: _ViewFiber<RootView>?
        var id: AnyHashable?
        var closed: () -> Void = {}
        var gone: (() -> Void)?
        var environments: (above: EnvironmentValues, below: EnvironmentValues)?
        let order: Int
        init(order: Int) { self.order = order }
        func check() {
            guard let fiber else { return }
            presentation?.titled(fiber.preference(WindowTitleKey.self) ?? nil)
            presentation?.setDismissDisabled(fiber.preference(SheetWishKey.self)?.isDismissDisabled ?? false)
        }
    }

    func makePlace(_ fiber: _Fiber) -> Place { Place(order: fiber.depth) }

    private func environment(_ place: Place, _ above: EnvironmentValues) -> EnvironmentValues {
        if let known = place.environments, known.above.isSame(as: above) { return known.below }
        var below = above
        below.isPresented = true
        below.isLazy = false
        below.isInList = false
        below.navigationReference = nil
        below.dismiss = DismissAction { [weak place] in place?.closed() }
        place.environments = (above, below)
        return below
    }

    func updated(_ place: inout Place, _ fiber: _Fiber) {
        place.closed = closed
        place.gone = gone
        if place.id != shown?.id { end(place, fiber) }
        guard let shown else { return }
        let below = environment(place, fiber.environment)
        if let presentation = place.presentation {
            place.fiber?.update(RootView(content: shown.content, root: presentation.root), below)
            return
        }
        let presentation = makePresentation(fiber)
        place.presentation = presentation
        place.id = shown.id
        presentation.onClose = { [weak place] in place?.closed() }
        place.fiber =
            RootView._makeFiber(RootView(content: shown.content, root: presentation.root), fiber.inputs(below))
            as _ViewFiber<RootView>
        fiber.graph.add(place)
        // What it is shown over may not be in a window yet.
        fiber.graph.after { [weak fiber, weak place, weak presentation] in
            guard let fiber, let place, let presentation, place.presentation === presentation, !fiber.isRemoved else {
                return
            }
            presentation.open(over: Presenting.element(of: fiber))
        }
    }

    func removed(_ place: Place, _ fiber: _Fiber) { end(place, fiber) }

    private func end(_ place: Place, _ fiber: _Fiber) {
        guard let presentation = place.presentation else { return }
        fiber.graph.remove(place)
        place.fiber?.remove()
        place.fiber = nil
        place.presentation = nil
        place.id = nil
        presentation.onClose = nil
        presentation.close()
        if let gone = place.gone { fiber.graph.after(gone) }
    }

    /// Where a fiber stands: its first element, or that of what is around it.
    private static func element(of fiber: _Fiber) -> Element? {
        var current: _Fiber? = fiber
        while let here = current {
            if let element = here.elements.first { return element }
            current = here.parent
        }
        return nil
    }
}

/// Reads whether something is presented, so that only this view is evaluated when that changes.
struct PresentedWhile<Content: View>: View {
    let content: Content
    let shown: @MainActor () -> (id: AnyHashable, content: AnyView)?
    let makePresentation: @MainActor (_Fiber) -> any PresentationPlace
    let closed: @MainActor () -> Void
    let gone: (@MainActor () -> Void)?
    var body: some View {
        content.fiberModifier(
            Presenting(shown: shown(), makePresentation: makePresentation, closed: closed, gone: gone))
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
            closed: { if isPresented.wrappedValue { isPresented.wrappedValue = false } }, gone: onDismiss)
    }
    func presenting<Item: Identifiable>(
        _ item: Binding<Item?>, onDismiss: (@MainActor () -> Void)? = nil,
        in place: @escaping @MainActor (_Fiber) -> any PresentationPlace,
        _ content: @escaping @MainActor (Item) -> AnyView
    ) -> some View {
        PresentedWhile(
            content: self, shown: { item.wrappedValue.map { (AnyHashable($0.id), content($0)) } },
            makePresentation: place,
            closed: { if item.wrappedValue != nil { item.wrappedValue = nil } }, gone: onDismiss)
    }
}
