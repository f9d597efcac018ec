import Foundation
@_spi(Graph) import ViewGraph

/// Lets its content scroll to a view by its identity. SwiftUI's view.
public struct ScrollViewReader<Content: View>: View {
    let content: (ScrollViewProxy) -> Content
    @State private var place = ScrollReaderPlace()
    /// Makes a view whose content is given a proxy that scrolls the views in it.
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }
    public var body: some View { content(ScrollViewProxy(place: place)).fiberModifier(ScrollReaderMark(place: place)) }
}

/// What scrolls to a view below a `ScrollViewReader`.
@MainActor @preconcurrency
public struct ScrollViewProxy {
    let place: ScrollReaderPlace

    /// Scrolls the innermost scroll view or list around the view with `id`: the `id` of a `ForEach`'s element, whether
    /// or not its row was made, or one given by `id(_:)`, when it was. Within `withAnimation` it glides there. Nothing
    /// happens when there is none.
    /// - Parameter anchor: the point of the view that comes to the same point of the area; nil scrolls as little as it
    ///   takes.
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {
        guard let fiber = place.fiber else { return }
        fiber.graph.after { [weak fiber] in
            guard let fiber, let element = fiber.descendant(AnyHashable(id))?.elements.first else { return }
            var above: Element? = element
            while let current = above, (current as? ScrollElement) == nil || current === element {
                above = current.outward
            }
            (above as? ScrollElement)?.show(element, anchor, fiber.graph.transaction.effective)
        }
    }
}

@MainActor
final class ScrollReaderPlace {
    weak var fiber: _Fiber?
    nonisolated init() {}
}

struct ScrollReaderMark: FiberModifier {
    let place: ScrollReaderPlace
    func makePlace(_ fiber: _Fiber) { place.fiber = fiber }
}

/// A fiber that tells views below it apart by identities of the app's.
@MainActor
protocol IdentityFiber: _Fiber {
    func fiber(for id: AnyHashable) -> _Fiber?
}

extension IdentifiedFiber: IdentityFiber {
    func fiber(for id: AnyHashable) -> _Fiber? { AnyHashable(view.id) == id ? self : nil }
}

extension ForEachFiber: IdentityFiber {
    func fiber(for id: AnyHashable) -> _Fiber? {
        guard let own = id.base as? ID, AnyHashable(own) == id else { return nil }
        var seen: Set<ID> = []
        let fibers = children
        for element in view.data {
            let next = view.id(element)
            guard seen.insert(next).inserted else { continue }
            if next == own { return seen.count <= fibers.count ? fibers[seen.count - 1] : nil }
        }
        return nil
    }
}

extension _Fiber {
    /// The view with `id`, the outermost one.
    func descendant(_ id: AnyHashable) -> _Fiber? {
        if let found = (self as? any IdentityFiber)?.fiber(for: id) { return found }
        for child in children {
            if let found = child.descendant(id) { return found }
        }
        return nil
    }
}
