import Foundation

/// `frame(width:height:alignment:)`: fixed where given, else as the content.
struct FixedFrame: ElementModifier, Equatable {
    var width: CGFloat?
    var height: CGFloat?
    var alignment: Alignment
    func makeElement() -> FrameElement { FrameElement() }
    func update(_ element: FrameElement, _ fiber: _Fiber) {
        element.set(.fixed(FixedFrame(width: width.side, height: height.side, alignment: alignment)))
    }
}

/// `frame(minWidth:…)`: a range for each side.
struct FlexibleFrame: ElementModifier, Equatable {
    var minWidth: CGFloat?
    var idealWidth: CGFloat?
    var maxWidth: CGFloat?
    var minHeight: CGFloat?
    var idealHeight: CGFloat?
    var maxHeight: CGFloat?
    var alignment: Alignment
    func makeElement() -> FrameElement { FrameElement() }
    func update(_ element: FrameElement, _ fiber: _Fiber) {
        element.set(
            .flexible(
                FlexibleFrame(
                    minWidth: minWidth.side, idealWidth: idealWidth.side, maxWidth: maxWidth.most,
                    minHeight: minHeight.side, idealHeight: idealHeight.side, maxHeight: maxHeight.most,
                    alignment: alignment)))
    }
}

package final class FrameElement: WrapperElement {
    package override var company: Company { .other }
    enum Kind: Equatable {
        case fixed(FixedFrame)
        case flexible(FlexibleFrame)
    }
    private var kind = Kind.fixed(FixedFrame(width: nil, height: nil, alignment: .center))

    func set(_ kind: Kind) {
        guard kind != self.kind else { return }
        self.kind = kind
        setNeedsLayout()
    }

    override var hasFixedSize: Bool {
        if case .fixed(let f) = kind { return f.width != nil && f.height != nil }
        return false
    }

    /// Which sides an app says to like best.
    package var ideals: (width: Bool, height: Bool) {
        guard case .flexible(let f) = kind else { return (false, false) }
        return (f.idealWidth != nil, f.idealHeight != nil)
    }

    private var alignment: Alignment {
        switch kind {
        case .fixed(let f): f.alignment
        case .flexible(let f): f.alignment
        }
    }

    private func inner(_ proposal: ProposedViewSize) -> ProposedViewSize {
        switch kind {
        case .fixed(let f): ProposedViewSize(width: f.width ?? proposal.width, height: f.height ?? proposal.height)
        case .flexible(let f):
            ProposedViewSize(
                width: FrameElement.inner(proposal.width, f.minWidth, f.idealWidth, f.maxWidth),
                height: FrameElement.inner(proposal.height, f.minHeight, f.idealHeight, f.maxHeight))
        }
    }

    private static func inner(_ proposed: CGFloat?, _ low: CGFloat?, _ ideal: CGFloat?, _ high: CGFloat?) -> CGFloat? {
        guard let value = proposed ?? ideal else { return nil }
        return min(max(value, low ?? 0), max(high ?? .infinity, low ?? 0))
    }

    /// A side without a bound takes the content's there.
    private static func outer(
        _ proposed: CGFloat?, _ low: CGFloat?, _ ideal: CGFloat?, _ high: CGFloat?, _ content: CGFloat
    ) -> CGFloat {
        let bottom = low ?? min(content, high ?? .infinity)
        let top = max(high ?? max(content, bottom), bottom)
        return min(max(proposed ?? ideal ?? content, bottom), top)
    }

    package override func measure(_ proposal: ProposedViewSize) -> CGSize {
        switch kind {
        case .fixed(let f):
            if let width = f.width, let height = f.height {
                return CGSize(width: max(0, width), height: max(0, height))
            }
            let size = content?.sizeThatFits(inner(proposal)) ?? .zero
            return CGSize(width: max(0, f.width ?? size.width), height: max(0, f.height ?? size.height))
        case .flexible(let f):
            let size = content?.sizeThatFits(inner(proposal)) ?? .zero
            let width =
                f.minWidth == nil && f.maxWidth == nil && f.idealWidth == nil
                ? size.width
                : FrameElement.outer(proposal.width, f.minWidth, f.idealWidth, f.maxWidth, size.width)
            let height =
                f.minHeight == nil && f.maxHeight == nil && f.idealHeight == nil
                ? size.height
                : FrameElement.outer(proposal.height, f.minHeight, f.idealHeight, f.maxHeight, size.height)
            return CGSize(width: width, height: height)
        }
    }

    private func offered(_ size: CGSize) -> ProposedViewSize {
        var inner = inner(proposal)
        if case .flexible(let f) = kind {
            // What the frame took is what the content is offered.
            if f.maxWidth != nil || f.minWidth != nil || f.idealWidth != nil { inner.width = size.width }
            if f.maxHeight != nil || f.minHeight != nil || f.idealHeight != nil { inner.height = size.height }
        }
        return inner
    }

    package override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        guard let content else { return }
        let offered = offered(size)
        let inner = content.sizeThatFits(offered)
        content.place(CGRect(origin: alignment.origin(of: content, inner, in: size), size: inner), offered)
    }

    override func contentFrame(_ size: CGSize) -> CGRect {
        guard let content else { return CGRect(origin: .zero, size: size) }
        let inner = content.sizeThatFits(offered(size))
        return CGRect(origin: alignment.origin(of: content, inner, in: size), size: inner)
    }
}

