import Foundation

/// A vertical stack that creates its rows only when they come near the visible area of a `ScrollView`. Mirrors
/// SwiftUI's view.
///
/// ```swift
/// ScrollView {
///     LazyVStack(spacing: 16) {
///         ForEach(names, id: \.self) { name in
///             ExtVideoPlayer(fileName: name).frame(height: 240)
///         }
///     }
/// }
/// ```
public struct LazyVStack<Content: View>: _PrimitiveView {
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: Content
    /// Creates a vertical stack whose rows are created on demand.
    /// - Parameters:
    ///   - alignment: The horizontal alignment of the rows.
    ///   - spacing: The distance between rows, in points. Nil is 8.
    ///   - content: The rows.
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

/// A horizontal stack that creates its views only when they come near the visible area of a `ScrollView`. Mirrors
/// SwiftUI's view.
public struct LazyHStack<Content: View>: _PrimitiveView {
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: Content
    /// Creates a horizontal stack whose views are created on demand.
    /// - Parameters:
    ///   - alignment: The vertical alignment of the views.
    ///   - spacing: The distance between views, in points. Nil is 8.
    ///   - content: The views.
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

/// The element of a lazy stack.
package final class LazyStackElement: LazyLinesElement {
    private var alignment: AlignmentKey
    private var spacing: CGFloat = 8

    override init(axis: Axis) {
        alignment = axis == .horizontal ? VerticalAlignment.center.key : HorizontalAlignment.center.key
        super.init(axis: axis)
    }

    func set(alignment: AlignmentKey, spacing: CGFloat) {
        let spacing = spacing.bounded
        guard alignment != self.alignment || spacing != self.spacing else { return }
        self.alignment = alignment
        self.spacing = spacing
        setNeedsLayout()
    }

    private func proposal(_ across: CGFloat?) -> ProposedViewSize {
        axis == .vertical ? ProposedViewSize(width: across, height: nil) : ProposedViewSize(width: nil, height: across)
    }

    package override var lineSpacing: CGFloat { spacing }

    package override func length(ofChild index: Int, _ breadth: CGFloat?) -> CGFloat {
        along(children[index].sizeThatFits(proposal(breadth)))
    }

    /// The stack takes the offered breadth. Without one, it takes that of the broadest of its first created rows.
    package override func breadth(_ offered: CGFloat?) -> CGFloat {
        if let offered, offered.isFinite { return offered }
        return createdChildren(nil, limit: 50).reduce(0) { max($0, across(children[$1].sizeThatFits(proposal(nil)))) }
    }

    package override func place(_ index: Int, start: CGFloat, length: CGFloat, in size: CGSize) {
        let child = children[index]
        let offered = proposal(across(size))
        let inner = child.sizeThatFits(offered)
        let dimensions = ViewDimensions(width: inner.width, height: inner.height, element: child)
        let line =
            alignment.defaultValue(ViewDimensions(width: size.width, height: size.height, element: nil))
            - (child.explicitGuide(alignment, inner) ?? alignment.defaultValue(dimensions))
        let origin = axis == .vertical ? CGPoint(x: line, y: start) : CGPoint(x: start, y: line)
        child.place(CGRect(origin: origin, size: inner), offered)
    }
}

/// A container that knows the positions of its children before they are created.
@MainActor
package protocol LazyContainer: Element {
    /// Returns the frame of a child in the container's space. Nil if `child` is not one of its children. May be nil
    /// before the first layout. The cost does not depend on the number of children, apart from the first call after a
    /// layout.
    func estimatedFrame(of child: Element) -> CGRect?
    /// The axis along which the rows follow each other.
    var axis: Axis { get }
    /// The rows whose visibility is watched, apart from those of collections.
    var watches: RowWatches { get }
}

/// A marker for views that consist of several rows of a lazy container.
package protocol SeveralRows {}

extension Element {
    /// The lazily created row that this element is or wraps. Nil if there is none.
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

/// The element of a view that is created when it comes near the visible area.
package final class LazyElement: WrapperElement {
    var onCreate: (() -> Void)?
    /// The id of the view in its collection, known before the view is created.
    package var id: AnyHashable?
    package private(set) var isCreated = false
    /// Whether the view is too far from the visible area to be drawn.
    package var isOffscreen = true
    package override var isHidden: Bool { isOffscreen }
    /// Whether a part of the view is in the visible area, without a margin. The container sets this property.
    package var isVisible = false { didSet { scope?.isOn = isVisible } }
    /// The scope of the views inside this element. Nil before they are created.
    fileprivate var scope: AppearanceScope?
    package func create() {
        guard !isCreated else { return }
        isCreated = true
        onCreate?()
    }
}

/// The fiber of an element of a collection in a lazy container.
final class LazyFiber<Content: View>: _ViewFiber<LazyContent<Content>> {
    private let element = LazyElement()
    private var content: _ViewFiber<Content>?

    override init(_ view: LazyContent<Content>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        element.id = view.id
        element.onCreate = { [weak self] in self?.create() }
    }
    private func create() {
        guard content == nil, !isRemoved else { return }
        let scope = AppearanceScope(in: appearanceScope, isOn: element.isVisible)
        element.scope = scope
        content = Content._makeFiber(view.content, inputs(environment.inRow, in: scope))
        structureChanged()
    }
    override var children: [_Fiber] { content.map { [$0] } ?? [] }
    override var elements: [Element] { [element] }
    override func update(_ view: LazyContent<Content>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        content?.update(view.content, environment.inRow)
    }
    private lazy var several = StackElement(axis: .vertical)
    override func structureChanged() {
        let elements = content?.elements ?? []
        // Several views of one element of the collection are stacked vertically.
        guard elements.count > 1 else { return element.setChildren(elements) }
        several.setChildren(elements)
        element.setChildren([several])
    }
    override func removed() { element.onCreate = nil }
}

package struct LazyContent<Content: View>: _PrimitiveView {
    let content: Content
    /// The id of the view in its collection.
    var id: AnyHashable?

    package init(content: Content, id: AnyHashable? = nil) {
        self.content = content
        self.id = id
    }
    package static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { LazyFiber(view, inputs) }
}
