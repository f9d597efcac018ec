import Foundation

/// A view that arranges views in a row. Mirrors SwiftUI's view.
///
/// ```swift
/// HStack(spacing: 12) {
///     Image(systemName: "film")
///     Text(title)
///     Spacer()
///     Text(TimeText.clock(duration))
/// }
/// ```
public struct HStack<Content: View>: _PrimitiveView {
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    package let content: Content
    /// Creates a horizontal stack.
    /// - Parameters:
    ///   - alignment: The vertical alignment of the views.
    ///   - spacing: The distance between neighbors, in points. Nil is 8, or 6 between a symbol and a text.
    ///   - content: The views.
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

/// A view that arranges views in a column. Mirrors SwiftUI's view.
///
/// ```swift
/// VStack(alignment: .leading, spacing: 4) {
///     Text(title).font(.headline)
///     Text(artist).foregroundColor(.secondary)
/// }
/// ```
public struct VStack<Content: View>: _PrimitiveView {
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    package let content: Content
    /// Creates a vertical stack.
    /// - Parameters:
    ///   - alignment: The horizontal alignment of the views.
    ///   - spacing: The distance between neighbors, in points. Nil is 8, or 4 between two texts.
    ///   - content: The views.
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

/// A view that shows views on top of each other, with the first one at the back. Mirrors SwiftUI's view.
///
/// ```swift
/// ZStack(alignment: .bottomLeading) {
///     ExtVideoPlayer(fileName: "film.mp4")
///     Text("Trailer").padding()
/// }
/// ```
public struct ZStack<Content: View>: _PrimitiveView {
    let alignment: Alignment
    package let content: Content
    /// Creates a stack of views on top of each other.
    /// - Parameters:
    ///   - alignment: The alignment of the views.
    ///   - content: The views.
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

/// A flexible space that grows along its stack, or in both directions outside of a stack. Mirrors SwiftUI's view.
///
/// ```swift
/// HStack {
///     Text("Queue")
///     Spacer()
///     Button("Clear") { clear() }
/// }
/// ```
public struct Spacer: _PrimitiveView {
    let minLength: CGFloat?
    /// Creates a flexible space.
    /// - Parameter minLength: The minimum length in points. Nil is 8, and a negative value counts as 0.
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
    /// The axis of the stack that contains the spacer.
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
    /// Returns a layout priority of -∞, so that texts beside a spacer get all the space they need first.
    override func trait<T>(_ type: T.Type) -> T? { LayoutPriority(value: -.infinity) as? T }
}

/// The element of `HStack` and `VStack`.
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

    /// Returns the arrangement of the children for a proposal, from the cache if possible.
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
    package override func forgetArrangement(of child: Element?) { arrangements.removeAll(keepingCapacity: true) }
    package override func releaseSizes() {
        super.releaseSizes()
        arrangements = []
    }
    override var usesBaselines: Bool {
        alignment == VerticalAlignment.firstTextBaseline.key || alignment == VerticalAlignment.lastTextBaseline.key
    }

    package override func measure(_ proposal: ProposedViewSize) -> CGSize { arrange(proposal).size }

    package override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        for (child, (rect, offered)) in zip(children, arrange(proposal).places) { child.place(rect, offered) }
    }

    package override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        key.position(in: children, arrange(ProposedViewSize(size)).places.map(\.0))
    }
}

/// The element of `ZStack`.
@_spi(Graph) open class LayersElement: Element {
    var alignment = Alignment.center

    /// Returns the frames of the children when their guides coincide, and the size of the whole stack.
    static func arrange(_ children: [Element], _ alignment: Alignment, _ proposal: ProposedViewSize) -> (
        places: [CGRect], size: CGSize
    ) {
        let h = alignment.horizontal.key
        let v = alignment.vertical.key
        let rects = children.map { child -> CGRect in
            let size = child.sizeThatFits(proposal)
            let d = ViewDimensions(width: size.width, height: size.height, element: child)
            // An infinite side has no center, so its start is aligned.
            let x = size.width == .infinity ? 0 : child.explicitGuide(h, size) ?? h.defaultValue(d)
            let y = size.height == .infinity ? 0 : child.explicitGuide(v, size) ?? v.defaultValue(d)
            return CGRect(origin: CGPoint(x: -x, y: -y), size: size)
        }
        guard let first = rects.first else { return ([], .zero) }
        // `CGRect.union` would return NaN for the far side of an infinite rectangle.
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
        key.position(in: children, arrange(ProposedViewSize(size)).places)
    }
}
