@_spi(Graph) import ViewGraph

/// A view that gives its content a proxy for scrolling to a view with a certain identity. Matches SwiftUI's
/// `ScrollViewReader`.
///
/// ```swift
/// ScrollViewReader { proxy in
///     List(titles, id: \.self) { Text($0) }
///         .onChange(of: current) { _, title in
///             withAnimation { proxy.scrollTo(title, anchor: .center) }
///         }
/// }
/// ```
public struct ScrollViewReader<Content: View>: View {
    let content: (ScrollViewProxy) -> Content
    @State private var place = ScrollReaderPlace()
    /// Creates a view and passes its content a proxy that scrolls the views inside.
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }
    public var body: some View { content(ScrollViewProxy(place: place)).fiberModifier(ScrollReaderMark(place: place)) }
}

/// A proxy that scrolls to views inside a `ScrollViewReader`. Matches SwiftUI's `ScrollViewProxy`.
@MainActor @preconcurrency
public struct ScrollViewProxy {
    let place: ScrollReaderPlace

    /// Scrolls the innermost scroll view or list around the view with the identity `id`.
    ///
    /// The scrolling begins after the current changes of the app's state have been applied. If there is no such view
    /// then, the call has no effect. Within `withAnimation`, the scrolling is animated.
    ///
    /// - Parameters:
    ///   - id: The id of an element of a `ForEach`, or the value of `id(_:)` on a view. The row of a `ForEach`'s
    ///     element need not be created yet.
    ///   - anchor: The point of the view that is aligned with the same point of the visible area. Nil scrolls as little
    ///     as possible.
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {
        guard let fiber = place.fiber else { return }
        fiber.graph.after { [weak fiber] in
            guard let fiber, let element = fiber.descendant(AnyHashable(id))?.elements.first else { return }
            var above: Element? = element
            while let current = above, (current as? ScrollElement) == nil || current === element {
                above = current.enclosingElement
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
    func makeStorage(_ fiber: _Fiber) { place.fiber = fiber }
}

/// A fiber that identifies views below it with ids from the app.
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
        return fiber(own)
    }
}

extension _Fiber {
    /// Returns the first fiber of a view with the identity `id`, or nil if there is none. A view comes before the views
    /// inside it.
    func descendant(_ id: AnyHashable) -> _Fiber? {
        if let found = (self as? any IdentityFiber)?.fiber(for: id) { return found }
        for child in children {
            if let found = child.descendant(id) { return found }
        }
        return nil
    }
}