/// `padding`: room around the content.
struct Padding: ElementModifier, Equatable {
    var insets: EdgeInsets
    func makeElement() -> PaddingElement { PaddingElement() }
    func update(_ element: PaddingElement, _ fiber: _Fiber) {
        let proper = EdgeInsets(
            top: insets.top.bounded, leading: insets.leading.bounded, bottom: insets.bottom.bounded,
            trailing: insets.trailing.bounded)
        guard element.insets != proper else { return }
        element.insets = proper
        element.setNeedsLayout()
    }
}

final class PaddingElement: WrapperElement {
    override var company: Company { .other }
    var insets = EdgeInsets()
    private func inner(_ p: ProposedViewSize) -> ProposedViewSize {
        ProposedViewSize(
            width: p.width.map { max(0, $0 - insets.horizontal) }, height: p.height.map { max(0, $0 - insets.vertical) }
        )
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let size = content?.sizeThatFits(inner(proposal)) ?? .zero
        return CGSize(width: max(0, size.width + insets.horizontal), height: max(0, size.height + insets.vertical))
    }
    override func contentFrame(_ size: CGSize) -> CGRect {
        CGRect(
            x: insets.leading, y: insets.top, width: max(0, size.width - insets.horizontal),
            height: max(0, size.height - insets.vertical))
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        content?.place(contentFrame(size), inner(proposal))
    }
}

/// `position`: takes all that is offered and puts the content's middle at a point of it.
struct Position: ElementModifier {
    var point: CGPoint
    func makeElement() -> PositionElement { PositionElement() }
    func update(_ element: PositionElement, _ fiber: _Fiber) {
        let proper = CGPoint(x: point.x.bounded, y: point.y.bounded)
        guard element.point != proper else { return }
        element.point = proper
        element.setNeedsLayout()
    }
}

final class PositionElement: WrapperElement {
    override var company: Company { .other }
    var point = CGPoint.zero
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let size = content?.sizeThatFits(proposal) ?? .zero
        return CGSize(width: proposal.width ?? size.width, height: proposal.height ?? size.height)
    }
    override func contentFrame(_ size: CGSize) -> CGRect {
        let inner = content?.sizeThatFits(proposal) ?? .zero
        return CGRect(
            x: point.x - inner.width / 2, y: point.y - inner.height / 2, width: inner.width, height: inner.height)
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        content?.place(contentFrame(size), proposal)
    }
}

/// `fixedSize`: asks the content what it likes best.
struct FixedSize: ElementModifier {
    var horizontal, vertical: Bool
    func makeElement() -> FixedSizeElement { FixedSizeElement() }
    func update(_ element: FixedSizeElement, _ fiber: _Fiber) {
        guard (element.horizontal, element.vertical) != (horizontal, vertical) else { return }
        (element.horizontal, element.vertical) = (horizontal, vertical)
        element.setNeedsLayout()
    }
}

final class FixedSizeElement: WrapperElement {
    var horizontal = true, vertical = true
    private func inner(_ p: ProposedViewSize) -> ProposedViewSize {
        ProposedViewSize(width: horizontal ? nil : p.width, height: vertical ? nil : p.height)
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize { content?.sizeThatFits(inner(proposal)) ?? .zero }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        content?.place(CGRect(origin: .zero, size: size), inner(proposal))
    }
}

/// How a content of one shape fills room of another.
public enum ContentMode: Hashable, CaseIterable, Sendable {
    /// All of the content is seen and room may be left; or all of the room is filled and the content may go beyond it.
    case fit, fill
}

/// `aspectRatio`: offers the content room of a shape.
struct AspectRatio: ElementModifier {
    var ratio: CGFloat?
    var mode: ContentMode
    func makeElement() -> AspectRatioElement { AspectRatioElement() }
    func update(_ element: AspectRatioElement, _ fiber: _Fiber) {
        guard element.ratio != ratio || element.mode != mode else { return }
        (element.ratio, element.mode) = (ratio, mode)
        element.setNeedsLayout()
    }
}

