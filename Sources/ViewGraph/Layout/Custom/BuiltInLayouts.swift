import Foundation

/// The package's own arrangements as layouts.
package protocol ElementLayout: Layout, Sendable where Cache == Void {
    @MainActor func arrange(_ elements: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    )
    /// It aligns them by their texts' baselines.
    @MainActor func usesBaselines(_ elements: [Element]) -> Bool
}

extension ElementLayout {
    private func arranged(_ subviews: Subviews, _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        MainActor.assumeIsolated { arrange(subviews.elements, proposal) }
    }
    /// The size of all when `proposal` is offered, points. Main thread.
    public func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) -> CGSize {
        arranged(subviews, proposal).size
    }
    /// Places the views as the stack or the grid of the same name does. Main thread.
    public func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) {
        for (subview, (rect, offered)) in zip(subviews, arranged(subviews, proposal).places) {
            subview.place(at: CGPoint(x: bounds.minX + rect.minX, y: bounds.minY + rect.minY), proposal: offered)
        }
    }
    private func explicit(_ key: AlignmentKey, _ bounds: CGRect, _ proposal: ProposedViewSize, _ subviews: Subviews)
        -> CGFloat?
    {
        let all = Array(zip(subviews.elements, arranged(subviews, proposal).places.map(\.0)))
        let order = key == VerticalAlignment.lastTextBaseline.key ? all.reversed() : all
        return MainActor.assumeIsolated {
            for (element, rect) in order {
                if let value = element.explicitGuide(key, rect.size) {
                    return value + (key.isVertical ? bounds.minY + rect.minY : bounds.minX + rect.minX)
                }
            }
            return nil
        }
    }
    /// Where an alignment lies: where the first view that says something of it says. Main thread.
    public func explicitAlignment(
        of guide: HorizontalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Void
    ) -> CGFloat? {
        explicit(guide.key, bounds, proposal, subviews)
    }
    /// Where an alignment lies: where the first view that says something of it says; of the last baseline, the last
    /// view. Main thread.
    public func explicitAlignment(
        of guide: VerticalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Void
    ) -> CGFloat? {
        explicit(guide.key, bounds, proposal, subviews)
    }
}

/// `HStack` as a layout, for `AnyLayout`.
public struct HStackLayout: ElementLayout {
    /// Nothing of it is animated: its views move to their new places.
    public typealias AnimatableData = EmptyAnimatableData
    /// Where the views meet, up and down.
    public var alignment: VerticalAlignment
    /// Points; nil is 8.
    public var spacing: CGFloat?
    /// Makes the layout.
    /// - Parameter spacing: points between neighbours; nil is 8.
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil) {
        self.alignment = alignment
        self.spacing = spacing
    }
    /// Spacers in it grow across.
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

/// `VStack` as a layout, for `AnyLayout`.
public struct VStackLayout: ElementLayout {
    /// Nothing of it is animated: its views move to their new places.
    public typealias AnimatableData = EmptyAnimatableData
    /// Where the views meet, across.
    public var alignment: HorizontalAlignment
    /// Points; nil is 8.
    public var spacing: CGFloat?
    /// Makes the layout.
    /// - Parameter spacing: points between neighbours; nil is 8.
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil) {
        self.alignment = alignment
        self.spacing = spacing
    }
    /// Spacers in it grow up and down.
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

/// `ZStack` as a layout, for `AnyLayout`.
public struct ZStackLayout: ElementLayout {
    /// Nothing of it is animated: its views move to their new places.
    public typealias AnimatableData = EmptyAnimatableData
    /// Where the views meet.
    public var alignment: Alignment
    /// Makes the layout.
    /// - Parameter alignment: where the views meet.
    public init(alignment: Alignment = .center) { self.alignment = alignment }
    package func arrange(_ elements: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        let found = LayersElement.arrange(elements, alignment, proposal)
        return (found.places.map { ($0, proposal) }, found.size)
    }
    package func usesBaselines(_ elements: [Element]) -> Bool { alignment.vertical.isBaseline }
}

/// `Grid` as a layout, for `AnyLayout`.
public struct GridLayout: ElementLayout {
    /// Nothing of it is animated: its views move to their new places.
    public typealias AnimatableData = EmptyAnimatableData
    /// Where each view lies in its cell.
    public var alignment: Alignment
    /// Points; nil is 8.
    public var horizontalSpacing: CGFloat?
    /// Points between rows; nil is 8.
    public var verticalSpacing: CGFloat?
    /// Makes the layout.
    /// - Parameters: spacings in points; nil is 8.
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
