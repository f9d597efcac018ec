import Foundation

/// The `frame(width:height:alignment:)` modifier. A side without a value takes the content's size.
struct FixedFrame: ElementModifier, Equatable {
    var width: CGFloat?
    var height: CGFloat?
    var alignment: Alignment
    func makeElement() -> FrameElement { FrameElement() }
    func update(_ element: FrameElement, _ fiber: _Fiber) {
        element.set(.fixed(FixedFrame(width: width.side, height: height.side, alignment: alignment)))
    }
}

/// The `frame(minWidth:…)` modifier, with a range for each side.
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
    package override var stackItemKind: StackItemKind { .other }
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

    /// Whether the app has set an ideal width, and whether it has set an ideal height.
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

    /// Returns the length of a side of a flexible frame. A missing bound is replaced by the content's length.
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
            // The content is offered the size that the frame has taken.
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

/// The `padding` modifier, which adds space around the content.
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
    override var stackItemKind: StackItemKind { .other }
    var insets = EdgeInsets()
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let size = content?.sizeThatFits(proposal.inset(by: insets)) ?? .zero
        return CGSize(width: max(0, size.width + insets.horizontal), height: max(0, size.height + insets.vertical))
    }
    override func contentFrame(_ size: CGSize) -> CGRect {
        CGRect(
            x: insets.leading, y: insets.top, width: max(0, size.width - insets.horizontal),
            height: max(0, size.height - insets.vertical))
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        content?.place(contentFrame(size), proposal.inset(by: insets))
    }
}

/// The `position` modifier, which takes all the offered space and centers the content at a point of it.
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
    override var stackItemKind: StackItemKind { .other }
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

/// The `fixedSize` modifier, which gives the content its ideal size.
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

/// The way in which content fills a space of another aspect ratio. Mirrors SwiftUI's type.
public enum ContentMode: Hashable, CaseIterable, Sendable {
    /// `fit` shows all of the content and may leave space empty. `fill` fills the space, and the content may extend
    /// beyond it.
    case fit, fill
}

/// The `aspectRatio` modifier, which offers the content a space with an aspect ratio.
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
    override var stackItemKind: StackItemKind { .other }
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

