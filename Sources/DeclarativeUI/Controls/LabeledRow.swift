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

    private struct Places {
        var label: CGRect, control: CGRect
        var labelOffer, controlOffer: ProposedViewSize
        var size: CGSize
    }

    private func arrange(_ proposal: ProposedViewSize) -> Places? {
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
        let a = label.sizeThatFits(labelOffer)
        let b = control.sizeThatFits(controlOffer)
        let height = max(a.height, b.height)
        return Places(
            label: CGRect(origin: CGPoint(x: 0, y: (height - a.height) / 2), size: a),
            control: CGRect(
                origin: CGPoint(x: a.width + LabeledRowElement.beside, y: (height - b.height) / 2), size: b),
            labelOffer: labelOffer, controlOffer: controlOffer,
            size: CGSize(width: a.width + LabeledRowElement.beside + b.width, height: height))
    }

    private func stacked(_ label: Element, _ control: Element, _ proposal: ProposedViewSize) -> Places {
        var labelOffer = ProposedViewSize(width: proposal.width, height: nil)
        var controlOffer = labelOffer
        let b = control.sizeThatFits(controlOffer)
        if let height = proposal.height {
            labelOffer.height = max(0, height - b.height - LabeledRowElement.below)
            controlOffer.height = b.height
        }
        let a = label.sizeThatFits(labelOffer)
        return Places(
            label: CGRect(origin: .zero, size: a),
            control: CGRect(origin: CGPoint(x: 0, y: a.height + LabeledRowElement.below), size: b),
            labelOffer: labelOffer, controlOffer: controlOffer,
            size: CGSize(width: max(a.width, b.width), height: a.height + LabeledRowElement.below + b.height))
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize { arrange(proposal)?.size ?? super.measure(proposal) }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        guard let places = arrange(proposal) else { return super.layoutChildren(size, proposal) }
        children[0].place(places.label, places.labelOffer)
        children[1].place(places.control, places.controlOffer)
    }

    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guard let places = arrange(ProposedViewSize(size)) else { return nil }
        for (child, rect) in zip(children, [places.label, places.control]) {
            if let value = child.explicitGuide(key, rect.size) {
                return value + (key.isVertical ? rect.minY : rect.minX)
            }
        }
        return nil
    }
}
