import Foundation

/// A layout that an app defines, used as `MyLayout { … }`. Mirrors SwiftUI's protocol.
///
/// A layout that gives each view the same width:
/// ```swift
/// struct EqualWidths: Layout {
///     func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) -> CGSize {
///         proposal.replacingUnspecifiedDimensions()
///     }
///     func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) {
///         let size = CGSize(width: bounds.width / CGFloat(max(subviews.count, 1)), height: bounds.height)
///         for (index, subview) in subviews.enumerated() {
///             let position = CGPoint(x: bounds.minX + CGFloat(index) * size.width, y: bounds.minY)
///             subview.place(at: position, proposal: ProposedViewSize(size))
///         }
///     }
/// }
/// ```
/// The methods are called on the main thread. Sizes are cached until a view or the layout changes.
public protocol Layout: Animatable {
    /// The type of the values that the layout computes from its views and keeps until they change.
    associatedtype Cache = Void
    /// The views of the layout, in order.
    typealias Subviews = LayoutSubviews
    /// Properties of the layout that are independent of its views.
    static var layoutProperties: LayoutProperties { get }
    /// Creates the cache, before any other method is called. A `Void` cache needs no implementation.
    func makeCache(subviews: Subviews) -> Cache
    /// Updates the cache after the views have changed. The default implementation creates a new cache.
    func updateCache(_ cache: inout Cache, subviews: Subviews)
    /// Returns the distance that other views keep from the layout. The default is the maximum of its views on each
    /// side.
    ///
    /// A layout around this one can read the value as `LayoutSubview.spacing`. The stacks and grids of this module do
    /// not use the value.
    func spacing(subviews: Subviews, cache: inout Cache) -> ViewSpacing
    /// Returns the size of the layout for a proposal, in points.
    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) -> CGSize
    /// Places each view with `LayoutSubview.place`. A view that is not placed is centered in `bounds`.
    /// - Parameters:
    ///   - bounds: The frame of the layout. Positions are in the same space.
    ///   - proposal: The proposal for the whole layout.
    ///   - subviews: The views.
    ///   - cache: The cache of the layout.
    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache)
    /// Returns the position of a horizontal alignment in the space of `bounds`, or nil if the layout sets none.
    ///
    /// The default implementation places the views, and returns the alignment that they set at their positions.
    func explicitAlignment(
        of guide: HorizontalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Cache
    ) -> CGFloat?
    /// Returns the position of a vertical alignment in the space of `bounds`, or nil if the layout sets none.
    ///
    /// The default implementation places the views, and returns the alignment that they set at their positions.
    func explicitAlignment(
        of guide: VerticalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Cache
    ) -> CGFloat?
}

extension Layout {
    /// The default properties, with which spacers grow in both directions.
    public static var layoutProperties: LayoutProperties { LayoutProperties() }
    /// Replaces the cache by a new one.
    public func updateCache(_ cache: inout Cache, subviews: Subviews) { cache = makeCache(subviews: subviews) }
    /// Returns the maximum distance of the views on each side.
    public func spacing(subviews: Subviews, cache: inout Cache) -> ViewSpacing {
        subviews.reduce(into: .zero) { $0.formUnion($1.spacing) }
    }
    /// Returns the position of the alignment in the first view that sets it, or nil if no view does.
    public func explicitAlignment(
        of guide: HorizontalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Cache
    ) -> CGFloat? {
        merged(guide.key, bounds, proposal, subviews, &cache)
    }
    /// Returns the position of the alignment in the first view that sets it, or nil if no view does.
    ///
    /// For a text baseline, returns the topmost first baseline or the bottommost last baseline.
    public func explicitAlignment(
        of guide: VerticalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Cache
    ) -> CGFloat? {
        merged(guide.key, bounds, proposal, subviews, &cache)
    }
    private func merged(
        _ key: AlignmentKey, _ bounds: CGRect, _ proposal: ProposedViewSize, _ subviews: Subviews, _ cache: inout Cache
    ) -> CGFloat? {
        let elements = subviews.elements
        let trial: LayoutPass? = MainActor.assumeIsolated {
            elements.contains { $0.mayDefineGuide(key) } ? LayoutPass(isTrial: true) : nil
        }
        guard let trial else { return nil }
        placeSubviews(
            in: bounds, proposal: proposal, subviews: LayoutSubviews(elements: elements, pass: trial), cache: &cache)
        return MainActor.assumeIsolated {
            trial.finish(elements, bounds, proposal)
            return trial.guide(key, elements)
        }
    }
    /// Returns a view that arranges the views of `content` with this layout.
    @MainActor @preconcurrency
    public func callAsFunction<V: View>(@ViewBuilder _ content: () -> V) -> some View {
        LayoutView(layout: self, content: content())
    }
}

