import Foundation

/// One element around another. Unless it says otherwise it takes the other's size and says what the other says.
@_spi(Graph) @MainActor
open class WrapperElement: Element {
    open var content: Element? { children.first }

    open override func measure(_ proposal: ProposedViewSize) -> CGSize { content?.sizeThatFits(proposal) ?? .zero }

    open override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        for child in children { child.place(CGRect(origin: .zero, size: size), proposal) }
    }

    open override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guard let content else { return nil }
        // Asked before it is placed too: the content's place is then taken to be in the middle.
        let inner = contentFrame(size)
        guard let value = content.explicitGuide(key, inner.size) else { return nil }
        return value + (key.isVertical ? inner.minY : inner.minX)
    }

    /// Where the content lies in `size`.
    func contentFrame(_ size: CGSize) -> CGRect { CGRect(origin: .zero, size: size) }

    open override func trait<T>(_ type: T.Type) -> T? { content?.trait(type) }
    open override var company: Company { children.count == 1 ? children.first?.company ?? .other : .other }
}

/// Says something of its content to the container.
package final class TraitElement<Trait>: WrapperElement {
    var value: Trait
    init(_ value: Trait) { self.value = value }
    package override func trait<T>(_ type: T.Type) -> T? { value as? T ?? super.trait(type) }
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

/// Says which way its content is read.
private struct DirectionModifier: ElementModifier {
    let direction: LayoutDirection
    func makeElement() -> WrapperElement { WrapperElement() }
    func update(_ element: WrapperElement, _ fiber: _Fiber) { element.direction = direction }
}

extension View {
    /// The way it is read, and what is below: from right to left stacks, leading edges and what they align are
    /// mirrored. Pictures and paths are not.
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

    /// Who is offered room first in a stack; the others keep their least. Default 0, higher first.
    public func layoutPriority(_ value: Double) -> some View {
        elementModifier(TraitModifier(value: LayoutPriority(value: value.isNaN ? 0 : value)))
    }
    /// What is drawn over what among siblings; default 0, higher later.
    public func zIndex(_ value: Double) -> some View {
        elementModifier(TraitModifier(value: ZIndex(value: value.isNaN ? 0 : value)))
    }
}