/// The `alignmentGuide` modifier, which sets the position of an alignment in the content.
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
    /// Puts this view in a frame with a fixed width, height or both.
    ///
    /// ```swift
    /// ExtVideoPlayer(fileName: "film.mp4")
    ///     .frame(width: 640, height: 360)
    /// ```
    /// - Parameters:
    ///   - width: The width in points. Negative counts as 0. Nil or a non-finite value takes the view's width.
    ///   - height: The height in points. Negative counts as 0. Nil or a non-finite value takes the view's height.
    ///   - alignment: The alignment of the view in the frame.
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
        elementModifier(FixedFrame(width: width, height: height, alignment: alignment))
    }
    /// Puts this view in a frame whose width and height are within ranges.
    ///
    /// ```swift
    /// Text(title)
    ///     .frame(maxWidth: .infinity, alignment: .leading)
    /// ```
    /// A negative value counts as 0, and NaN as nil. Infinity counts as nil, except for a maximum. A maximum below the
    /// minimum counts as the minimum. If all three values of a side are nil, the frame takes the view's length.
    /// - Parameters:
    ///   - minWidth: The minimum width in points.
    ///   - idealWidth: The width in points if none is proposed.
    ///   - maxWidth: The maximum width in points. `.infinity` takes all the offered width.
    ///   - minHeight: The minimum height in points.
    ///   - idealHeight: The height in points if none is proposed.
    ///   - maxHeight: The maximum height in points. `.infinity` takes all the offered height.
    ///   - alignment: The alignment of the view in the frame.
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
    /// Adds space at some edges of this view.
    ///
    /// ```swift
    /// Text(title)
    ///     .padding(.horizontal, 12)
    /// ```
    /// - Parameters:
    ///   - edges: The edges.
    ///   - length: The space in points. Nil is 16.
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        elementModifier(Padding(insets: EdgeInsets(edges, length ?? 16)))
    }
    /// Adds space at all edges of this view.
    /// - Parameter length: The space in points. With a negative value, the view extends beyond its frame.
    public func padding(_ length: CGFloat) -> some View { elementModifier(Padding(insets: EdgeInsets(.all, length))) }
    /// Adds space at each edge of this view.
    /// - Parameter insets: The space in points. With a negative value, the view extends beyond its frame.
    public func padding(_ insets: EdgeInsets) -> some View { elementModifier(Padding(insets: insets)) }
    /// Takes all the offered space and places the center of this view at a point of it.
    /// - Parameter position: The point, in points from the leading and the top edge.
    public func position(_ position: CGPoint) -> some View { elementModifier(Position(point: position)) }
    /// Takes all the offered space and places the center of this view at a point of it.
    /// - Parameters:
    ///   - x: The distance from the leading edge, in points.
    ///   - y: The distance from the top edge, in points.
    public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View {
        elementModifier(Position(point: CGPoint(x: x, y: y)))
    }
    /// Gives this view its ideal size, regardless of the offered space.
    public func fixedSize() -> some View { elementModifier(FixedSize(horizontal: true, vertical: true)) }
    /// Gives this view its ideal width, height or both, regardless of the offered space.
    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View {
        elementModifier(FixedSize(horizontal: horizontal, vertical: vertical))
    }
    /// Offers this view a space with an aspect ratio.
    ///
    /// ```swift
    /// ExtVideoPlayer(fileName: "film.mp4")
    ///     .aspectRatio(16 / 9, contentMode: .fit)
    /// ```
    /// - Parameters:
    ///   - aspectRatio: The width divided by the height. If it is nil, not finite or not above 0, the ratio of this
    ///     view's ideal size applies.
    ///   - contentMode: Whether the view fits into the offered space or fills it.
    public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        elementModifier(AspectRatio(ratio: aspectRatio, mode: contentMode))
    }
    /// Offers this view a space with the aspect ratio of a size.
    /// - Parameters:
    ///   - aspectRatio: A size with that aspect ratio. If a side is not above 0, the ratio of this view's ideal size
    ///     applies.
    ///   - contentMode: Whether the view fits into the offered space or fills it.
    public func aspectRatio(_ aspectRatio: CGSize, contentMode: ContentMode) -> some View {
        elementModifier(
            AspectRatio(ratio: aspectRatio.height > 0 ? aspectRatio.width / aspectRatio.height : nil, mode: contentMode)
        )
    }
    /// Scales this view to fit into the offered space, with its own aspect ratio.
    public func scaledToFit() -> some View { aspectRatio(contentMode: .fit) }
    /// Scales this view to fill the offered space, with its own aspect ratio.
    public func scaledToFill() -> some View { aspectRatio(contentMode: .fill) }
    /// Sets the position of a horizontal alignment in this view.
    ///
    /// The second line is indented:
    /// ```swift
    /// VStack(alignment: .leading) {
    ///     Text("Episode 1")
    ///     Text("The beginning").alignmentGuide(.leading) { $0[.leading] - 20 }
    /// }
    /// ```
    /// - Parameters:
    ///   - g: The alignment.
    ///   - computeValue: Returns the position, in points from the leading edge.
    public func alignmentGuide(_ g: HorizontalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat)
        -> some View
    {
        elementModifier(AlignmentGuide(key: g.key, compute: computeValue))
    }
    /// Sets the position of a vertical alignment in this view.
    /// - Parameters:
    ///   - g: The alignment.
    ///   - computeValue: Returns the position, in points from the top edge.
    public func alignmentGuide(_ g: VerticalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat) -> some View
    {
        elementModifier(AlignmentGuide(key: g.key, compute: computeValue))
    }
}
