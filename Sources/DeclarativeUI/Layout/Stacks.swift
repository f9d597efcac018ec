import Foundation

/// Views side by side. SwiftUI's view.
public struct HStack<Content: View>: _PrimitiveView {
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: Content
    /// - Parameter spacing: points between neighbours; nil is 8.
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
    /// - Parameter spacing: points between neighbours; nil is 8.
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
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
}

/// The layout of `HStack` and `VStack`.
///
/// The room is shared as SwiftUI does: those of the highest priority first, the others' least kept back; among
/// equals the least flexible first, each offered an equal share of what is left. Nobody's share is less than its least
/// while there is room for the least of all.
final class StackElement: Element {
    let axis: Axis
    private var alignment: AlignmentKey
    private var spacing: CGFloat = 8

    init(axis: Axis) {
        self.axis = axis
        alignment = axis == .horizontal ? VerticalAlignment.center.key : HorizontalAlignment.center.key
    }

    func set(alignment: AlignmentKey, spacing: CGFloat?) {
        let spacing = (spacing ?? 8).bounded
        guard alignment != self.alignment || spacing != self.spacing else { return }
        self.alignment = alignment
        self.spacing = spacing
        setNeedsLayout()
    }

    private func length(_ size: CGSize) -> CGFloat { axis == .horizontal ? size.width : size.height }
    private func proposal(_ along: CGFloat?, _ across: CGFloat?) -> ProposedViewSize {
        axis == .horizontal ? ProposedViewSize(width: along, height: across) : ProposedViewSize(width: across, height: along)
    }

    private func sizes(_ proposal: ProposedViewSize) -> [(CGSize, ProposedViewSize)] {
        let across = axis == .horizontal ? proposal.height : proposal.width
        guard let whole = axis == .horizontal ? proposal.width : proposal.height else {
            let each = self.proposal(nil, across)
            return children.map { ($0.sizeThatFits(each), each) }
        }
        var result = [(CGSize, ProposedViewSize)](repeating: (.zero, .zero), count: children.count)
        var left = whole - spacing * CGFloat(max(0, children.count - 1))
        let least = children.map { length($0.sizeThatFits(self.proposal(0, across))) }
        let flexibility = children.indices.map { length(children[$0].sizeThatFits(self.proposal(.infinity, across))) - least[$0] }
        let groups = Dictionary(grouping: children.indices) { children[$0].trait(LayoutPriority.self)?.value ?? 0 }
        var waiting = least.reduce(0, +)
        for priority in groups.keys.sorted(by: >) {
            guard let group = groups[priority] else { continue }
            for index in group { waiting -= least[index] }
            left -= waiting
            var count = group.count, others = group.reduce(0) { $0 + least[$1] }
            let isEnough = others <= left
            for index in group.sorted(by: { flexibility[$0] == flexibility[$1] ? $0 < $1 : flexibility[$0] < flexibility[$1] }) {
                others -= least[index]
                let share = max(0, left / CGFloat(count))
                let offered = self.proposal(isEnough ? max(least[index], min(share, left - others)) : share, across)
                let size = children[index].sizeThatFits(offered)
                result[index] = (size, offered)
                left -= length(size)
                count -= 1
            }
            left += waiting
        }
        return result
    }

    /// Where the children lie, and the size of all; `origin` is where the alignment line lies across.
    private func arrange(_ proposal: ProposedViewSize) -> Arrangement {
        if let known = arrangements.first(where: { $0.proposal == proposal }) { return known }
        let fresh = makeArrangement(proposal)
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
    override func forgetArrangement() { arrangements.removeAll(keepingCapacity: true) }
    override var usesBaselines: Bool { alignment == VerticalAlignment.firstTextBaseline.key || alignment == VerticalAlignment.lastTextBaseline.key }

    private func makeArrangement(_ proposal: ProposedViewSize) -> Arrangement {
        let sizes = sizes(proposal)
        var along: CGFloat = 0, before: CGFloat = 0, after: CGFloat = 0
        var guides: [CGFloat] = []
        for (child, (size, _)) in zip(children, sizes) {
            let dimensions = ViewDimensions(width: size.width, height: size.height, element: child)
            let guide = child.explicitGuide(alignment, size) ?? alignment.defaultValue(dimensions)
            guides.append(guide)
            let extent = axis == .horizontal ? size.height : size.width
            before = max(before, guide)
            after = max(after, extent - guide)
        }
        var places: [(CGRect, ProposedViewSize)] = []
        for (index, (size, offered)) in sizes.enumerated() {
            let across = before - guides[index]
            let origin = axis == .horizontal ? CGPoint(x: along, y: across) : CGPoint(x: across, y: along)
            places.append((CGRect(origin: origin, size: size), offered))
            along += length(size) + (index < sizes.count - 1 ? spacing : 0)
        }
        let across = sizes.isEmpty ? 0 : max(0, before + after)
        return Arrangement(proposal: proposal, places: places, size: axis == .horizontal ? CGSize(width: along, height: across) : CGSize(width: across, height: along))
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize { arrange(proposal).size }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        for (child, (rect, offered)) in zip(children, arrange(proposal).places) { child.place(rect, offered) }
    }

    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        // Baselines: of the first child that has one of its own, or of the last.
        let last = key == VerticalAlignment.lastTextBaseline.key
        let places = arrange(ProposedViewSize(size)).places
        let all = Array(zip(children, places))
        for (child, (rect, _)) in last ? all.reversed() : all {
            if let value = child.explicitGuide(key, rect.size) { return value + (key.isVertical ? rect.minY : rect.minX) }
        }
        return nil
    }
}

/// The layout of `ZStack`.
class LayersElement: Element {
    var alignment = Alignment.center

    private func arrange(_ proposal: ProposedViewSize) -> (places: [CGRect], size: CGSize) {
        let h = alignment.horizontal.key, v = alignment.vertical.key
        var box = CGRect.null
        let rects = children.map { child -> CGRect in
            let size = child.sizeThatFits(proposal)
            let d = ViewDimensions(width: size.width, height: size.height, element: child)
            let rect = CGRect(origin: CGPoint(x: -(child.explicitGuide(h, size) ?? h.defaultValue(d)), y: -(child.explicitGuide(v, size) ?? v.defaultValue(d))), size: size)
            box = box.isNull ? rect : box.union(rect)
            return rect
        }
        guard !box.isNull else { return ([], .zero) }
        return (rects.map { $0.offsetBy(dx: -box.minX, dy: -box.minY) }, box.size)
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize { arrange(proposal).size }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        for (child, rect) in zip(children, arrange(proposal).places) { child.place(rect, proposal) }
    }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        for (child, rect) in zip(children, arrange(ProposedViewSize(size)).places) {
            if let value = child.explicitGuide(key, rect.size) { return value + (key.isVertical ? rect.minY : rect.minX) }
        }
        return nil
    }
}
