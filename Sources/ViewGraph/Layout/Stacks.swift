import Foundation

/// Views side by side. SwiftUI's view.
public struct HStack<Content: View>: _PrimitiveView {
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: Content
    /// - Parameter spacing: points between neighbours; nil is 8, and 6 between a symbol and a text.
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, StackElement(axis: .horizontal), content: { $0.content }) { element, view, _ in
            element.set(alignment: view.alignment.key, spacing: view.spacing)
        }
    }
}

/// Views one below the other. SwiftUI's view.
public struct VStack<Content: View>: _PrimitiveView {
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: Content
    /// - Parameter spacing: points between neighbours; nil is 8, and 4 between two texts.
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, StackElement(axis: .vertical), content: { $0.content }) { element, view, _ in
            element.set(alignment: view.alignment.key, spacing: view.spacing)
        }
    }
}

/// Views one over the other, the first at the back. SwiftUI's view.
public struct ZStack<Content: View>: _PrimitiveView {
    let alignment: Alignment
    let content: Content
    /// Lays views one over the other.
    /// - Parameter alignment: where they meet.
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, LayersElement(), content: { $0.content }) { element, view, _ in
            if element.alignment != view.alignment {
                element.alignment = view.alignment
                element.setNeedsLayout()
            }
        }
    }
}

/// Room that grows along its stack, or both ways outside of one.
public struct Spacer: _PrimitiveView {
    let minLength: CGFloat?
    /// - Parameter minLength: points; nil is 8.
    nonisolated public init(minLength: CGFloat? = nil) { self.minLength = minLength }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, SpacerElement()) { element, view, _ in
            element.minLength = max(0, (view.minLength ?? 8).bounded)
            element.setNeedsLayout()
        }
    }
}

final class SpacerElement: Element {
    var minLength: CGFloat = 8
    /// The axis of the stack that it stands in.
    private var axis: Axis? {
        var element = parent
        while let wrapper = element as? WrapperElement { element = wrapper.parent }
        return (element as? StackElement)?.axis ?? (element as? LazyStackElement)?.axis
            ?? (element as? any StackLike)?.stackAxis
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let along: (CGFloat?) -> CGFloat = { [minLength] in max(minLength, $0 ?? minLength) }
        return switch axis {
        case .horizontal: CGSize(width: along(proposal.width), height: 0)
        case .vertical: CGSize(width: 0, height: along(proposal.height))
        case nil: CGSize(width: along(proposal.width), height: along(proposal.height))
        }
    }
    override func contains(_ point: CGPoint) -> Bool { false }
    /// Served last: words beside a spacer have all the room before it has any.
    override func trait<T>(_ type: T.Type) -> T? { LayoutPriority(value: -.infinity) as? T }
}

/// The layout of `HStack` and `VStack`.
package final class StackElement: Element {
    package let axis: Axis
    private var alignment: AlignmentKey
    private var spacing: CGFloat?

    package init(axis: Axis) {
        self.axis = axis
        alignment = axis == .horizontal ? VerticalAlignment.center.key : HorizontalAlignment.center.key
    }

    func set(alignment: AlignmentKey, spacing: CGFloat?) {
        let spacing = spacing?.bounded
        guard alignment != self.alignment || spacing != self.spacing else { return }
        self.alignment = alignment
        self.spacing = spacing
        setNeedsLayout()
    }

    /// Where the children lie, and the size of all; `origin` is where the alignment line lies across.
    private func arrange(_ proposal: ProposedViewSize) -> Arrangement {
        if let known = arrangements.first(where: { $0.proposal == proposal }) { return known }
        let found = StackArrangement(axis: axis, alignment: alignment, spacing: spacing).arrange(children, proposal)
        let fresh = Arrangement(proposal: proposal, places: found.places, size: found.size)
        if arrangements.count >= 4 { arrangements.removeFirst() }
        arrangements.append(fresh)
        return fresh
    }

    private struct Arrangement {
        var proposal: ProposedViewSize
        var places: [(CGRect, ProposedViewSize)]
        var size: CGSize
    }
    private var arrangements: [Arrangement] = []
    package override func forgetArrangement() { arrangements.removeAll(keepingCapacity: true) }
    override var usesBaselines: Bool {
        alignment == VerticalAlignment.firstTextBaseline.key || alignment == VerticalAlignment.lastTextBaseline.key
    }

    package override func measure(_ proposal: ProposedViewSize) -> CGSize { arrange(proposal).size }

    package override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        for (child, (rect, offered)) in zip(children, arrange(proposal).places) { child.place(rect, offered) }
    }

    package override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        // Baselines: of the first child that has one of its own, or of the last.
        let last = key == VerticalAlignment.lastTextBaseline.key
        let places = arrange(ProposedViewSize(size)).places
        let all = Array(zip(children, places))
        for (child, (rect, _)) in last ? all.reversed() : all {
            if let value = child.explicitGuide(key, rect.size) {
                return value + (key.isVertical ? rect.minY : rect.minX)
            }
        }
        return nil
    }
}

/// The layout of `ZStack`.
@_spi(Graph) open class LayersElement: Element {
    var alignment = Alignment.center

    /// Where they lie when their guides meet, and the size of all.
    static func arrange(_ children: [Element], _ alignment: Alignment, _ proposal: ProposedViewSize) -> (
        places: [CGRect], size: CGSize
    ) {
        let h = alignment.horizontal.key
        let v = alignment.vertical.key
        let rects = children.map { child -> CGRect in
            let size = child.sizeThatFits(proposal)
            let d = ViewDimensions(width: size.width, height: size.height, element: child)
            // What has no end has no middle either: it begins where the others do.
            let x = size.width == .infinity ? 0 : child.explicitGuide(h, size) ?? h.defaultValue(d)
            let y = size.height == .infinity ? 0 : child.explicitGuide(v, size) ?? v.defaultValue(d)
            return CGRect(origin: CGPoint(x: -x, y: -y), size: size)
        }
        guard let first = rects.first else { return ([], .zero) }
        // `union` would take an endless rectangle's far side for no number.
        var low = first.origin
        var high = CGPoint(x: low.x + first.width, y: low.y + first.height)
        for rect in rects.dropFirst() {
            low = CGPoint(x: min(low.x, rect.origin.x), y: min(low.y, rect.origin.y))
            high = CGPoint(x: max(high.x, rect.origin.x + rect.width), y: max(high.y, rect.origin.y + rect.height))
        }
        return (
            rects.map { CGRect(origin: CGPoint(x: $0.origin.x - low.x, y: $0.origin.y - low.y), size: $0.size) },
            CGSize(width: high.x - low.x, height: high.y - low.y)
        )
    }
    private func arrange(_ proposal: ProposedViewSize) -> (places: [CGRect], size: CGSize) {
        LayersElement.arrange(children, alignment, proposal)
    }

    open override func measure(_ proposal: ProposedViewSize) -> CGSize { arrange(proposal).size }
    open override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        for (child, rect) in zip(children, arrange(proposal).places) { child.place(rect, proposal) }
    }
    open override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        for (child, rect) in zip(children, arrange(ProposedViewSize(size)).places) {
            if let value = child.explicitGuide(key, rect.size) {
                return value + (key.isVertical ? rect.minY : rect.minX)
            }
        }
        return nil
    }
}
