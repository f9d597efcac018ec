import Foundation

/// The `overlay` and `background` modifiers, which add a second content and offer it the size of the first one.
package struct Layered<Content: View, Secondary: View>: _PrimitiveView {
    let content: Content
    let secondary: Secondary
    let alignment: Alignment
    let isBehind: Bool

    package init(content: Content, secondary: Secondary, alignment: Alignment, isBehind: Bool) {
        self.content = content
        self.secondary = secondary
        self.alignment = alignment
        self.isBehind = isBehind
    }
    package static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LayeredFiber(view, inputs)
    }
}

final class LayeredFiber<Content: View, Secondary: View>: _ViewFiber<Layered<Content, Secondary>> {
    private var content: _ViewFiber<Content>?
    private var secondary: _ViewFiber<Secondary>?
    private let element = LayeredElement()
    private let primary = LayersElement(), other = LayersElement()

    override init(_ view: Layered<Content, Secondary>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        content = Content._makeFiber(view.content, self.inputs())
        secondary = Secondary._makeFiber(view.secondary, self.inputs())
        configure()
        collect()
    }

    override var children: [_Fiber] { [content, secondary].compactMap { $0 } }
    override var elements: [Element] { content?.elements.isEmpty == true ? [] : [element] }

    override func update(_ view: Layered<Content, Secondary>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        configure()
        content?.update(view.content, environment)
        secondary?.update(view.secondary, environment)
    }

    private func configure() {
        guard element.alignment != view.alignment || element.isBehind != view.isBehind else { return }
        element.alignment = view.alignment
        element.isBehind = view.isBehind
        other.alignment = view.alignment
        element.setNeedsLayout()
    }

    private func collect() {
        let before = elements.isEmpty
        let first = content?.elements ?? []
        let second = secondary?.elements ?? []
        // A single element needs no layers element around it.
        let a: Element
        let b: Element?
        if first.count == 1 {
            primary.setChildren([])
            a = first[0]
        } else {
            primary.setChildren(first)
            a = primary
        }
        if second.isEmpty {
            other.setChildren([])
            b = nil
        } else {
            other.setChildren(second)
            b = other
        }
        element.primary = a
        element.secondary = b
        element.setChildren(b.map { element.isBehind ? [$0, a] : [a, $0] } ?? [a])
        if before != elements.isEmpty { super.structureChanged() }
    }

    override func structureChanged() { collect() }
}

final class LayeredElement: WrapperElement {
    override var stackItemKind: StackItemKind { .other }
    var alignment = Alignment.center, isBehind = false
    weak var primary: Element?
    weak var secondary: Element?
    override var content: Element? { primary }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        primary?.place(CGRect(origin: .zero, size: size), proposal)
        guard let secondary else { return }
        let offered = ProposedViewSize(size)
        let inner = secondary.sizeThatFits(offered)
        secondary.place(CGRect(origin: alignment.origin(of: secondary, inner, in: size), size: inner), offered)
    }
}

extension View {
    /// Shows `content` in front of this view and offers it this view's size.
    ///
    /// ```swift
    /// ExtVideoPlayer(fileName: "film.mp4")
    ///     .overlay(alignment: .topTrailing) {
    ///         Text("Live").padding(8)
    ///     }
    /// ```
    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        Layered(content: self, secondary: content(), alignment: alignment, isBehind: false)
    }
    /// Shows a view in front of this view and offers it this view's size.
    @_disfavoredOverload public func overlay<V: View>(_ overlay: V, alignment: Alignment = .center) -> some View {
        Layered(content: self, secondary: overlay, alignment: alignment, isBehind: false)
    }
    /// Shows `content` behind this view and offers it this view's size.
    ///
    /// A looping video behind a form:
    /// ```swift
    /// LoginForm()
    ///     .background { ExtVideoPlayer { VideoSettings { SourceName("waves.mp4"); Loop(); Mute() } } }
    /// ```
    public func background<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        Layered(content: self, secondary: content(), alignment: alignment, isBehind: true)
    }
    /// Shows a view behind this view and offers it this view's size.
    @_disfavoredOverload public func background<V: View>(_ background: V, alignment: Alignment = .center) -> some View {
        Layered(content: self, secondary: background, alignment: alignment, isBehind: true)
    }
}
