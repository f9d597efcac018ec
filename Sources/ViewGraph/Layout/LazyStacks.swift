import Foundation

/// As `VStack`, but what is out of sight is not made. In a `ScrollView`. SwiftUI's view.
public struct LazyVStack<Content: View>: _PrimitiveView {
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: Content
    /// Makes a column of rows that are made when they come near what is seen.
    /// - Parameter spacing: points between rows; nil is 8.
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(
            view, inputs, LazyStackElement(axis: .vertical), content: { $0.content },
            environment: { environment, _ in with(environment) { $0.isLazy = true } }
        ) { element, view, _ in
            element.set(alignment: view.alignment.key, spacing: view.spacing ?? 8)
        }
    }
}

/// As `HStack`, but what is out of sight is not made. In a `ScrollView`. SwiftUI's view.
public struct LazyHStack<Content: View>: _PrimitiveView {
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: Content
    /// Makes a row of views that are made when they come near what is seen.
    /// - Parameter spacing: points between them; nil is 8.
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(
            view, inputs, LazyStackElement(axis: .horizontal), content: { $0.content },
            environment: { environment, _ in with(environment) { $0.isLazy = true } }
        ) { element, view, _ in
            element.set(alignment: view.alignment.key, spacing: view.spacing ?? 8)
        }
    }
}

/// Rows one after the other, of which only those near what is seen are made and laid out.
///
/// What a row that was never made would take is guessed from those that were: the mean of their lengths. So the
/// scrolled length settles as one goes, as in SwiftUI.
package final class LazyStackElement: Element, LazyContainer {
    package let axis: Axis
    private var alignment: AlignmentKey
    private var spacing: CGFloat = 8
    private var lengths: [ObjectIdentifier: CGFloat] = [:]
    private var measuredAcross: CGFloat?
    /// The length along the axis of all that was laid out last.
    private var known: (sum: CGFloat, count: Int) = (0, 0)
    static let margin: CGFloat = 200

    init(axis: Axis) {
        self.axis = axis
        alignment = axis == .horizontal ? VerticalAlignment.center.key : HorizontalAlignment.center.key
    }

    func set(alignment: AlignmentKey, spacing: CGFloat) {
        let spacing = spacing.bounded
        guard alignment != self.alignment || spacing != self.spacing else { return }
        self.alignment = alignment
        self.spacing = spacing
        setNeedsLayout()
    }

    package override func forgetArrangement() { lengths.removeAll(keepingCapacity: true) }

    private var estimate: CGFloat { known.count > 0 ? known.sum / CGFloat(known.count) : 44 }

    private func proposal(_ across: CGFloat?) -> ProposedViewSize {
        axis == .vertical ? ProposedViewSize(width: across, height: nil) : ProposedViewSize(width: nil, height: across)
    }
    private func along(_ size: CGSize) -> CGFloat { axis == .vertical ? size.height : size.width }
    private func across(_ size: CGSize) -> CGFloat { axis == .vertical ? size.width : size.height }

    private func length(_ child: Element, _ across: CGFloat?) -> CGFloat {
        // What it takes at another width than that laid out with is no news about the one laid out with.
        let isOwn = across == measuredAcross
        if isOwn, let known = lengths[ObjectIdentifier(child)] { return known }
        if child.lazyRow?.isMade == false { return estimate }
        let length = along(child.sizeThatFits(proposal(across)))
        guard isOwn || known.count == 0 else { return length }
        if isOwn { lengths[ObjectIdentifier(child)] = length }
        known.sum += length
        known.count += 1
        return length
    }

    package override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let given = axis == .vertical ? proposal.width : proposal.height
        if known.count == 0, let first = children.first {
            first.lazyRow?.make()
            _ = length(first, given)
        }
        let total = children.reduce(0) { $0 + length($1, given) } + spacing * CGFloat(max(0, children.count - 1))
        // As wide as it is offered, else as what was made.
        let width =
            given.flatMap { $0.isFinite ? $0 : nil }
            ?? children.filter { $0.lazyRow?.isMade != false }.prefix(50)
            .reduce(0) { max($0, across($1.sizeThatFits(self.proposal(nil)))) }
        return axis == .vertical ? CGSize(width: width, height: total) : CGSize(width: total, height: width)
    }

    package override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let breadth = across(size)
        if measuredAcross != breadth {
            measuredAcross = breadth
            lengths.removeAll(keepingCapacity: true)
            known = (0, 0)
        }
        let seen = seenRange(axis, size)
        let offered = self.proposal(breadth)
        var at: CGFloat = 0
        var grew = false
        for child in children {
            var length = length(child, breadth)
            let isNear = at + length >= seen.lowerBound && at <= seen.upperBound
            let lazy = child.lazyRow
            if let lazy {
                if isNear, !lazy.isMade {
                    lazy.make()
                    let real = self.length(child, breadth)
                    if real != length { grew = true }
                    length = real
                }
                lazy.isOut = !isNear
            }
            if isNear || lazy == nil {
                let inner = child.sizeThatFits(offered)
                let dimensions = ViewDimensions(width: inner.width, height: inner.height, element: child)
                let line =
                    alignment.defaultValue(ViewDimensions(width: size.width, height: size.height, element: nil))
                    - (child.explicitGuide(alignment, inner) ?? alignment.defaultValue(dimensions))
                let origin = axis == .vertical ? CGPoint(x: line, y: at) : CGPoint(x: at, y: line)
                child.place(CGRect(origin: origin, size: inner), offered)
            }
            at += length + spacing
        }
        if grew { setNeedsLayout() }
    }

    /// Where a child lies, or would: guessed as far as those before it were never made.
    package func place(of child: Element) -> CGRect? {
        var at: CGFloat = 0
        for one in children {
            let length = length(one, measuredAcross)
            if one === child {
                return axis == .vertical
                    ? CGRect(x: 0, y: at, width: frame.width, height: length)
                    : CGRect(x: at, y: 0, width: length, height: frame.height)
            }
            at += length + spacing
        }
        return nil
    }
}

