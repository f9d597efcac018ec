import Foundation
@_spi(Graph) import ViewGraph

extension View {
    /// Binds `id` to the identity of the view that is at `anchor` in this view's scroll view.
    ///
    /// ```swift
    /// @State private var visible: String?
    ///
    /// var body: some View {
    ///     ScrollView {
    ///         LazyVStack { ForEach(names, id: \.self) { Text($0).frame(height: 80) } }
    ///     }
    ///     .scrollPosition(id: $visible)
    /// }
    /// ```
    /// Setting `id` scrolls to the view with that identity. If there is no such view yet, the scrolling waits until one
    /// is added. Setting `id` to nil does not scroll.
    ///
    /// - Parameters:
    ///   - id: The id of an element of a `ForEach`, or the value of `id(_:)`. The scroll view sets it when scrolling
    ///     comes to rest.
    ///   - anchor: The point of the visible area and of the view that are aligned. Nil is the top leading corner.
    public func scrollPosition<ID: Hashable>(id: Binding<ID?>, anchor: UnitPoint? = nil) -> some View {
        ScrollPositioned(content: self, id: id, anchor: anchor)
    }
}

private struct ScrollPositioned<Content: View, ID: Hashable>: View {
    let content: Content
    let id: Binding<ID?>
    let anchor: UnitPoint?
    var body: some View {
        content.fiberModifier(
            ScrollPositionMark(
                wanted: id.wrappedValue.map { AnyHashable($0) }, anchor: anchor ?? .zero,
                report: { if let new = $0.base as? ID { id.wrappedValue = new } }))
    }
}

private struct ScrollPositionMark: FiberModifier {
    let wanted: AnyHashable?
    let anchor: UnitPoint
    let report: @MainActor (AnyHashable) -> Void

    @MainActor final class Storage {
        var mark: ScrollPositionMark?
        /// The identity that was last scrolled to or reported.
        var last: AnyHashable?
        /// Whether the wanted view is searched for after the current update, because the content has changed.
        var isWaiting = false
        weak var scroll: ScrollElement?
        /// The wanted identity, or nil if it was scrolled to or reported.
        var unreached: AnyHashable? { mark?.wanted.flatMap { $0 == last ? nil : $0 } }
    }
    func makeStorage(_ fiber: _Fiber) -> Storage { Storage() }
    func updated(_ storage: inout Storage, _ fiber: _Fiber) {
        storage.mark = self
        fiber.graph.after { [weak fiber, weak storage] in
            if let fiber, let storage, !fiber.isRemoved { follow(storage, fiber) }
        }
    }
    func removed(_ storage: Storage, _ fiber: _Fiber) {
        storage.scroll?.settling.onRest = nil
        storage.scroll?.onContentChange = nil
    }

    private func follow(_ storage: Storage, _ fiber: _Fiber) {
        if storage.scroll == nil {
            storage.scroll = fiber.elements.lazy.compactMap(ScrollPositionMark.scroll).first
            storage.scroll?.settling.onRest = { [weak fiber, weak storage] in
                if let fiber, let storage { ScrollPositionMark.rested(storage, fiber) }
            }
            storage.scroll?.onContentChange = { [weak fiber, weak storage] in
                if let fiber, let storage { ScrollPositionMark.contentChanged(storage, fiber) }
            }
        }
        ScrollPositionMark.show(storage, fiber)
    }

    /// Scrolls to the wanted view. If there is none yet, the next change of the content calls this method again.
    private static func show(_ storage: Storage, _ fiber: _Fiber) {
        guard let mark = storage.mark, let scroll = storage.scroll, let wanted = storage.unreached,
            let element = fiber.descendant(wanted)?.elements.first
        else { return }
        storage.last = wanted
        scroll.show(element, mark.anchor, fiber.graph.transaction.effective)
    }

    private static func contentChanged(_ storage: Storage, _ fiber: _Fiber) {
        guard storage.unreached != nil, !storage.isWaiting else { return }
        storage.isWaiting = true
        // Views are being evaluated or laid out now, so the search for the wanted view runs after the update.
        fiber.graph.after { [weak fiber, weak storage] in
            guard let fiber, let storage else { return }
            storage.isWaiting = false
            if !fiber.isRemoved { show(storage, fiber) }
        }
    }

    private static func scroll(_ element: Element) -> ScrollElement? {
        (element as? ScrollElement) ?? element.children.lazy.compactMap(scroll).first
    }

    /// Reports the identity of the view that is nearest to the anchor now.
    private static func rested(_ storage: Storage, _ fiber: _Fiber) {
        guard let mark = storage.mark, let scroll = storage.scroll else { return }
        let target = CGPoint(
            x: scroll.offset.x + mark.anchor.x * scroll.frame.width,
            y: scroll.offset.y + mark.anchor.y * scroll.frame.height)
        var best: (id: AnyHashable, distance: CGFloat)?
        func search(_ fiber: _Fiber) {
            for (id, child) in (fiber as? any IdentityGiver)?.identified ?? [] {
                guard let id = Tag(value: id).plain, let element = child.elements.first,
                    let rect = scroll.contentFrame(of: element)
                else { continue }
                let aligned = CGPoint(
                    x: rect.minX + mark.anchor.x * rect.width, y: rect.minY + mark.anchor.y * rect.height)
                let distance = hypot(aligned.x - target.x, aligned.y - target.y)
                if best.map({ distance < $0.distance }) ?? true { best = (id, distance) }
            }
            if !(fiber is any IdentityGiver) { fiber.children.forEach(search) }
        }
        search(fiber)
        guard let best, best.id != storage.last || storage.unreached != nil else { return }
        storage.last = best.id
        mark.report(best.id)
    }
}
