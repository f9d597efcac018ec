import Foundation

/// The arrangement of elements in a stack.
///
/// Space is distributed as in SwiftUI. Elements of the highest priority come first; the minimum lengths of the others
/// are reserved. Within a priority, the least flexible element comes first, and each is offered an equal share of the
/// remaining space. An element gets at least its minimum if the space is enough for the minimums of its priority.
@MainActor
package struct StackArrangement {
    let axis: Axis
    let alignment: AlignmentKey
    /// The spacing in points. If nil, it depends on the kinds of neighbors (`gap`).
    let spacing: CGFloat?

    package init(axis: Axis, alignment: AlignmentKey, spacing: CGFloat?) {
        self.axis = axis
        self.alignment = alignment
        self.spacing = spacing
    }

    /// Returns the distance between two neighbors.
    ///
    /// By default, two texts below each other, such as a title and its subtitle, are closer than other neighbors. The
    /// same applies to a symbol and a text beside each other.
    private func gap(_ first: Element, _ second: Element) -> CGFloat {
        if let spacing { return spacing }
        switch (first.stackItemKind, second.stackItemKind, axis) {
        case (.text, .text, .vertical): return Space.tight
        case (.symbol, .text, .horizontal), (.text, .symbol, .horizontal): return Space.snug
        default: return Space.regular
        }
    }

    private func length(_ size: CGSize) -> CGFloat { axis == .horizontal ? size.width : size.height }
    private func proposal(_ along: CGFloat?, _ across: CGFloat?) -> ProposedViewSize {
        axis == .horizontal
            ? ProposedViewSize(width: along, height: across) : ProposedViewSize(width: across, height: along)
    }

    private func sizes(_ children: [Element], _ proposal: ProposedViewSize) -> [(CGSize, ProposedViewSize)] {
        let across = axis == .horizontal ? proposal.height : proposal.width
        guard let whole = axis == .horizontal ? proposal.width : proposal.height else {
            let each = self.proposal(nil, across)
            return children.map { ($0.sizeThatFits(each), each) }
        }
        var result = [(CGSize, ProposedViewSize)](repeating: (.zero, .zero), count: children.count)
        var remaining = whole - zip(children, children.dropFirst()).reduce(0) { $0 + gap($1.0, $1.1) }
        let minimums = children.map { length($0.sizeThatFits(self.proposal(0, across))) }
        let flexibility = children.indices.map {
            length(children[$0].sizeThatFits(self.proposal(.infinity, across))) - minimums[$0]
        }
        let groups = Dictionary(grouping: children.indices) { children[$0].trait(LayoutPriority.self)?.value ?? 0 }
        var reserved = minimums.reduce(0, +)
        for priority in groups.keys.sorted(by: >) {
            guard let group = groups[priority] else { continue }
            for index in group { reserved -= minimums[index] }
            remaining -= reserved
            var count = group.count
            var otherMinimums = group.reduce(0) { $0 + minimums[$1] }
            let isEnough = otherMinimums <= remaining
            for index in group.sorted(by: {
                flexibility[$0] == flexibility[$1] ? $0 < $1 : flexibility[$0] < flexibility[$1]
            }) {
                otherMinimums -= minimums[index]
                let share = max(0, remaining / CGFloat(count))
                let offered = self.proposal(
                    isEnough ? max(minimums[index], min(share, remaining - otherMinimums)) : share, across)
                let size = children[index].sizeThatFits(offered)
                result[index] = (size, offered)
                remaining -= length(size)
                count -= 1
            }
            remaining += reserved
        }
        return result
    }

    /// Returns the frame and the offered size of each child, and the size of the whole stack.
    package func arrange(_ children: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        let sizes = sizes(children, proposal)
        var along: CGFloat = 0
        var before: CGFloat = 0
        var after: CGFloat = 0
        var guides: [CGFloat] = []
        for (child, (size, _)) in zip(children, sizes) {
            let dimensions = ViewDimensions(width: size.width, height: size.height, element: child)
            let guide = child.explicitGuide(alignment, size) ?? alignment.defaultValue(dimensions)
            guides.append(guide)
            let extent = axis == .horizontal ? size.height : size.width
            before = max(before, guide)
            after = max(after, extent - guide)
        }
        var placements: [(CGRect, ProposedViewSize)] = []
        for (index, (size, offered)) in sizes.enumerated() {
            let across = before - guides[index]
            let origin = axis == .horizontal ? CGPoint(x: along, y: across) : CGPoint(x: across, y: along)
            placements.append((CGRect(origin: origin, size: size), offered))
            along += length(size) + (index < sizes.count - 1 ? gap(children[index], children[index + 1]) : 0)
        }
        let across = sizes.isEmpty ? 0 : max(0, before + after)
        return (
            placements,
            axis == .horizontal ? CGSize(width: along, height: across) : CGSize(width: across, height: along)
        )
    }
}

/// The kind of a view for the spacing in a stack.
@_spi(Graph) public enum StackItemKind { case text, symbol, other }