extension Element {
    /// What is seen of it and some more, along an axis; all when it is not scrolled.
    func seenRange(_ axis: Axis, _ size: CGSize) -> ClosedRange<CGFloat> {
        guard let visible = host?.visibleRect else { return 0...max(0, axis == .vertical ? size.height : size.width) }
        let own = frameInHost
        let start = axis == .vertical ? visible.minY - own.minY : visible.minX - own.minX
        let length = axis == .vertical ? visible.height : visible.width
        return
            (start - LazyStackElement.margin)...max(
                start - LazyStackElement.margin, start + length + LazyStackElement.margin)
    }
}

/// Knows where its children would lie before they are made.
@MainActor
package protocol LazyContainer: Element {
    /// In its own space; nil when `child` is none of its children.
    func place(of child: Element) -> CGRect?
}

/// A view that is several rows of a lazy container. Marks the type.
package protocol SeveralRows {}

extension Element {
    /// The place of a view made lazily that this is, or that modifiers of it stand around.
    package final var lazyRow: LazyElement? {
        var element: Element? = self
        while let current = element {
            if let lazy = current as? LazyElement { return lazy }
            if let wrapper = current as? WrapperElement {
                element = wrapper.content
            } else {
                element = current is LayersElement && current.children.count == 1 ? current.children.first : nil
            }
        }
        return nil
    }
}

/// The place of a view that is made when it comes near what is seen.
package final class LazyElement: WrapperElement {
    var onMake: (() -> Void)?
    /// What a collection tells its view apart by; known before the view is made.
    package var id: AnyHashable?
    package private(set) var isMade = false
    /// Too far off to be drawn.
    package var isOut = true
    package override var isHidden: Bool { isOut }
    package func make() {
        guard !isMade else { return }
        isMade = true
        onMake?()
    }
}

/// A view of a collection in a lazy container.
final class LazyFiber<Content: View>: _ViewFiber<LazyContent<Content>> {
    private let element = LazyElement()
    private var content: _ViewFiber<Content>?

    override init(_ view: LazyContent<Content>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        element.id = view.id
        element.onMake = { [weak self] in self?.make() }
    }
    private func make() {
        guard content == nil, !isRemoved else { return }
        var below = environment
        below.isLazy = false
        content = Content._makeFiber(view.content, inputs(below))
        structureChanged()
    }
    override var children: [_Fiber] { content.map { [$0] } ?? [] }
    override var elements: [Element] { [element] }
    override func update(_ view: LazyContent<Content>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        guard let content else { return }
        var below = environment
        below.isLazy = false
        content.update(view.content, below)
    }
    private lazy var several = StackElement(axis: .vertical)
    override func structureChanged() {
        let elements = content?.elements ?? []
        // Several views of one element stand one below the other.
        guard elements.count > 1 else { return element.setChildren(elements) }
        several.setChildren(elements)
        element.setChildren([several])
    }
    override func removed() { element.onMake = nil }
}

package struct LazyContent<Content: View>: _PrimitiveView {
    let content: Content
    /// What a collection tells it apart by.
    var id: AnyHashable?

    package init(content: Content, id: AnyHashable? = nil) {
        self.content = content
        self.id = id
    }
    package static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { LazyFiber(view, inputs) }
}
