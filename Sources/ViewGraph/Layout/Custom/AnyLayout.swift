import Foundation

/// A layout whose type is erased. Mirrors SwiftUI's type.
///
/// ```swift
/// let layout = isWide ? AnyLayout(HStackLayout()) : AnyLayout(VStackLayout())
/// layout {
///     ExtVideoPlayer(fileName: "film.mp4")
///     Text("Comments")
/// }
/// ```
/// If another layout replaces this one, the views keep their identity. If the change is animated, the views move to
/// their new positions.
public struct AnyLayout: Layout {
    let box: LayoutBox
    /// Creates a layout that hides the type of `layout`. An `AnyLayout` is not wrapped a second time.
    public init<L: Layout>(_ layout: L) { box = (layout as? AnyLayout)?.box ?? TypedLayoutBox(layout) }

    /// The cache of the wrapped layout.
    public struct Cache {
        var value: Any
    }
    /// Creates the cache of the wrapped layout.
    public func makeCache(subviews: Subviews) -> Cache { Cache(value: box.makeCache(subviews)) }
    /// Updates the cache of the wrapped layout.
    public func updateCache(_ cache: inout Cache, subviews: Subviews) { box.updateCache(&cache.value, subviews) }
    /// Returns the spacing of the wrapped layout.
    public func spacing(subviews: Subviews, cache: inout Cache) -> ViewSpacing { box.spacing(subviews, &cache.value) }
    /// Returns the size of the wrapped layout, in points.
    public func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) -> CGSize {
        box.sizeThatFits(proposal, subviews, &cache.value)
    }
    /// Places the views with the wrapped layout.
    public func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) {
        box.placeSubviews(bounds, proposal, subviews, &cache.value)
    }
    /// Returns the position of an alignment in the wrapped layout, or nil if that layout sets none.
    public func explicitAlignment(
        of guide: HorizontalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Cache
    ) -> CGFloat? {
        box.explicitAlignment(guide, bounds, proposal, subviews, &cache.value)
    }
    /// Returns the position of an alignment in the wrapped layout, or nil if that layout sets none.
    public func explicitAlignment(
        of guide: VerticalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Cache
    ) -> CGFloat? {
        box.explicitAlignment(guide, bounds, proposal, subviews, &cache.value)
    }
    /// Empty, because no property of the layout is animated. Its views move to their new positions.
    public typealias AnimatableData = EmptyAnimatableData
}

/// A layout with an erased type. Immutable.
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

    /// Calls `body` with the layout's cache. Creates a new cache if the current one belongs to a layout of another
    /// type.
    private func withCache<T>(_ cache: inout Any, _ subviews: LayoutSubviews, _ body: (inout L.Cache) -> T) -> T {
        var own = cache as? L.Cache ?? layout.makeCache(subviews: subviews)
        defer { cache = own }
        return body(&own)
    }

    override var stackAxis: Axis? { L.layoutProperties.stackOrientation }
    @MainActor override func usesBaselines(_ elements: [Element]) -> Bool {
        TypedLayoutBox.usesBaselines(layout, elements)
    }
    /// Returns whether the layout may depend on text baselines. True for a layout of an app, because its behavior is
    /// unknown.
    @MainActor static func usesBaselines(_ layout: L, _ elements: [Element]) -> Bool {
        (layout as? any ElementLayout)?.usesBaselines(elements) ?? true
    }
    @MainActor override func isSame(as other: LayoutBox) -> Bool {
        (other as? TypedLayoutBox<L>).map { ViewComparison.areSame(layout, $0.layout) } ?? false
    }
    override func makeCache(_ subviews: LayoutSubviews) -> Any { layout.makeCache(subviews: subviews) }
    override func updateCache(_ cache: inout Any, _ subviews: LayoutSubviews) {
        withCache(&cache, subviews) { layout.updateCache(&$0, subviews: subviews) }
    }
    override func spacing(_ subviews: LayoutSubviews, _ cache: inout Any) -> ViewSpacing {
        withCache(&cache, subviews) { layout.spacing(subviews: subviews, cache: &$0) }
    }
    override func sizeThatFits(_ proposal: ProposedViewSize, _ subviews: LayoutSubviews, _ cache: inout Any) -> CGSize {
        withCache(&cache, subviews) { layout.sizeThatFits(proposal: proposal, subviews: subviews, cache: &$0) }
    }
    override func placeSubviews(
        _ bounds: CGRect, _ proposal: ProposedViewSize, _ subviews: LayoutSubviews, _ cache: inout Any
    ) {
        withCache(&cache, subviews) {
            layout.placeSubviews(in: bounds, proposal: proposal, subviews: subviews, cache: &$0)
        }
    }
    override func explicitAlignment(
        _ guide: HorizontalAlignment, _ bounds: CGRect, _ proposal: ProposedViewSize, _ subviews: LayoutSubviews,
        _ cache: inout Any
    ) -> CGFloat? {
        withCache(&cache, subviews) {
            layout.explicitAlignment(of: guide, in: bounds, proposal: proposal, subviews: subviews, cache: &$0)
        }
    }
    override func explicitAlignment(
        _ guide: VerticalAlignment, _ bounds: CGRect, _ proposal: ProposedViewSize, _ subviews: LayoutSubviews,
        _ cache: inout Any
    ) -> CGFloat? {
        withCache(&cache, subviews) {
            layout.explicitAlignment(of: guide, in: bounds, proposal: proposal, subviews: subviews, cache: &$0)
        }
    }
}