final class AspectRatioElement: WrapperElement {
    override var company: Company { .other }
    var ratio: CGFloat?, mode = ContentMode.fit
    private func inner(_ p: ProposedViewSize) -> ProposedViewSize {
        var shape = ratio ?? 0
        if shape <= 0 || !shape.isFinite {
            let ideal = content?.sizeThatFits(.unspecified) ?? .zero
            shape = ideal.height > 0 ? ideal.width / ideal.height : 1
        }
        let width = p.width.flatMap { $0.isFinite ? $0 : nil }
        let height = p.height.flatMap { $0.isFinite ? $0 : nil }
        switch (width, height) {
        case (let w?, let h?):
            let byWidth = (w / shape <= h) == (mode == .fit)
            return byWidth
                ? ProposedViewSize(width: w, height: w / shape) : ProposedViewSize(width: h * shape, height: h)
        case (let w?, nil): return ProposedViewSize(width: w, height: w / shape)
        case (nil, let h?): return ProposedViewSize(width: h * shape, height: h)
        case (nil, nil):
            let ideal = content?.sizeThatFits(.unspecified) ?? .zero
            return ProposedViewSize(width: ideal.height * shape, height: ideal.height)
        }
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize { content?.sizeThatFits(inner(proposal)) ?? .zero }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        content?.place(CGRect(origin: .zero, size: size), inner(proposal))
    }
}

/// `alignmentGuide`: where an alignment lies in the content.
struct AlignmentGuide: ElementModifier {
    let key: AlignmentKey
    let compute: (ViewDimensions) -> CGFloat
    func makeElement() -> AlignmentGuideElement { AlignmentGuideElement() }
    func update(_ element: AlignmentGuideElement, _ fiber: _Fiber) {
        element.rule = self
        element.setNeedsLayout()
    }
}

final class AlignmentGuideElement: WrapperElement {
    var rule: AlignmentGuide?
    override func definesGuide(_ key: AlignmentKey) -> Bool { rule?.key == key || super.definesGuide(key) }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guard let rule, rule.key == key else { return super.guide(key, size) }
        return rule.compute(ViewDimensions(width: size.width, height: size.height, element: content)).bounded
    }
}

extension View {
    /// A frame of fixed sides; nil leaves a side to the content. - Parameters: points; negative is 0, what is not
    /// finite is nil.
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
        elementModifier(FixedFrame(width: width, height: height, alignment: alignment))
    }
    /// A frame whose sides lie in ranges. - Parameters: points; `.infinity` takes all that is offered.
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View {
        elementModifier(
            FlexibleFrame(
                minWidth: minWidth, idealWidth: idealWidth, maxWidth: maxWidth,
                minHeight: minHeight, idealHeight: idealHeight, maxHeight: maxHeight, alignment: alignment))
    }
    /// - Parameter length: points; nil is 16.
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        elementModifier(Padding(insets: EdgeInsets(edges, length ?? 16)))
    }
    /// Room of `length` points at all edges; negative lets the view go beyond its frame.
    public func padding(_ length: CGFloat) -> some View { elementModifier(Padding(insets: EdgeInsets(.all, length))) }
    /// Room at each edge, points; negative lets the view go beyond its frame.
    public func padding(_ insets: EdgeInsets) -> some View { elementModifier(Padding(insets: insets)) }
    /// Takes all the room that is offered and puts this view's middle at a point of it.
    public func position(_ position: CGPoint) -> some View { elementModifier(Position(point: position)) }
    /// Takes all the room that is offered and puts this view's middle `x` and `y` points from its top left.
    public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View {
        elementModifier(Position(point: CGPoint(x: x, y: y)))
    }
    /// The size this view likes best, whatever is offered.
    public func fixedSize() -> some View { elementModifier(FixedSize(horizontal: true, vertical: true)) }
    /// The width, the height or both that this view likes best, whatever is offered there.
    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View {
        elementModifier(FixedSize(horizontal: horizontal, vertical: vertical))
    }
    /// - Parameter aspectRatio: width over height; nil is this view's own.
    public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        elementModifier(AspectRatio(ratio: aspectRatio, mode: contentMode))
    }
    /// Offers this view room of a shape.
    /// - Parameter aspectRatio: a size of that shape; one without a height is this view's own shape.
    public func aspectRatio(_ aspectRatio: CGSize, contentMode: ContentMode) -> some View {
        elementModifier(
            AspectRatio(ratio: aspectRatio.height > 0 ? aspectRatio.width / aspectRatio.height : nil, mode: contentMode)
        )
    }
    /// As large as fits into what is offered, in this view's own shape.
    public func scaledToFit() -> some View { aspectRatio(contentMode: .fit) }
    /// As large as it takes to fill what is offered, in this view's own shape.
    public func scaledToFill() -> some View { aspectRatio(contentMode: .fill) }
    /// Says where an alignment lies in this view, points from its leading edge.
    public func alignmentGuide(_ g: HorizontalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat)
        -> some View
    {
        elementModifier(AlignmentGuide(key: g.key, compute: computeValue))
    }
    /// Says where an alignment lies in this view, points from its top.
    public func alignmentGuide(_ g: VerticalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat) -> some View
    {
        elementModifier(AlignmentGuide(key: g.key, compute: computeValue))
    }
}
