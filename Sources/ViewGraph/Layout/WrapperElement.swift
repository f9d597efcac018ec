import Foundation

/// An element around another element. By default it has the size, guides and traits of its content.
@_spi(Graph) @MainActor
open class WrapperElement: Element {
    /// The wrapped element.
    open var content: Element? { children.first }

    open override func measure(_ proposal: ProposedViewSize) -> CGSize { content?.sizeThatFits(proposal) ?? .zero }

    open override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        for child in children { child.place(CGRect(origin: .zero, size: size), proposal) }
    }

    open override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guard let content else { return nil }
        // The guide may be requested before placement. The content is then assumed to be at its frame for `size`.
        let inner = contentFrame(size)
        guard let value = content.explicitGuide(key, inner.size) else { return nil }
        return value + (key.isVertical ? inner.minY : inner.minX)
    }

    /// Returns the frame of the content in an element of the given size.
    func contentFrame(_ size: CGSize) -> CGRect { CGRect(origin: .zero, size: size) }

    open override func trait<T>(_ type: T.Type) -> T? { content?.trait(type) }
    open override var stackItemKind: StackItemKind {
        children.count == 1 ? children.first?.stackItemKind ?? .other : .other
    }
}

/// An element that provides a trait of its content to the container.
package final class TraitElement<Trait>: WrapperElement {
    var value: Trait
    init(_ value: Trait) { self.value = value }
    package override func trait<T>(_ type: T.Type) -> T? { value as? T ?? super.trait(type) }
    package override func hasSpace(_ name: AnyHashable) -> Bool { (value as? SpaceName)?.name == name }
}

package struct TraitModifier<Trait>: ElementModifier {
    package let value: Trait

    package init(value: Trait) {
        self.value = value
    }
    package func makeElement() -> TraitElement<Trait> { TraitElement(value) }
    package func update(_ element: TraitElement<Trait>, _ fiber: _Fiber) {
        element.value = value
        if Trait.self == LayoutPriority.self { element.setNeedsLayout() } else { element.setNeedsDisplay() }
    }
}

/// A modifier that sets the layout direction of its content.
private struct DirectionModifier: ElementModifier {
    let direction: LayoutDirection
    func makeElement() -> WrapperElement { WrapperElement() }
    func update(_ element: WrapperElement, _ fiber: _Fiber) { element.direction = direction }
}

extension View {
    /// Sets the layout direction of this view and the views inside it.
    ///
    /// From right to left, stacks, leading edges and alignments are mirrored. Images and paths are not.
    public func environment(_ keyPath: WritableKeyPath<EnvironmentValues, LayoutDirection>, _ value: LayoutDirection)
        -> some View
    {
        setting(keyPath, value).elementModifier(DirectionModifier(direction: value))
    }

    package func elementModifier<M: ElementModifier>(_ modifier: M) -> ElementModified<Self, M> {
        ElementModified(content: self, modifier: modifier)
    }
    package func fiberModifier<M: FiberModifier>(_ modifier: M) -> FiberModified<Self, M> {
        FiberModified(content: self, modifier: modifier)
    }

    /// Sets the priority of this view in a stack.
    ///
    /// A stack offers space to views with a higher priority first, and reserves the minimum length of the others.
    /// - Parameter value: The priority. The default is 0.
    public func layoutPriority(_ value: Double) -> some View {
        elementModifier(TraitModifier(value: LayoutPriority(value: value.isNaN ? 0 : value)))
    }
    /// Sets the drawing order of this view among its siblings.
    /// - Parameter value: The order. Views with a higher value are drawn later, above others. The default is 0.
    public func zIndex(_ value: Double) -> some View {
        elementModifier(TraitModifier(value: ZIndex(value: value.isNaN ? 0 : value)))
    }
}
