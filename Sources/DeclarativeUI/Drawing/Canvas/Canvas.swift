import GTK
import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// The color space in which a canvas mixes colors. Same API as in SwiftUI. Cairo always mixes encoded sRGB values.
public enum ColorRenderingMode: Hashable, Sendable {
    /// The encoded values of sRGB, which cairo mixes.
    case nonLinear
    /// Linear light. Drawn as `nonLinear`.
    case linear
    /// Linear light with an extended range. Drawn as `nonLinear`.
    case extendedLinear
}

/// A view that draws with a closure. Same API as in SwiftUI.
///
/// A waveform of an audio track:
/// ```swift
/// Canvas { context, size in
///     for (index, level) in levels.enumerated() {
///         let height = size.height * level
///         let bar = CGRect(x: CGFloat(index) * 4, y: (size.height - height) / 2, width: 3, height: height)
///         context.fill(Path(bar), with: .color(.accentColor))
///     }
/// }
/// ```
/// A canvas takes all the space it is offered. It draws again when a value that the closure has read changes.
public struct Canvas<Symbols: View>: _PrimitiveView {
    /// The views that `GraphicsContext.resolveSymbol(id:)` finds.
    public var symbols: Symbols
    /// The closure that draws into a context. Its second argument is the canvas's size in points. Runs on the main
    /// thread.
    public var renderer: (inout GraphicsContext, CGSize) -> Void
    /// Whether the canvas is drawn over black, not over the views behind it.
    public var isOpaque: Bool
    /// The requested color mode. Has no effect; see `ColorRenderingMode`.
    public var colorMode: ColorRenderingMode
    /// Whether drawing may be asynchronous. Has no effect: the canvas draws on the main thread, with its window.
    public var rendersAsynchronously: Bool

    /// Creates a canvas with symbols.
    /// - Parameters:
    ///   - opaque: Whether the canvas is drawn over black, not over the views behind it.
    ///   - colorMode: Has no effect; see `ColorRenderingMode`.
    ///   - rendersAsynchronously: Has no effect.
    ///   - renderer: The closure that draws. Its second argument is the canvas's size in points. Runs on the main
    ///     thread. The canvas clips the drawing to its bounds.
    ///   - symbols: The views that `GraphicsContext.resolveSymbol(id:)` finds by their `tag`. GTK controls in them are
    ///     not drawn.
    public init(
        opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear, rendersAsynchronously: Bool = false,
        renderer: @escaping (inout GraphicsContext, CGSize) -> Void, @ViewBuilder symbols: () -> Symbols
    ) {
        self.symbols = symbols()
        self.renderer = renderer
        isOpaque = opaque
        self.colorMode = colorMode
        self.rendersAsynchronously = rendersAsynchronously
    }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        CanvasFiber(view, inputs)
    }
}

extension Canvas where Symbols == EmptyView {
    /// Creates a canvas without symbols.
    /// - Parameters:
    ///   - opaque: Whether the canvas is drawn over black, not over the views behind it.
    ///   - colorMode: Has no effect; see `ColorRenderingMode`.
    ///   - rendersAsynchronously: Has no effect.
    ///   - renderer: The closure that draws. Its second argument is the canvas's size in points. Runs on the main
    ///     thread.
    public init(
        opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear, rendersAsynchronously: Bool = false,
        renderer: @escaping (inout GraphicsContext, CGSize) -> Void
    ) {
        self.init(
            opaque: opaque, colorMode: colorMode, rendersAsynchronously: rendersAsynchronously, renderer: renderer
        ) { EmptyView() }
    }
}

final class CanvasFiber<Symbols: View>: _ViewFiber<Canvas<Symbols>> {
    private let element = CanvasElement()
    private var symbols: _ViewFiber<Symbols>?
    private let reads = TrackedReads()

    override init(_ view: Canvas<Symbols>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        element.fiber = self
        symbols = Symbols._makeFiber(view.symbols, self.inputs())
        reads.whenChanged { [weak self] in self?.element.invalidateDrawing() }
        element.renderer = { [weak self] context, size in
            guard let self else { return }
            // Tracks the values that the renderer reads, so that a change of them redraws the canvas.
            var own = context
            reads.evaluate { self.view.renderer(&own, size) }
        }
        structureChanged()
        show()
    }

    override var children: [_Fiber] { symbols.map { [$0] } ?? [] }
    override var elements: [Element] { [element] }

    override func update(_ view: Canvas<Symbols>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        symbols?.update(view.symbols, environment)
        show()
    }

    private func show() {
        element.isOpaque = view.isOpaque
        element.invalidateDrawing()
    }

    override func structureChanged() { element.symbols.setChildren(symbols?.elements ?? []) }
    override func removed() {
        reads.removeAll()
        element.renderer = nil
    }
}

/// The views that are drawn only where the canvas draws them as symbols.
final class CanvasSymbols: Element {
    override var isHidden: Bool { true }
    override func measure(_ proposal: ProposedViewSize) -> CGSize { .zero }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        for child in children {
            child.place(CGRect(origin: .zero, size: child.sizeThatFits(.unspecified)), .unspecified)
        }
    }
}

final class CanvasElement: Element, DrawnElement {
    let symbols = CanvasSymbols()
    weak var fiber: _Fiber?
    var renderer: ((GraphicsContext, CGSize) -> Void)?
    var isOpaque = false
    /// The result of the last drawing, and its size.
    private var drawing: (node: OpaquePointer, size: CGSize)?

    override init() {
        super.init()
        setChildren([symbols])
    }
    isolated deinit { discardDrawing() }

    private func discardDrawing() {
        if let drawing { gsk_render_node_unref(drawing.node) }
        drawing = nil
    }

    func invalidateDrawing() {
        discardDrawing()
        setNeedsDisplay()
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize { proposal.replacingUnspecifiedDimensions() }
    override func contains(_ point: CGPoint) -> Bool { bounds.contains(point) }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) { symbols.place(.zero, .zero) }

    func draw(_ context: DrawContext, _ size: CGSize) {
        guard size.width > 0, size.height > 0, size.width.isFinite, size.height.isFinite else { return }
        // Symbols are views, which may look different in each drawing.
        if drawing?.size != size || !symbols.children.isEmpty || !DrawingCache.isEnabled {
            discardDrawing()
            drawing = make(context, size).map { ($0, size) }
        }
        if let drawing { context.snapshot.append(drawing.node) }
    }

    private func make(_ context: DrawContext, _ size: CGSize) -> OpaquePointer? {
        guard let fiber, let renderer else { return nil }
        return context.node { inner in
            inner.cairo(CGRect(origin: .zero, size: size)) { cr in
                cairo_rectangle(cr, 0, 0, size.width, size.height)
                cairo_clip(cr)
                if isOpaque {
                    cairo_set_source_rgb(cr, 0, 0, 0)
                    cairo_paint(cr)
                }
                let target = CanvasTarget(cr, inner, size, fiber, symbols.children)
                renderer(GraphicsContext(target: target, environment: fiber.environment), size)
                target.finish()
            }
        }
    }
}

extension CanvasElement: InspectableElement {
    var inspection: String? { "" }
}
