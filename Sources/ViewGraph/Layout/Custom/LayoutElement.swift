import Foundation

/// A view that arranges its content with a layout that an app defines.
package struct LayoutView<L: Layout, Content: View>: _PrimitiveView {
    let layout: L
    let content: Content

    package init(layout: L, content: Content) {
        self.layout = layout
        self.content = content
    }
    package static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, LayoutElement(view.layout), content: { $0.content }) { element, view, fiber in
            element.set(view.layout, fiber.graph)
        }
    }
}

/// An element in which spacers grow along one axis.
@MainActor
package protocol StackLike: Element {
    /// The axis of spacers. If nil, spacers grow in both directions.
    var stackAxis: Axis? { get }
}

final class LayoutElement<L: Layout>: Element, StackLike, SelfSpaced {
    private var layout: L
    private var data: Animated<L.AnimatableData>
    private var wasMoving = false
    private var cache: L.Cache?
    private var isCacheOld = true

    init(_ layout: L) {
        self.layout = layout
        data = Animated(layout.animatableData)
    }

    func set(_ layout: L, _ graph: ViewGraph) {
        let isSame = LayoutElement.areSame(self.layout, layout)
        let axis = stackAxis
        self.layout = layout
        guard !isSame else { return }
        if stackAxis != axis { axisDidChange() }
        let animation = graph.transaction.effective
        data.set(layout.animatableData, animation, now: graph.now())
        if animation != nil { host?.animate() }
        setNeedsLayout()
    }

    /// Invalidates the children after the axis has changed, because the cached sizes of spacers depend on it.
    private func axisDidChange() {
        for child in children {
            var inner = child
            while let content = (inner as? WrapperElement)?.content { inner = content }
            inner.setNeedsLayout()
        }
    }

    override var usesBaselines: Bool {
        box.map { $0.usesBaselines(children) } ?? TypedLayoutBox.usesBaselines(layout, children)
    }
    private var box: LayoutBox? { (layout as? AnyLayout)?.box }

    private static func areSame(_ a: L, _ b: L) -> Bool {
        if let a = a as? AnyLayout, let b = b as? AnyLayout { return a.box.isSame(as: b.box) }
        return ViewComparison.areSame(a, b)
    }

    /// The layout at the current time of its animation.
    private var current: L {
        guard let host, data.isRunning(host.now) else { return layout }
        var copy = layout
        copy.animatableData = data.value(host.now)
        return copy
    }

    override func isAnimatingItself(_ now: Double) -> Bool {
        let isMoving = data.isRunning(now)
        // The layout runs again after the animation, at its final state.
        if isMoving || wasMoving { setNeedsLayout() }
        wasMoving = isMoving
        return isMoving
    }

    var stackAxis: Axis? { (layout as? AnyLayout).map(\.box.stackAxis) ?? L.layoutProperties.stackOrientation }
    var ownSpacing: ViewSpacing { withCache { $0.spacing(subviews: $1, cache: &$2) } }

    override func forgetArrangement(of child: Element?) { isCacheOld = true }

    private func withCache<T>(_ pass: LayoutPass? = nil, _ body: (L, LayoutSubviews, inout L.Cache) -> T) -> T {
        let subviews = LayoutSubviews(elements: children, pass: pass)
        let layout = current
        var own: L.Cache
        if var known = cache {
            if isCacheOld { layout.updateCache(&known, subviews: subviews) }
            own = known
        } else {
            own = layout.makeCache(subviews: subviews)
        }
        isCacheOld = false
        // The cache is taken out of the property during the call, so that changes do not copy it.
        cache = nil
        defer { cache = own }
        return body(layout, subviews, &own)
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        withCache { $0.sizeThatFits(proposal: proposal, subviews: $1, cache: &$2) }
    }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let pass = LayoutPass()
        let bounds = CGRect(origin: .zero, size: size)
        withCache(pass) { $0.placeSubviews(in: bounds, proposal: proposal, subviews: $1, cache: &$2) }
        pass.finish(children, bounds, proposal)
    }

    // A layout may set the position of any alignment.
    override func definesGuide(_ key: AlignmentKey) -> Bool { true }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        let bounds = CGRect(origin: .zero, size: size)
        let proposal = ProposedViewSize(size)
        return withCache {
            key.isVertical
                ? $0.explicitAlignment(
                    of: VerticalAlignment(key: key), in: bounds, proposal: proposal, subviews: $1, cache: &$2)
                : $0.explicitAlignment(
                    of: HorizontalAlignment(key: key), in: bounds, proposal: proposal, subviews: $1, cache: &$2)
        }
    }
}

extension HorizontalAlignment {
    init(key: AlignmentKey) { self.key = key }
}
extension VerticalAlignment {
    init(key: AlignmentKey) { self.key = key }
}