extension Layout where Cache == Void {
    /// Returns an empty cache.
    public func makeCache(subviews: Subviews) {}
}

/// The properties of a layout that are independent of its views. Mirrors SwiftUI's type.
public struct LayoutProperties: Sendable {
    /// The axis along which spacers grow. If nil, spacers grow in both directions.
    public var stackOrientation: Axis?
    /// Creates the properties of a layout whose spacers grow in both directions.
    public init() {}
}

/// The reading direction. Mirrors SwiftUI's type.
public enum LayoutDirection: Hashable, CaseIterable, Sendable {
    /// The leading edge is on the left.
    case leftToRight
    /// The leading edge is on the right.
    case rightToLeft
}

/// The distances that other views keep from a view, in points. Mirrors SwiftUI's type.
public struct ViewSpacing: Sendable {
    private var top, leading, bottom, trailing: CGFloat
    /// Creates the default distances, which are 8 points on each side.
    public init() { self.init(8) }
    private init(_ all: CGFloat) { (top, leading, bottom, trailing) = (all, all, all, all) }
    /// Distances of 0, so that other views may touch the view.
    public static let zero = ViewSpacing(0)
    /// Replaces the distances on `edges` by the maximum of both values.
    public mutating func formUnion(_ other: ViewSpacing, edges: Edge.Set = .all) {
        if edges.contains(.top) { top = max(top, other.top) }
        if edges.contains(.leading) { leading = max(leading, other.leading) }
        if edges.contains(.bottom) { bottom = max(bottom, other.bottom) }
        if edges.contains(.trailing) { trailing = max(trailing, other.trailing) }
    }
    /// Returns the maximum of both values on `edges`, and the distances of this value on other edges.
    public func union(_ other: ViewSpacing, edges: Edge.Set = .all) -> ViewSpacing {
        with(self) { $0.formUnion(other, edges: edges) }
    }
    /// Returns the distance between this view and `next`, which follows along `axis`, in points.
    public func distance(to next: ViewSpacing, along axis: Axis) -> CGFloat {
        axis == .horizontal ? max(trailing, next.leading) : max(bottom, next.top)
    }
}

/// A key for values that views provide to a layout that an app defines. Mirrors SwiftUI's protocol.
public protocol LayoutValueKey {
    /// The type of the value.
    associatedtype Value
    /// The value of views that provide none.
    static var defaultValue: Value { get }
}

struct LayoutValue<K: LayoutValueKey> { let value: K.Value }

struct LayoutValueModifier<K: LayoutValueKey>: ElementModifier {
    let value: K.Value
    func makeElement() -> TraitElement<LayoutValue<K>> { TraitElement(LayoutValue(value: value)) }
    func update(_ element: TraitElement<LayoutValue<K>>, _ fiber: _Fiber) {
        let isSame = ViewComparison.areSame(element.value.value, value)
        element.value = LayoutValue(value: value)
        if !isSame { element.setNeedsLayout() }
    }
}

/// A modifier that provides a trait of its content to the container, which lays out its children accordingly.
package struct LayoutTraitModifier<Trait: Equatable>: ElementModifier {
    let value: Trait

    package init(value: Trait) {
        self.value = value
    }
    package func makeElement() -> TraitElement<Trait> { TraitElement(value) }
    package func update(_ element: TraitElement<Trait>, _ fiber: _Fiber) {
        guard element.value != value else { return }
        element.value = value
        element.setNeedsLayout()
    }
}

extension View {
    /// Provides a value to the layout that contains this view.
    public func layoutValue<K: LayoutValueKey>(key: K.Type, value: K.Value) -> some View {
        elementModifier(LayoutValueModifier<K>(value: value))
    }
}
