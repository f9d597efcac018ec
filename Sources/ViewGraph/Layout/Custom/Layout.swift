import Foundation

/// An arrangement of views of one's own. SwiftUI's protocol: a layout is used as `MyLayout { … }`.
///
/// Asked on the main thread, for each proposal once until something changes.
public protocol Layout: Animatable {
    /// What the layout works out of its views and keeps until they change.
    associatedtype Cache = Void
    /// The views that are laid out, in order.
    typealias Subviews = LayoutSubviews
    /// What is known of the layout whatever its views.
    static var layoutProperties: LayoutProperties { get }
    /// Works out what the layout keeps: called once, before it is asked for anything. Nothing where `Cache` is `Void`.
    func makeCache(subviews: Subviews) -> Cache
    /// Brings what the layout keeps up to date after its views have changed. Default: makes it anew.
    func updateCache(_ cache: inout Cache, subviews: Subviews)
    /// How far others are to stay away from the layout. Default: as far as any of its views wants.
    func spacing(subviews: Subviews, cache: inout Cache) -> ViewSpacing
    /// The size of all when `proposal` is offered, points.
    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) -> CGSize
    /// Places each view by `LayoutSubview.place`; one that is not placed stands in the middle.
    /// - Parameter bounds: the room of the layout; places count in the same space.
    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache)
    /// Where an alignment lies in `bounds`; nil: the layout says nothing of it. Default: where its views say, as they
    /// are placed.
    func explicitAlignment(
        of guide: HorizontalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Cache
    ) -> CGFloat?
    /// Where an alignment lies in `bounds`, up and down; nil: the layout says nothing of it. Default: where its views
    /// say, as they are placed.
    func explicitAlignment(
        of guide: VerticalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Cache
    ) -> CGFloat?
}

extension Layout {
    /// Spacers grow in both directions.
    public static var layoutProperties: LayoutProperties { LayoutProperties() }
    /// Makes what the layout keeps anew.
    public func updateCache(_ cache: inout Cache, subviews: Subviews) { cache = makeCache(subviews: subviews) }
    /// As far as any of its views wants, on each side.
    public func spacing(subviews: Subviews, cache: inout Cache) -> ViewSpacing {
        subviews.reduce(into: .zero) { $0.formUnion($1.spacing) }
    }
    /// Where the first view that says something of the alignment says, as the views are placed.
    public func explicitAlignment(
        of guide: HorizontalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Cache
    ) -> CGFloat? {
        merged(guide.key, bounds, proposal, subviews, &cache)
    }
    /// Where the first view that says something of the alignment says, as the views are placed; of baselines the first
    /// line of all, or the last.
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
    /// The views of `content`, laid out so.
    @MainActor @preconcurrency
    public func callAsFunction<V: View>(@ViewBuilder _ content: () -> V) -> some View {
        LayoutView(layout: self, content: content())
    }
}

extension Layout where Cache == Void {
    /// Nothing is kept.
    public func makeCache(subviews: Subviews) {}
}

/// What is known of a layout whatever its views. SwiftUI's type.
public struct LayoutProperties: Sendable {
    /// Along which axis spacers in it grow; nil: both.
    public var stackOrientation: Axis?
    /// Makes properties of a layout whose spacers grow in both directions.
    public init() {}
}

/// The way lines are read. SwiftUI's type.
public enum LayoutDirection: Hashable, CaseIterable, Sendable {
    /// The leading edge is at the left.
    case leftToRight
    /// The leading edge is at the right.
    case rightToLeft
}

/// How far a view wants others to stay away, points. SwiftUI's type.
public struct ViewSpacing: Sendable {
    private var top, leading, bottom, trailing: CGFloat
    /// What views want by default: 8 on each side.
    public init() { self.init(8) }
    private init(_ all: CGFloat) { (top, leading, bottom, trailing) = (all, all, all, all) }
    /// Others may stand right beside it.
    public static let zero = ViewSpacing(0)
    /// Takes the wider of both, on the sides of `edges`.
    public mutating func formUnion(_ other: ViewSpacing, edges: Edge.Set = .all) {
        if edges.contains(.top) { top = max(top, other.top) }
        if edges.contains(.leading) { leading = max(leading, other.leading) }
        if edges.contains(.bottom) { bottom = max(bottom, other.bottom) }
        if edges.contains(.trailing) { trailing = max(trailing, other.trailing) }
    }
    /// The wider of both, on the sides of `edges`; on the others this one's.
    public func union(_ other: ViewSpacing, edges: Edge.Set = .all) -> ViewSpacing {
        with(self) { $0.formUnion(other, edges: edges) }
    }
    /// Between this view and `next`, which comes after it along `axis`.
    public func distance(to next: ViewSpacing, along axis: Axis) -> CGFloat {
        axis == .horizontal ? max(trailing, next.leading) : max(bottom, next.top)
    }
}

/// What a view says of itself to a layout of one's own. SwiftUI's protocol.
public protocol LayoutValueKey {
    /// The type of what is said.
    associatedtype Value
    /// Of views that say nothing.
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

/// Says something of its content to the container, which lays out by it.
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
    /// Says `value` of this view to the layout it stands in.
    public func layoutValue<K: LayoutValueKey>(key: K.Type, value: K.Value) -> some View {
        elementModifier(LayoutValueModifier<K>(value: value))
    }
}
