import Foundation
@_spi(Graph) import ViewGraph

/// A modifier that derives a view's width, height or both from the size of its container.
///
/// The container is the scroll view around the view, or the window if there is no scroll view.
struct ContainerFrame: ElementModifier {
    let axes: Axis.Set
    let alignment: Alignment
    let length: (CGFloat, Axis) -> CGFloat
    func makeElement() -> ContainerFrameElement { ContainerFrameElement() }
    func update(_ element: ContainerFrameElement, _ fiber: _Fiber) {
        element.rule = self
        element.setNeedsLayout()
    }
}

final class ContainerFrameElement: WrapperElement {
    var rule: ContainerFrame?

    override func attached(to host: any ElementHost) { (host.enclosing as? ScrollElement)?.followers.add(self) }

    private func container(_ proposal: ProposedViewSize) -> CGSize {
        let known = (host?.enclosing as? ScrollElement)?.followers.size ?? (host as? ElementSurface)?.size ?? .zero
        return CGSize(
            width: known.width > 0 ? known.width : proposal.width ?? 0,
            height: known.height > 0 ? known.height : proposal.height ?? 0)
    }
    private func offered(_ proposal: ProposedViewSize) -> ProposedViewSize {
        guard let rule else { return proposal }
        let container = container(proposal)
        var inner = proposal
        if rule.axes.contains(.horizontal) { inner.width = max(0, rule.length(container.width, .horizontal)) }
        if rule.axes.contains(.vertical) { inner.height = max(0, rule.length(container.height, .vertical)) }
        return inner
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let inner = offered(proposal)
        let size = content?.sizeThatFits(inner) ?? .zero
        return CGSize(
            width: rule?.axes.contains(.horizontal) == true ? inner.width ?? size.width : size.width,
            height: rule?.axes.contains(.vertical) == true ? inner.height ?? size.height : size.height)
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        guard let content, let rule else { return }
        let inner = offered(proposal)
        let own = content.sizeThatFits(inner)
        content.place(CGRect(origin: rule.alignment.origin(of: content, own, in: size), size: own), inner)
    }
}

extension View {
    /// Makes this view as large as the scroll view around it, or as the window if there is none, along `axes`.
    public func containerRelativeFrame(_ axes: Axis.Set, alignment: Alignment = .center) -> some View {
        elementModifier(ContainerFrame(axes: axes, alignment: alignment) { length, _ in length })
    }
    /// Computes the size of this view from the size of the scroll view around it, or of the window if there is none.
    ///
    /// - Parameters:
    ///   - axes: The axes along which the size is set.
    ///   - alignment: The alignment of the content in the resulting frame.
    ///   - length: A closure that returns the view's length from the container's length and the axis. Both lengths are
    ///     in points. A negative result counts as 0.
    public func containerRelativeFrame(
        _ axes: Axis.Set, alignment: Alignment = .center, _ length: @escaping (CGFloat, Axis) -> CGFloat
    ) -> some View { elementModifier(ContainerFrame(axes: axes, alignment: alignment, length: length)) }
    /// Makes this view a fraction of the scroll view around it, or of the window if there is none.
    ///
    /// - Parameters:
    ///   - axes: The axes along which the size is set.
    ///   - count: The number of parts that the container is divided into, at least 1.
    ///   - span: The number of parts that this view takes, at least 1.
    ///   - spacing: The space between the parts, in points.
    ///   - alignment: The alignment of the content in the resulting frame.
    public func containerRelativeFrame(
        _ axes: Axis.Set, count: Int, span: Int = 1, spacing: CGFloat, alignment: Alignment = .center
    ) -> some View {
        let count = CGFloat(max(1, count))
        let span = CGFloat(max(1, span))
        return elementModifier(
            ContainerFrame(axes: axes, alignment: alignment) { length, _ in
                let part = (length - spacing * (count - 1)) / count
                return part * span + spacing * (span - 1)
            })
    }
}
