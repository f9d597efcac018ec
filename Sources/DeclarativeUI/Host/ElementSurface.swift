import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// A GTK widget that shows a tree of elements. It lays them out, draws them, and contains their widgets.
///
/// Controls are child widgets at the positions of their elements. This widget draws everything else. Both are drawn in
/// the elements' order, so that effects apply to both.
@MainActor
final class ElementSurface: ElementHost, WidgetOwner {
    let root: Element
    let graph: ViewGraph
    /// The widget, or nil without a display.
    var widget: GTKWidget? { reference?.object }
    private var reference: GTKReference<GTKWidget>?
    private var lengths = ContentLengths()
    /// The visible part of a scrolled surface.
    var visibleRect: CGRect?
    /// The element of another surface that contains this one and scrolls it.
    weak var enclosing: Element?
    private var layout = LayoutProgress()
    /// Whether the widget receives pointer events that no control and no gesture inside it handles. If false, GTK
    /// delivers them to the widgets behind, for example to those of gestures around the surface.
    var takesPointer = true
    /// Called when GTK has given the widget a size.
    var onSize: ((CGSize) -> Void)?
    /// The requests to GTK, or nil without a display.
    private var requests: SurfaceRequests?
    private var order = WidgetOrder()

    /// Creates a surface.
    /// - Parameter display: Whether a widget is created. If false, the surface lays out and draws without a window, for
    ///   tests and images.
    init(
        root: Element, graph: ViewGraph, display: Bool = true, enclosing: Element? = nil,
        role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_GROUP
    ) {
        self.root = root
        self.enclosing = enclosing
        self.graph = graph
        if display, GTKStart.ensure(), let raw = ElementWidget.make(role: role, owner: self) {
            reference = GTKReference(raw)
            requests = SurfaceRequests(raw)
        }
        root.attach(self)
    }

    isolated deinit {
        // Waiting requests must not reach a destroyed widget.
        requests = nil
    }

    /// Closes the surface. Its elements release their widgets.
    func close() {
        root.detach(self)
        requests?.stopAnimation()
    }

    // MARK: ElementHost

    var now: Double { graph.now() }
    var animation: Animation? { graph.transaction.effective }
    var layoutAnimation: Animation? { isInLayout ? graph.layoutAnimation : nil }
    var allowsOwnSurface: Bool { sizing == .window && !isCovered }
    private let covers = CoverScene()
    /// Whether an effect in the surrounding surface applies to this surface.
    var isCovered = false { didSet { if isCovered != oldValue { requests?.request(.draw, isLater: true) } } }

    func needsLayout() {
        layout.invalidate()
        if let animation { graph.layoutAnimation = animation }
        guard !isInLayout else { return }
        // Without a display, only the surrounding element can lay out this surface.
        guard let widget else {
            enclosing?.setNeedsLayout()
            return
        }
        // The window's minimum size is checked after a delay. The content is laid out at the next tick.
        if sizing == .window, widget.isMapped {
            requests?.request(.allocate)
            requests?.checkMinimum()
        } else {
            requests?.request(.resize)
        }
    }

    /// Called when another part of a scrolled surface becomes visible. GTK may be placing widgets at that moment.
    func partMoved() { requests?.request([.allocate, .draw], isLater: true) }

    func needsPlacement() {
        if !isInLayout { requests?.request(.allocate) }
    }
    func needsDisplay() {
        requests?.request(.draw)
    }
    /// Whether a change of the elements is reported like a change of preferences, which `PresentationPlace` receives.
    /// True while a container shows only a picker, because other elements would make the container visible.
    var reportsStructure = false
    func structureChanged() {
        order.invalidate()
        if reportsStructure { graph.preferencesMayHaveChanged() }
    }

    func animate() {
        guard let requests, !requests.isAnimating else { return }
        requests.animate { [weak self] in self?.ticked() ?? false }
    }

    private func ticked() -> Bool {
        let continues = root.isAnimating(now)
        needsPlacement()
        needsDisplay()
        return continues
    }

