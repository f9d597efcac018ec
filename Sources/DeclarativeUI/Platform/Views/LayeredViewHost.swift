import CGTK
import Filters
import Foundation
import GTK
import MediaCore
import Overlays
import Presentation

/// A GTK widget that shows the layers of a view and of its subviews.
///
/// Layers that cairo draws become render nodes, which are kept until a layer changes. The widgets of players and of
/// declarative views are between those nodes.
@MainActor
final class LayeredViewHost: WidgetOwner {
    var widget: GTKWidget { reference.object }
    private let reference: GTKReference<GTKWidget>
    private weak var view: LayeredView?
    /// The tree of layers with its animations.
    private let tree = VectorOverlay()
    private var shown: [PresentedLayer] = []
    private let hostedWidgets = HostedWidgets()
    private let nodes = KeptNodes()
    private var tick: TickCallback?
    private var isPlacing = false
    private var isClosed = false
    private let covers = CoverScene()
    /// The views whose old look is blended into the new one.
    private let blends = LayerBlends()
    private var rooted: SignalConnection?
    /// The widget that lets UIKit's views choose the receiver of input, or nil for AppKit's views.
    private var gate: HitGate?
    /// The app's window that contains the widget, or nil.
    var window: NSWindow? {
        widget.window.flatMap { window in HostWindow.all.first { $0.window == window }?.facade }
    }
    /// The widget of the window's content, whose space is that of `UIWindow`, or nil outside of windows.
    var windowContent: GTKWidget? {
        guard let window = widget.window else { return nil }
        return HostWindow.all.first { $0.window == window }?.surface.widget ?? window.widget
    }
    /// Whether the widget is drawn through an effect in its window.
    var isCovered = false {
        didSet {
            guard isCovered != oldValue else { return }
            OnMain.later { [weak self] in self?.redraw() }
        }
    }

