import Foundation

/// A layout that uses one of the package's own arrangements.
package protocol ElementLayout: Layout, Sendable where Cache == Void {
    @MainActor func arrange(_ elements: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    )
    /// Returns whether the layout aligns the elements by their text baselines.
    @MainActor func usesBaselines(_ elements: [Element]) -> Bool
}

extension ElementLayout {
    private func arranged(_ subviews: Subviews, _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        MainActor.assumeIsolated { arrange(subviews.elements, proposal) }
    }
    /// Returns the size of the layout for a proposal, in points. Call this method on the main thread.
    public func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) -> CGSize {
        arranged(subviews, proposal).size
    }
    /// Places the views as the stack or grid of the same name does. Call this method on the main thread.
    public func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) {
        for (subview, (rect, offered)) in zip(subviews, arranged(subviews, proposal).places) {
            subview.place(at: CGPoint(x: bounds.minX + rect.minX, y: bounds.minY + rect.minY), proposal: offered)
        }
    }
    private func explicit(_ key: AlignmentKey, _ bounds: CGRect, _ proposal: ProposedViewSize, _ subviews: Subviews)
        -> CGFloat?
    {
        let frames = arranged(subviews, proposal).places.map(\.0)
        let own = MainActor.assumeIsolated { key.position(in: subviews.elements, frames) }
        return own.map { $0 + (key.isVertical ? bounds.minY : bounds.minX) }
    }
    /// Returns the position of an alignment, which is that of the first view that sets it. Call this method on the main
    /// thread.
    public func explicitAlignment(
        of guide: HorizontalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Void
    ) -> CGFloat? {
        explicit(guide.key, bounds, proposal, subviews)
    }
    /// Returns the position of an alignment, which is that of the first view that sets it. For the last text baseline,
    /// it is that of the last view that sets it. Call this method on the main thread.
    public func explicitAlignment(
        of guide: VerticalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Void
    ) -> CGFloat? {
        explicit(guide.key, bounds, proposal, subviews)
    }
}

/// The layout of `HStack`, for use in `AnyLayout`. Mirrors SwiftUI's type.
public struct HStackLayout: ElementLayout {
    /// Empty, because no property of the layout is animated. Its views move to their new positions.
    public typealias AnimatableData = EmptyAnimatableData
    /// The vertical alignment of the views.
    public var alignment: VerticalAlignment
    /// The distance between neighbors, in points. Nil is 8, or 6 between a symbol and a text.
    public var spacing: CGFloat?
    /// Creates a horizontal layout.
    /// - Parameters:
    ///   - alignment: The vertical alignment of the views.
    ///   - spacing: The distance between neighbors, in points. Nil is 8, or 6 between a symbol and a text.
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil) {
        self.alignment = alignment
        self.spacing = spacing
    }
    /// Properties of a horizontal stack, in which spacers grow horizontally.
    public static var layoutProperties: LayoutProperties {
        with(LayoutProperties()) { $0.stackOrientation = .horizontal }
    }
    package func arrange(_ elements: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        StackArrangement(axis: .horizontal, alignment: alignment.key, spacing: spacing?.bounded).arrange(
            elements, proposal)
    }
    package func usesBaselines(_ elements: [Element]) -> Bool { alignment.isBaseline }
}

/// The layout of `VStack`, for use in `AnyLayout`. Mirrors SwiftUI's type.
public struct VStackLayout: ElementLayout {
    /// Empty, because no property of the layout is animated. Its views move to their new positions.
    public typealias AnimatableData = EmptyAnimatableData
    /// The horizontal alignment of the views.
    public var alignment: HorizontalAlignment
    /// The distance between neighbors, in points. Nil is 8, or 4 between two texts.
    public var spacing: CGFloat?
    /// Creates a vertical layout.
    /// - Parameters:
    ///   - alignment: The horizontal alignment of the views.
    ///   - spacing: The distance between neighbors, in points. Nil is 8, or 4 between two texts.
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil) {
        self.alignment = alignment
        self.spacing = spacing
    }
    /// Properties of a vertical stack, in which spacers grow vertically.
    public static var layoutProperties: LayoutProperties {
        with(LayoutProperties()) { $0.stackOrientation = .vertical }
    }
    package func arrange(_ elements: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        StackArrangement(axis: .vertical, alignment: alignment.key, spacing: spacing?.bounded).arrange(
            elements, proposal)
    }
    package func usesBaselines(_ elements: [Element]) -> Bool { false }
}

/// The layout of `ZStack`, for use in `AnyLayout`. Mirrors SwiftUI's type.
public struct ZStackLayout: ElementLayout {
    /// Empty, because no property of the layout is animated. Its views move to their new positions.
    public typealias AnimatableData = EmptyAnimatableData
    /// The alignment of the views.
    public var alignment: Alignment
    /// Creates a layout of views on top of each other.
    /// - Parameter alignment: The alignment of the views.
    public init(alignment: Alignment = .center) { self.alignment = alignment }
    package func arrange(_ elements: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        let found = LayersElement.arrange(elements, alignment, proposal)
        return (found.places.map { ($0, proposal) }, found.size)
    }
    package func usesBaselines(_ elements: [Element]) -> Bool { alignment.vertical.isBaseline }
}

/// The layout of `Grid`, for use in `AnyLayout`. Mirrors SwiftUI's type.
public struct GridLayout: ElementLayout {
    /// Empty, because no property of the layout is animated. Its views move to their new positions.
    public typealias AnimatableData = EmptyAnimatableData
    /// The alignment of each view in its cell.
    public var alignment: Alignment
    /// The distance between columns, in points. Nil is 8.
    public var horizontalSpacing: CGFloat?
    /// The distance between rows, in points. Nil is 8.
    public var verticalSpacing: CGFloat?
    /// Creates a grid layout.
    /// - Parameters:
    ///   - alignment: The alignment of each view in its cell.
    ///   - horizontalSpacing: The distance between columns, in points. Nil is 8.
    ///   - verticalSpacing: The distance between rows, in points. Nil is 8.
    public init(alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil) {
        self.alignment = alignment
        self.horizontalSpacing = horizontalSpacing
        self.verticalSpacing = verticalSpacing
    }
    package func arrange(_ elements: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        GridArrangement(elements, alignment, horizontalSpacing, verticalSpacing).arrange(proposal)
    }
    package func usesBaselines(_ elements: [Element]) -> Bool { GridArrangement.usesBaselines(elements, alignment) }
}
