import Foundation
@_spi(Graph) import ViewGraph

/// A label and its control, side by side if both fit at their minimum widths, or else with the label above.
struct LabeledRow<Content: View>: _PrimitiveView {
    let content: Content
    init(@ViewBuilder content: () -> Content) { self.content = content() }
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, LabeledRowElement(), content: { $0.content }) { _, _, _ in }
    }
}

/// An element whose first child is a label and whose second child is a control. The label's text wraps before the two
/// are placed below each other.
final class LabeledRowElement: Element {
    /// The space between the label and a control beside it or below it, in points.
    private static let beside: CGFloat = 8, below: CGFloat = 4

    private struct Arrangement {
        var label: CGRect, control: CGRect
        var labelOffer, controlOffer: ProposedViewSize
        var size: CGSize
    }

    private func arrange(_ proposal: ProposedViewSize) -> Arrangement? {
        guard children.count == 2 else { return nil }
        let label = children[0]
        let control = children[1]
        let least: (Element) -> CGFloat = { $0.sizeThatFits(ProposedViewSize(width: 0, height: proposal.height)).width }
        let (labelLeast, controlLeast) = (least(label), least(control))
        if let width = proposal.width, width < labelLeast + LabeledRowElement.beside + controlLeast {
            return stacked(label, control, proposal)
        }
        var labelOffer = ProposedViewSize(width: nil, height: proposal.height)
        var controlOffer = labelOffer
        if let width = proposal.width {
            // The label gets the width that the control does not need. If the control can use more width, the label
            // gets half of the space at most.
            let space = width - LabeledRowElement.beside
            let most = control.sizeThatFits(ProposedViewSize(width: .infinity, height: proposal.height)).width
            labelOffer.width = max(
                labelLeast, most > controlLeast ? min(space / 2, space - controlLeast) : space - controlLeast)
            controlOffer.width = space - label.sizeThatFits(labelOffer).width
        }
        let labelSize = label.sizeThatFits(labelOffer)
        let controlSize = control.sizeThatFits(controlOffer)
        let height = max(labelSize.height, controlSize.height)
        return Arrangement(
            label: CGRect(origin: CGPoint(x: 0, y: (height - labelSize.height) / 2), size: labelSize),
            control: CGRect(
                origin: CGPoint(x: labelSize.width + LabeledRowElement.beside, y: (height - controlSize.height) / 2),
                size: controlSize),
            labelOffer: labelOffer, controlOffer: controlOffer,
            size: CGSize(width: labelSize.width + LabeledRowElement.beside + controlSize.width, height: height))
    }

    private func stacked(_ label: Element, _ control: Element, _ proposal: ProposedViewSize) -> Arrangement {
        var labelOffer = ProposedViewSize(width: proposal.width, height: nil)
        var controlOffer = labelOffer
        let controlSize = control.sizeThatFits(controlOffer)
        if let height = proposal.height {
            labelOffer.height = max(0, height - controlSize.height - LabeledRowElement.below)
            controlOffer.height = controlSize.height
        }
        let labelSize = label.sizeThatFits(labelOffer)
        return Arrangement(
            label: CGRect(origin: .zero, size: labelSize),
            control: CGRect(origin: CGPoint(x: 0, y: labelSize.height + LabeledRowElement.below), size: controlSize),
            labelOffer: labelOffer, controlOffer: controlOffer,
            size: CGSize(
                width: max(labelSize.width, controlSize.width),
                height: labelSize.height + LabeledRowElement.below + controlSize.height))
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize { arrange(proposal)?.size ?? super.measure(proposal) }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        guard let arrangement = arrange(proposal) else { return super.layoutChildren(size, proposal) }
        children[0].place(arrangement.label, arrangement.labelOffer)
        children[1].place(arrangement.control, arrangement.controlOffer)
    }

    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guard let arrangement = arrange(ProposedViewSize(size)) else { return nil }
        for (child, rect) in zip(children, [arrangement.label, arrangement.control]) {
            if let value = child.explicitGuide(key, rect.size) {
                return value + (key.isVertical ? rect.minY : rect.minX)
            }
        }
        return nil
    }
}
