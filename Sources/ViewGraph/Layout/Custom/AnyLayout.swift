import Foundation

/// A layout whose type is hidden: views stay the same when another takes its place, and move there if that is animated.
/// SwiftUI's type.
public struct AnyLayout: Layout {
    let box: LayoutBox
    /// Hides the type of `layout`; one that is an `AnyLayout` already is taken as it is.
    public init<L: Layout>(_ layout: L) { box = (layout as? AnyLayout)?.box ?? TypedLayoutBox(layout) }

    /// What the layout within keeps.
    public struct Cache {
        var value: Any
    }
    /// Makes what the layout within keeps.
    public func makeCache(subviews: Subviews) -> Cache { Cache(value: box.makeCache(subviews)) }
    /// Has the layout within bring what it keeps up to date.
    public func updateCache(_ cache: inout Cache, subviews: Subviews) { box.updateCache(&cache.value, subviews) }
    /// How far others are to stay away, as the layout within says.
    public func spacing(subviews: Subviews, cache: inout Cache) -> ViewSpacing { box.spacing(subviews, &cache.value) }
    /// The size of all, as the layout within says, points.
    public func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) -> CGSize {
        box.sizeThatFits(proposal, subviews, &cache.value)
    }
    /// Has the layout within place the views.
    public func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) {
        box.placeSubviews(bounds, proposal, subviews, &cache.value)
    }
    /// Where an alignment lies, as the layout within says; nil: it says nothing of it.
    public func explicitAlignment(
        of guide: HorizontalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Cache
    ) -> CGFloat? {
        box.explicitAlignment(guide, bounds, proposal, subviews, &cache.value)
    }
    /// Where an alignment lies, as the layout within says; nil: it says nothing of it.
    public func explicitAlignment(
        of guide: VerticalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Cache
    ) -> CGFloat? {
        box.explicitAlignment(guide, bounds, proposal, subviews, &cache.value)
    }
    /// Nothing of it is animated: its views move to their new places.
    public typealias AnimatableData = EmptyAnimatableData
}

/// A layout of some type. Immutable.
class LayoutBox {
    var stackAxis: Axis? { nil }
    @MainActor func usesBaselines(_ elements: [Element]) -> Bool { true }
    @MainActor func isSame(as other: LayoutBox) -> Bool { self === other }
    func makeCache(_ subviews: LayoutSubviews) -> Any { () }
    func updateCache(_ cache: inout Any, _ subviews: LayoutSubviews) {}
    func spacing(_ subviews: LayoutSubviews, _ cache: inout Any) -> ViewSpacing { ViewSpacing() }
    func sizeThatFits(_ proposal: ProposedViewSize, _ subviews: LayoutSubviews, _ cache: inout Any) -> CGSize { .zero }
    func placeSubviews(_ bounds: CGRect, _ proposal: ProposedViewSize, _ subviews: LayoutSubviews, _ cache: inout Any) {
    }
    func explicitAlignment(
        _ guide: HorizontalAlignment, _ bounds: CGRect, _ proposal: ProposedViewSize, _ subviews: LayoutSubviews,
        _ cache: inout Any
    ) -> CGFloat? { nil }
    func explicitAlignment(
        _ guide: VerticalAlignment, _ bounds: CGRect, _ proposal: ProposedViewSize, _ subviews: LayoutSubviews,
        _ cache: inout Any
    ) -> CGFloat? { nil }
}

final class TypedLayoutBox<L: Layout>: LayoutBox {
    private let layout: L
    init(_ layout: L) { self.layout = layout }

    /// The cache may be that of the layout before.
    private func asking<T>(_ cache: inout Any, _ subviews: LayoutSubviews, _ body: (inout L.Cache) -> T) -> T {
        var own = cache as? L.Cache ?? layout.makeCache(subviews: subviews)
        defer { cache = own }
        return body(&own)
    }

    override var stackAxis: Axis? { L.layoutProperties.stackOrientation }
    @MainActor override func usesBaselines(_ elements: [Element]) -> Bool {
        TypedLayoutBox.usesBaselines(layout, elements)
    }
    /// Of an app's own layout nobody knows what it looks at.
    @MainActor static func usesBaselines(_ layout: L, _ elements: [Element]) -> Bool {
        (layout as? any ElementLayout)?.usesBaselines(elements) ?? true
    }
    @MainActor override func isSame(as other: LayoutBox) -> Bool {
        (other as? TypedLayoutBox<L>).map { ViewComparison.areSame(layout, $0.layout) } ?? false
    }
    override func makeCache(_ subviews: LayoutSubviews) -> Any { layout.makeCache(subviews: subviews) }
    override func updateCache(_ cache: inout Any, _ subviews: LayoutSubviews) {
        asking(&cache, subviews) { layout.updateCache(&$0, subviews: subviews) }
    }
    override func spacing(_ subviews: LayoutSubviews, _ cache: inout Any) -> ViewSpacing {
        asking(&cache, subviews) { layout.spacing(subviews: subviews, cache: &$0) }
    }
    override func sizeThatFits(_ proposal: ProposedViewSize, _ subviews: LayoutSubviews, _ cache: inout Any) -> CGSize {
        asking(&cache, subviews) { layout.sizeThatFits(proposal: proposal, subviews: subviews, cache: &$0) }
    }
    override func placeSubviews(
        _ bounds: CGRect, _ proposal: ProposedViewSize, _ subviews: LayoutSubviews, _ cache: inout Any
    ) {
        asking(&cache, subviews) {
            layout.placeSubviews(in: bounds, proposal: proposal, subviews: subviews, cache: &$0)
        }
    }
    override func explicitAlignment(
        _ guide: HorizontalAlignment, _ bounds: CGRect, _ proposal: ProposedViewSize, _ subviews: LayoutSubviews,
        _ cache: inout Any
    ) -> CGFloat? {
        asking(&cache, subviews) {
            layout.explicitAlignment(of: guide, in: bounds, proposal: proposal, subviews: subviews, cache: &$0)
        }
    }
    override func explicitAlignment(
        _ guide: VerticalAlignment, _ bounds: CGRect, _ proposal: ProposedViewSize, _ subviews: LayoutSubviews,
        _ cache: inout Any
    ) -> CGFloat? {
        asking(&cache, subviews) {
            layout.explicitAlignment(of: guide, in: bounds, proposal: proposal, subviews: subviews, cache: &$0)
        }
    }
}