    func position(_ child: GTKWidget, _ transform: CGAffineTransform, _ size: CGSize) {
        // A widget with a scale of 0 is not placed: GTK can't convert a point to the coordinates of that widget.
        guard transform.isDrawable else { return }
        order.add(child)
        // GTK allocates whole points. It warns about a widget that was not measured before, or that gets less than it
        // needs.
        let whole: (CGFloat) -> Int32 = { $0.isFinite ? Int32(min(1_000_000, max(0, $0)).rounded()) : 0 }
        let width = max(whole(size.width), child.measure(GTK_ORIENTATION_HORIZONTAL).minimum)
        let height = max(whole(size.height), child.measure(GTK_ORIENTATION_VERTICAL, for: width).minimum)
        var placement = transform
        if placement.isTranslation { (placement.tx, placement.ty) = (placement.tx.rounded(), placement.ty.rounded()) }
        // While the widget was hidden, GTK dropped its requests, for example those of a slider whose value changed.
        if !child.isChildVisible { child.queueAllocate() }
        child.allocate(width, height, placement.gsk)
        // GTK drops requests that the widget makes during its allocation, for example when a scrolled window shows its
        // bars. A second allocation handles them, or does nothing.
        _ = child.measure(GTK_ORIENTATION_HORIZONTAL)
        child.allocate(width, height, placement.gsk)
    }

    // MARK: layout

    /// The size of the last layout, in points.
    var size: CGSize { layout.size }
    var isInLayout: Bool { layout.isRunning }
    var sizing: Sizing {
        get { lengths.sizing }
        set {
            guard newValue != lengths.sizing else { return }
            lengths.sizing = newValue
            widget?.queueResize()
        }
    }
    /// Whether the content determines the window's minimum size. If false, the window can be smaller than its content.
    var hasMinimum: Bool {
        get { lengths.hasMinimum }
        set { lengths.hasMinimum = newValue }
    }

    /// Lays out the elements in `size`, in points.
    func layOut(_ size: CGSize) {
        layout.begin(size)
        let proposal = ProposedViewSize(size)
        while layout.startRound() {
            let fits = root.sizeThatFits(proposal)
            // Content with its own size is centered in a window, and at the start of a scrolled area.
            let x = sizing == .window ? (size.width - fits.width) / 2 : 0
            let y = sizing == .window ? (size.height - fits.height) / 2 : 0
            root.place(CGRect(x: x, y: y, width: fits.width, height: fits.height), proposal)
            graph.flush()
        }
        layout.end()
        graph.layoutAnimation = nil
    }

    func measure(_ orientation: GtkOrientation, _ forSize: Int) -> (minimum: Int, natural: Int) {
        // Views that are created while they are measured can change `hasMinimum`.
        let lengths = lengths
        return SurfaceRequests.insideGTK { lengths.measure(root, orientation, forSize, screen: WindowSize.screen) }
    }

    func allocated(_ width: Int, _ height: Int) {
        SurfaceRequests.insideGTK {
            graph.flush()
            layOut(CGSize(width: width, height: height))
            onSize?(size)
            order.begin()
            root.locate(.identity, now)
            if let widget { order.sort(widget) }
        }
    }

    /// Moves the focus through views in the order of their declaration, not by position. Returns nil to let GTK move
    /// the focus.
    func moveFocus(_ direction: GtkDirectionType) -> Bool? {
        guard let widget, direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD else { return nil }
        var all: [GTKWidget] = []
        func collect(_ element: Element) {
            guard !element.isHidden else { return }
            if let focusWidget = (element as? any FocusHolder)?.focusWidget, focusWidget.parent == widget {
                all.append(focusWidget)
            }
            element.inFocusOrder.forEach(collect)
        }
        collect(root)
        if direction == GTK_DIR_TAB_BACKWARD { all.reverse() }
        let current = widget.focusChild
        // A window that opens has no focus yet.
        if current == nil, direction == GTK_DIR_TAB_FORWARD, widget.root?.focus == nil,
            FocusScopeElement.takeDefaultFocus(below: root)
        {
            return true
        }
        if let current {
            guard let index = all.firstIndex(of: current) else { return nil }
            all.removeFirst(index)
        }
        return all.contains {
            ($0 == current || $0.isMapped) && $0.moveFocus(direction)
        }
    }

    func widgetContains(_ point: CGPoint, isInBounds: Bool) -> Bool { takesPointer && isInBounds }

    func snapshot(_ snapshot: GTKSnapshot) {
        SurfaceRequests.insideGTK {
            covers.draw(widget, snapshot) { snapshot in
                let context = DrawContext(snapshot: snapshot, now: now, container: widget)
                root.render(context)
                context.finish()
            }
        }
    }
}
