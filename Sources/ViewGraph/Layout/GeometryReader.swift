import Foundation

/// A space with a name, in which places can be told. SwiftUI's type.
public enum CoordinateSpace: Hashable {
    /// The window's.
    case global
    /// The view's own.
    case local
    /// That of the view above that has this name, by `coordinateSpace(name:)`.
    case named(AnyHashable)
}

/// What a `GeometryReader` tells: the size it has, and where it lies.
@MainActor @preconcurrency
public struct GeometryProxy {
    /// Points.
    public let size: CGSize
    /// No display that GTK serves has areas to keep clear of: zero.
    public var safeAreaInsets: EdgeInsets { EdgeInsets() }
    weak var element: Element?

    package init(size: CGSize, element: Element?) {
        self.size = size
        self.element = element
    }
    /// Where the reader lies in another space; its own bounds for a name that no view above it has.
    public func frame(in space: CoordinateSpace) -> CGRect {
        let own = CGRect(origin: .zero, size: size)
        guard let element, space != .local else { return own }
        let global = CGRect(origin: element.frameInWindow.origin, size: size)
        if space == .global { return global }
        var above = element.outward
        while let current = above {
            if case .named(let name) = space, (current as? TraitElement<SpaceName>)?.value.name == name {
                let origin = current.frameInWindow.origin
                return global.offsetBy(dx: -origin.x, dy: -origin.y)
            }
            above = current.outward
        }
        return own
    }
}

struct SpaceName { let name: AnyHashable }

/// A view whose content knows the room it has. Takes all that is offered; its content lies at the top left. SwiftUI's
/// view.
public struct GeometryReader<Content: View>: _PrimitiveView {
    let content: (GeometryProxy) -> Content
    /// Makes a view whose content is made anew when its size or its place in the window changes.
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        GeometryFiber(view, inputs)
    }
}

final class GeometryFiber<Content: View>: _ViewFiber<GeometryReader<Content>> {
    private let element = GeometryElement()
    private var content: _ViewFiber<Content>?
    private var shown: (CGSize, CGPoint)?
    private let reads = TrackedReads()

    override init(_ view: GeometryReader<Content>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        reads.whenChanged { [weak self] in
            if let self, !isRemoved { graph.invalidate(self) }
        }
        element.onPlaced = { [weak self] size in self?.placed(size) }
    }

    override var children: [_Fiber] { content.map { [$0] } ?? [] }
    override var elements: [Element] { [element] }

    override func update(_ view: GeometryReader<Content>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        if shown != nil { show() }
    }

    override func reevaluate() {
        if reads.isOutOfDate { show() }
    }

    /// Called in the layout, which then lays the content out.
    private func placed(_ size: CGSize) {
        let origin = element.frameInWindow.origin
        if let shown, shown == (size, origin) { return }
        shown = (size, origin)
        show()
    }

    private func show() {
        guard let shown, !isRemoved else { return }
        graph.validated(self)
        graph.evaluations += 1
        let body = reads.evaluate { view.content(GeometryProxy(size: shown.0, element: element)) }
        reads.cover {
            if let content {
                content.update(body, environment)
            } else {
                content = Content._makeFiber(body, inputs())
                structureChanged()
            }
        }
    }

    override func structureChanged() { element.setChildren(content?.elements ?? []) }

    override func removed() {
        reads.forget()
        element.onPlaced = nil
    }
}

package final class GeometryElement: Element {
    package var onPlaced: ((CGSize) -> Void)?
    package override func measure(_ proposal: ProposedViewSize) -> CGSize { proposal.replacingUnspecifiedDimensions() }
    package override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        onPlaced?(size)
        let offered = ProposedViewSize(size)
        for child in children { child.place(CGRect(origin: .zero, size: child.sizeThatFits(offered)), offered) }
    }
}

extension View {
    /// Names this view's space for `GeometryProxy.frame(in:)` and gestures.
    public func coordinateSpace<T: Hashable>(name: T) -> some View {
        elementModifier(TraitModifier(value: SpaceName(name: AnyHashable(name))))
    }
}
