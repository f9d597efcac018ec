import Foundation

/// The size and position of a `GeometryReader`. Mirrors SwiftUI's type.
@MainActor @preconcurrency
public struct GeometryProxy {
    /// The size of the reader, in points.
    public let size: CGSize
    /// The safe area insets, which are always 0, because displays supported by GTK have no unsafe areas.
    public var safeAreaInsets: EdgeInsets { EdgeInsets() }
    weak var element: Element?

    package init(size: CGSize, element: Element?) {
        self.size = size
        self.element = element
    }
    /// Returns the frame of the reader in another space. If no ancestor has the name of the space, returns the reader's
    /// bounds.
    public func frame(in coordinateSpace: some CoordinateSpaceProtocol) -> CGRect {
        frame(in: coordinateSpace.coordinateSpace)
    }
    /// Returns the frame of the reader in another space. If no ancestor has the name of the space, returns the reader's
    /// bounds.
    @_disfavoredOverload public func frame(in space: CoordinateSpace) -> CGRect {
        let own = CGRect(origin: .zero, size: size)
        guard let element, space != .local else { return own }
        let global = CGRect(origin: element.frameInWindow.origin, size: size)
        if space == .global { return global }
        guard case .named(let name) = space, let named = element.ancestor(withSpace: name) else { return own }
        let origin = named.frameInWindow.origin
        return global.offsetBy(dx: -origin.x, dy: -origin.y)
    }
    /// Returns the bounds of the view with a named space, in the reader's own space. Nil if no ancestor has the name.
    ///
    /// The bounds of `.scrollView` are the visible area of the scroll view around the reader.
    public func bounds(of coordinateSpace: NamedCoordinateSpace) -> CGRect? {
        guard let element, let named = element.ancestor(withSpace: coordinateSpace.name) else { return nil }
        let own = element.frameInWindow.origin
        return named.frameInWindow.offsetBy(dx: -own.x, dy: -own.y)
    }
}

/// A view whose content depends on its size and position. Mirrors SwiftUI's view.
///
/// ```swift
/// GeometryReader { geometry in
///     HStack(spacing: 0) {
///         ExtVideoPlayer(fileName: "film.mp4").frame(width: geometry.size.width * 0.7)
///         Comments()
///     }
/// }
/// ```
/// The view takes all the offered space. Its content is placed at the corner of the top and the leading edge.
public struct GeometryReader<Content: View>: _PrimitiveView {
    let content: (GeometryProxy) -> Content
    /// Creates a view whose content is evaluated again when its size or its position in the window changes.
    ///
    /// A change of an effect around the view, such as `offset(_:)`, doesn't evaluate the content again.
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

    /// Evaluates the content if its size or position has changed. Called during layout, which then lays out the
    /// content.
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
        reads.trackDescendants {
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
        reads.removeAll()
        element.onPlaced = nil
    }
}

final class GeometryElement: Element, PositionFollower {
    var onPlaced: ((CGSize) -> Void)?
    func positionChanged() { onPlaced?(frame.size) }
    package override func measure(_ proposal: ProposedViewSize) -> CGSize { proposal.replacingUnspecifiedDimensions() }
    package override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        onPlaced?(size)
        let offered = ProposedViewSize(size)
        for child in children { child.place(CGRect(origin: .zero, size: child.sizeThatFits(offered)), offered) }
    }
}
