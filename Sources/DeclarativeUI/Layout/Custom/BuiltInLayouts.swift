import Foundation
import GLibSupport

/// The package's own arrangements as layouts.
protocol ElementLayout: Layout where Cache == Void {
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
        return MainThread.run(self) { me in me.arrange(subviews.elements, proposal) }
    }
    public func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) -> CGSize {
        arranged(subviews, proposal).size
    }
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
    public func explicitAlignment(
        of guide: HorizontalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Void
    ) -> CGFloat? {
        explicit(guide.key, bounds, proposal, subviews)
    }
    public func explicitAlignment(
        of guide: VerticalAlignment, in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews,
        cache: inout Void
    ) -> CGFloat? {
        explicit(guide.key, bounds, proposal, subviews)
    }
}

/// `HStack` as a layout, for `AnyLayout`.
public struct HStackLayout: ElementLayout {
    public typealias AnimatableData = EmptyAnimatableData
    public var alignment: VerticalAlignment
    /// Points; nil is 8.
    public var spacing: CGFloat?
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil) {
        self.alignment = alignment
        self.spacing = spacing
    }
    public static var layoutProperties: LayoutProperties {
        with(LayoutProperties()) { $0.stackOrientation = .horizontal }
    }
    func arrange(_ elements: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        StackArrangement(axis: .horizontal, alignment: alignment.key, spacing: (spacing ?? 8).bounded).arrange(
            elements, proposal)
    }
    func usesBaselines(_ elements: [Element]) -> Bool { alignment.isBaseline }
}

/// `VStack` as a layout, for `AnyLayout`.
public struct VStackLayout: ElementLayout {
    public typealias AnimatableData = EmptyAnimatableData
    public var alignment: HorizontalAlignment
    /// Points; nil is 8.
    public var spacing: CGFloat?
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil) {
        self.alignment = alignment
        self.spacing = spacing
    }
    public static var layoutProperties: LayoutProperties {
        with(LayoutProperties()) { $0.stackOrientation = .vertical }
    }
    func arrange(_ elements: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        StackArrangement(axis: .vertical, alignment: alignment.key, spacing: (spacing ?? 8).bounded).arrange(
            elements, proposal)
    }
    func usesBaselines(_ elements: [Element]) -> Bool { false }
}

/// `ZStack` as a layout, for `AnyLayout`.
public struct ZStackLayout: ElementLayout {
    public typealias AnimatableData = EmptyAnimatableData
    public var alignment: Alignment
    public init(alignment: Alignment = .center) { self.alignment = alignment }
    func arrange(_ elements: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        let found = LayersElement.arrange(elements, alignment, proposal)
        return (found.places.map { ($0, proposal) }, found.size)
    }
    func usesBaselines(_ elements: [Element]) -> Bool { alignment.vertical.isBaseline }
}

/// `Grid` as a layout, for `AnyLayout`.
public struct GridLayout: ElementLayout {
    public typealias AnimatableData = EmptyAnimatableData
    public var alignment: Alignment
    /// Points; nil is 8.
    public var horizontalSpacing: CGFloat?
    public var verticalSpacing: CGFloat?
    public init(alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil) {
        self.alignment = alignment
        self.horizontalSpacing = horizontalSpacing
        self.verticalSpacing = verticalSpacing
    }
    func arrange(_ elements: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        GridArrangement(elements, alignment, horizontalSpacing, verticalSpacing).arrange(proposal)
    }
    func usesBaselines(_ elements: [Element]) -> Bool { GridArrangement.usesBaselines(elements, alignment) }
}