    init?(_ view: LayeredView) {
        guard GTKStart.ensure(), let raw = ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_GROUP, owner: nil) else {
            return nil
        }
        reference = GTKReference(raw)
        self.view = view
        ElementWidget.set(self, of: raw)
        rooted = SignalConnection(raw, "notify::root") { [weak self] in self?.view?.windowChanged() }
        tree.onChange { [weak self] in OnMain.later { self?.treeChanged() } }
        if view is UIView { gate = HitGate(in: raw) { [weak self] in self?.chooseTarget(at: $0) } }
        showTree()
    }

    isolated deinit { close() }

    func showTree() {
        tree.show(view?.backing)
        treeChanged()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        rooted?.disconnect()
        tree.onChange(nil)
        tree.show(nil)
        blends.removeAll()
        tick?.cancel()
        tick = nil
        hostedWidgets.removeAll()
        gate?.remove()
        gate = nil
        nodes.removeAll()
    }

    // MARK: changes

    func treeChanged() {
        guard !isPlacing, !isClosed else { return }
        widget.queueAllocate()
        redraw()
    }
    func sizeChanged() { if !isClosed { widget.queueResize() } }
    private func redraw() { if !isClosed { widget.queueDraw() } }

    private func animate() {
        guard tick == nil else { return }
        tick = TickCallback(widget) { [weak self] _ in self?.ticked() ?? false }
    }
    private func ticked() -> Bool {
        let continues = tree.isAnimating(at: .now()) || !blends.isEmpty
        treeChanged()
        if !continues { tick = nil }
        return continues
    }

    // MARK: WidgetOwner

    /// Returns false: only the widgets inside receive pointer events.
    func widgetContains(_ point: CGPoint, isInBounds: Bool) -> Bool { false }

    /// Lets the views choose the receiver of input at a point of the widget.
    private func chooseTarget(at point: CGPoint) {
        guard !isClosed, let root = view as? UIView else { return }
        gate?.target.choose(point, in: root, hostedWidgets.inOrder, of: widget)
    }

    func measure(_ orientation: GtkOrientation, _ forSize: Int) -> (minimum: Int, natural: Int) {
        let size = view?.preferredSize ?? .zero
        let length = orientation == GTK_ORIENTATION_HORIZONTAL ? size.width : size.height
        return (0, length > 0 && length < 16_000 ? Int(length.rounded(.up)) : 0)
    }

    func allocated(_ width: Int, _ height: Int) {
        guard let view, !isClosed else { return }
        isPlacing = true
        defer { isPlacing = false }
        view.takeSize(CGSize(width: width, height: height))
        let now = HostTime.now()
        let wasAnimating = tree.isAnimating(at: now)
        blends.removeEnded(at: now.seconds)
        shown = tree.presented(at: now).layers
        nodes.removeAll()
        hostedWidgets.follow(view.backing, in: widget)
        hostedWidgets.place(shown)
        gate?.allocate(width, height)
        if wasAnimating || tree.isAnimating(at: now) || !blends.isEmpty { animate() }
    }

    // MARK: blending

    /// Keeps the current look of a layer in the tree, and blends from that look to later ones.
    func blend(_ layer: CALayer, _ timing: ChangeTiming) {
        guard !isClosed else { return }
        layer.setBlended(true)
        let now = HostTime.now()
        let root = tree.presented(at: now).layers
        var node: OpaquePointer?
        if let found = LayerBlends.find(ObjectIdentifier(layer), in: root) {
            // The old look is drawn without the kept nodes, and with the widgets as they were last shown.
            node = nodes.bypass {
                GTKSnapshot.node { fresh in
                    let context = DrawContext(snapshot: fresh, now: now.seconds, container: widget)
                    draw(found, context, within: .null)
                    context.finish()
                }
            }
        }
        blends.add(layer, node.map { NodeReference(owning: $0) }, timing)
        treeChanged()
    }

    // MARK: drawing

    func snapshot(_ snapshot: GTKSnapshot) {
        guard !isClosed else { return }
        nodes.rewind()
        let size = widget.size
        covers.draw(widget, snapshot) { snapshot in
            let context = DrawContext(snapshot: snapshot, now: HostTime.now().seconds, container: widget)
            // A layer can extend beyond a view that does not clip. This host does not know what is drawn below that
            // part of the layer, so a video outside the view gets no surface of its own.
            for layer in shown { draw(layer, context, within: CGRect(origin: .zero, size: size)) }
            context.finish()
        }
    }

    /// Draws a layer and its sublayers.
    /// - Parameter within: The visible part of the widget that certainly belongs to this view.
    private func draw(_ layer: PresentedLayer, _ context: DrawContext, within: CGRect) {
        guard !layer.isInvisible else { return }
        guard layer.hasHosted else { return drawPiece(layer, context) }
        if !nodes.areBypassed, let blend = blends[layer.values.blended] {
            var plain = layer
            plain.values.blended = nil
            return context.blended(
                from: blend.look?.node, blend.timing.progress(at: HostTime.now().seconds)
            ) { draw(plain, $0, within: within) }
        }
        if let mask = layer.mask.first {
            var unmasked = layer
            unmasked.mask = []
            let area = mask.extent.applying(layer.values.matrix).insetBy(dx: -1, dy: -1)
            guard !area.isNull, area.width > 0, area.height > 0 else { return }
            let matrix = layer.values.matrix
            // The index is reserved now: the mask is not drawn if there is nothing to mask, but later nodes must keep
            // their indices.
            let index = nodes.takeIndex()
            return context.masked(
                area, content: { draw(unmasked, $0, within: within) },
                mask: { inner in inner.transformed(matrix) { drawPiece(mask, inner, at: index) } })
        }
        context.faded(Double(layer.values.opacity)) { drawBody(layer, context, within) }
    }

    private func drawBody(_ layer: PresentedLayer, _ context: DrawContext, _ within: CGRect) {
        let values = layer.values
        drawPiece(layer.backgroundPart, context)
        context.transformed(values.matrix) {
            let drawInside: (CGRect) -> Void = { [self] visibleRect in
                if let id = values.hosted, let hosted = hostedWidgets[id] {
                    draw(hosted, values.bounds, context, visibleRect)
                }
                for sublayer in layer.sublayers { draw(sublayer, context, within: visibleRect) }
            }
            guard values.masksToBounds else { return drawInside(within) }
            let radius = min(values.cornerRadius, min(values.bounds.width, values.bounds.height) / 2)
            let visibleRect = within.intersection(values.bounds.applying(context.transform))
            context.clipped(
                RoundedRect(rect: values.bounds, radii: CGSize(width: max(0, radius), height: max(0, radius)))
            ) {
                drawInside(visibleRect)
            }
        }
        if let frame = layer.borderPart { drawPiece(frame, context) }
    }

    /// Draws everything that cairo draws of a layer into one render node.
    private func drawPiece(_ layer: PresentedLayer, _ context: DrawContext) {
        drawPiece(layer, context, at: nodes.takeIndex())
    }

    /// Draws everything that cairo draws of a layer into the render node at an index.
    /// - Parameter index: The index of the node among those that are kept.
    private func drawPiece(_ layer: PresentedLayer, _ context: DrawContext, at index: Int) {
        let extent = layer.extent
        guard !layer.isInvisible, !extent.isNull, extent.width > 0, extent.height > 0 else { return }
        // No view extends beyond this area, so the rest of the layer need not be drawn.
        let area = extent.insetBy(dx: -1, dy: -1).intersection(
            CGRect(x: -16384, y: -16384, width: 32768, height: 32768))
        guard !area.isNull, area.width > 0, area.height > 0 else { return }
        if nodes.areBypassed { return context.cairo(area) { layer.draw(on: $0, area: area) } }
        let kept = nodes.node(at: index) {
            context.node { inner in inner.cairo(area) { layer.draw(on: $0, area: area) } }
        }
        guard let node = kept else { return }
        context.snapshot.append(node)
    }

    private func draw(_ hosted: HostedWidget, _ bounds: CGRect, _ context: DrawContext, _ within: CGRect) {
        guard hosted.widget.isChildVisible || !hosted.isShownHere else { return }
        if !hosted.isShownHere { return drawPlaceholder(bounds, context) }
        if nodes.areBypassed { return context.lastDrawing(of: hosted.widget, at: bounds.origin) }
        let area = bounds.applying(context.transform)
        let body = { [isCovered] in
            hosted.setCovered(isCovered || !context.allowsVideoSurface)
            context.widget(hosted.widget)
        }
        if within.insetBy(dx: -0.5, dy: -0.5).contains(area) { body() } else { context.throughEffect(body) }
    }

    /// Draws a label in place of a video that is shown in a picture-in-picture window.
    private func drawPlaceholder(_ bounds: CGRect, _ context: DrawContext) {
        context.color(Color.Components(red: 0, green: 0, blue: 0, opacity: 1), bounds)
        let text = CATextLayer()
        text.string = PictureInPictureText.placeholder
        text.fontSize = 15
        text.isWrapped = true
        text.alignmentMode = .center
        text.foregroundColor = CGColor(gray: 0.75, alpha: 1)
        text.bounds.size.width = max(0, bounds.width - 16)
        let height = min(bounds.height, text.preferredFrameSize().height)
        text.frame = CGRect(
            x: bounds.minX + 8, y: bounds.midY - height / 2, width: max(0, bounds.width - 16), height: height)
        drawPiece(LayerSnapshot(text).presented(at: 0, begins: [:]), context)
    }
}
