import CGTK
import Foundation
import GLibSupport
import GTKSupport
import MediaCore

/// A GTK widget that shows a tree of elements: lays it out in the size it is given, draws it, and holds the
/// real widgets of the elements that have one.
///
/// Controls are children of it, put where their elements are; what elements draw, this widget draws. Both in
/// the elements' order, so that effects hold for both.
@MainActor
final class ElementSurface: ElementHost, WidgetOwner {
    let root: Element
    let graph: ViewGraph
    /// The widget; nil without a display. Owned by its parent and by this.
    private(set) var widget: UnsafeMutablePointer<GtkWidget>?
    /// Which sides the content decides itself.
    enum Sizing { case window, scrolledVertically, scrolledHorizontally, scrolledBoth }
    var sizing = Sizing.window {
        didSet { if sizing != oldValue, let widget { gtk_widget_queue_resize(widget) } }
    }
    /// The part of it that is seen, when it is scrolled.
    var visibleRect: CGRect?
    /// The element of another surface that this one stands in, scrolled.
    weak var enclosing: Element?
    private(set) var size = CGSize.zero
    private var isLaidOut = false
    /// Told when GTK has given it a size.
    var onSize: ((CGSize) -> Void)?
    private(set) var isInLayout = false
    private var tick: TickCallback?
    private var minimumCheck: LoopTimer?
    private var orderIsOld = true
    /// In the order of drawing; what GTK's focus chain and picking go by.
    private var located: [UnsafeMutablePointer<GtkWidget>] = []
    private var order: [UnsafeMutablePointer<GtkWidget>] = []

    /// - Parameter display: false lays out and draws without a window, for tests and pictures.
    init(
        root: Element, graph: ViewGraph, display: Bool = true, enclosing: Element? = nil,
        role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_GROUP
    ) {
        self.root = root
        self.enclosing = enclosing
        self.graph = graph
        if display, GTKStart.ensure(), let raw = ElementWidget.make(role: role, owner: self) {
            widget = raw
            g_object_ref_sink(raw)
        }
        root.attach(self)
    }

    isolated deinit {
        minimumCheck?.cancel()
        if let widget {
            tick?.cancel()
            g_object_unref(widget)
        }
    }

    /// Ends it: elements let go of their widgets.
    func close() {
        root.detach(self)
        tick?.cancel()
        tick = nil
    }

    // MARK: ElementHost

    var now: Double { graph.now() }
    var animation: Animation? { graph.transaction.effective }
    var layoutAnimation: Animation? { isInLayout ? graph.layoutAnimation : nil }
    var container: UnsafeMutablePointer<GtkWidget>? { widget }
    var allowsOwnSurface: Bool { sizing == .window && !isCovered }
    private let covers = CoverScene()
    /// It goes through an effect in the surface that it stands in.
    var isCovered = false { didSet { if isCovered != oldValue { queue(.draw, isLater: true) } } }

    func needsLayout() {
        isLaidOut = false
        if let animation { graph.layoutAnimation = animation }
        guard !isInLayout else { return }
        // Without a display nobody but the element around it lays it out.
        guard let widget else {
            enclosing?.setNeedsLayout()
            return
        }
        // The least that a window may be is asked now and then; what is in it is laid out at the next tick.
        if sizing == .window, gtk_widget_get_mapped(widget) != 0 {
            queue(.allocate)
            checkMinimum()
        } else {
            queue(.resize)
        }
    }

    // MARK: asking GTK

    private struct Wanted: OptionSet {
        let rawValue: Int
        static let resize = Wanted(rawValue: 1), allocate = Wanted(rawValue: 2), draw = Wanted(rawValue: 4)
    }
    private var wanted: Wanted = []
    /// How deep GTK is in measuring, placing or drawing surfaces. What it is asked for then it may lose: it marks
    /// ancestors that it is about to call done, and never comes back.
    private static var depth = 0

    /// - Parameter isLater: not now in any case: GTK may be placing something that is no surface of ours.
    private func queue(_ what: Wanted, isLater: Bool = false) {
        guard isLater || ElementSurface.depth > 0 else { return ask(what) }
        let isFirst = wanted.isEmpty
        wanted.insert(what)
        guard isFirst else { return }
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                let all = self.wanted
                self.wanted = []
                self.ask(all)
            }
        }
    }

    private func ask(_ what: Wanted) {
        guard let widget else { return }
        if what.contains(.resize) { gtk_widget_queue_resize(widget) }
        if what.contains(.allocate) { gtk_widget_queue_allocate(widget) }
        if what.contains(.draw) { gtk_widget_queue_draw(widget) }
    }

    private func insideGTK<T>(_ body: () -> T) -> T {
        ElementSurface.depth += 1
        defer { ElementSurface.depth -= 1 }
        return body()
    }

    /// What is seen of it is another part; told by GTK's scrolling, which may be in the midst of placing.
    func partMoved() { queue([.allocate, .draw], isLater: true) }

    private func checkMinimum() {
        guard minimumCheck == nil else { return }
        minimumCheck = LoopTimer(milliseconds: 250) { [weak self] in
            self?.minimumCheck = nil
            self?.queue(.resize)
            return false
        }
    }

    func needsPlacement() {
        if !isInLayout { queue(.allocate) }
    }
    func needsDisplay() {
        queue(.draw)
    }
    func structureChanged() { orderIsOld = true }

    func animate() {
        guard let widget, tick == nil else { return }
        tick = TickCallback(widget) { [weak self] _ in self?.ticked() ?? false }
    }

    private func ticked() -> Bool {
        let goesOn = root.isAnimating(now)
        needsPlacement()
        needsDisplay()
        if !goesOn { tick = nil }
        return goesOn
    }

    func position(_ child: UnsafeMutablePointer<GtkWidget>, _ transform: CGAffineTransform, _ size: CGSize) {
        // What is squeezed to nothing is not there: GTK cannot turn a point back into it.
        guard transform.inverse != nil else { return }
        located.append(child)
        // GTK allocates whole points; it complains when a widget was not asked before, or gets less than it needs.
        let whole: (CGFloat) -> Int32 = { $0.isFinite ? Int32(min(1_000_000, max(0, $0)).rounded()) : 0 }
        var minimum: Int32 = 0
        var natural: Int32 = 0
        gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, nil, nil)
        let width = max(whole(size.width), minimum)
        gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, &minimum, &natural, nil, nil)
        let height = max(whole(size.height), minimum)
        var place = transform
        if place.isTranslation { (place.tx, place.ty) = (place.tx.rounded(), place.ty.rounded()) }
        // What its parts asked for while it was not there (a slider's, when its value changed) GTK has forgotten.
        if gtk_widget_get_child_visible(child) == 0 { gtk_widget_queue_allocate(child) }
        gtk_widget_allocate(child, width, height, -1, place.gsk)
        // What it asked for while it was placed (a scrolled window's bars come and go) GTK has forgotten by the time
        // we return; asked a second time it does it, or nothing if there is nothing to do.
        gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, nil, nil)
        gtk_widget_allocate(child, width, height, -1, place.gsk)
    }

    // MARK: layout

    /// Lays out in `size`.
    func layOut(_ size: CGSize) {
        self.size = size
        isInLayout = true
        let proposal = ProposedViewSize(size)
        // Geometry readers and lazy stacks make views in the layout, whose elements then need one themselves.
        for _ in 0..<8 {
            isLaidOut = true
            let fits = root.sizeThatFits(proposal)
            // Content that has its own size stands in the middle of a window, at the start of what is scrolled.
            let x = sizing == .window ? (size.width - fits.width) / 2 : 0
            let y = sizing == .window ? (size.height - fits.height) / 2 : 0
            root.place(CGRect(x: x, y: y, width: fits.width, height: fits.height), proposal)
            graph.flush()
            if isLaidOut { break }
        }
        isInLayout = false
        graph.layoutAnimation = nil
    }

    func measure(_ orientation: GtkOrientation, _ forSize: Int) -> (minimum: Int, natural: Int) {
        insideGTK { length(orientation, forSize) }
    }

    private func length(_ orientation: GtkOrientation, _ forSize: Int) -> (minimum: Int, natural: Int) {
        let given: CGFloat? = forSize < 0 ? nil : CGFloat(forSize)
        let up: (CGFloat) -> Int = { $0.isFinite ? Int(min(100_000_000, max(0, $0)).rounded(.up)) : 0 }
        if orientation == GTK_ORIENTATION_HORIZONTAL {
            switch sizing {
            case .scrolledVertically: return (0, up(root.sizeThatFits(.unspecified).width))
            case .scrolledHorizontally, .scrolledBoth:
                let width = up(
                    root.sizeThatFits(ProposedViewSize(width: nil, height: sizing == .scrolledBoth ? nil : given)).width
                )
                return (width, width)
            case .window:
                // A window cannot be forced beyond the screen, whatever its content needs.
                return (
                    up(
                        min(WindowSize.screen.width, root.sizeThatFits(ProposedViewSize(width: 0, height: given)).width)
                    ), up(min(16_000, root.sizeThatFits(ProposedViewSize(width: nil, height: given)).width))
                )
            }
        }
        switch sizing {
        case .scrolledVertically, .scrolledBoth:
            let height = up(
                root.sizeThatFits(ProposedViewSize(width: sizing == .scrolledBoth ? nil : given, height: nil)).height)
            return (height, height)
        case .scrolledHorizontally: return (0, up(root.sizeThatFits(.unspecified).height))
        case .window:
            return (
                up(min(WindowSize.screen.height, root.sizeThatFits(ProposedViewSize(width: given, height: 0)).height)),
                up(min(16_000, root.sizeThatFits(ProposedViewSize(width: given, height: nil)).height))
            )
        }
    }

    func allocated(_ width: Int, _ height: Int) {
        insideGTK {
            graph.flush()
            layOut(CGSize(width: width, height: height))
            onSize?(size)
            located.removeAll(keepingCapacity: true)
            root.locate(.identity, now)
            sortWidgets()
        }
    }

    /// GTK's order of children is that of focus and, backwards, of picking.
    private func sortWidgets() {
        guard let widget, orderIsOld || located != order else { return }
        orderIsOld = false
        var previous: UnsafeMutablePointer<GtkWidget>?
        for child in located where gtk_widget_get_parent(child) == widget {
            if gtk_widget_get_prev_sibling(child) != previous { gtk_widget_insert_after(child, widget, previous) }
            previous = child
        }
        // Those that are not located now are not there for anybody.
        let shown = Set(located)
        var child = gtk_widget_get_first_child(widget)
        while let current = child {
            let visible: gboolean = shown.contains(current) ? 1 : 0
            if gtk_widget_get_child_visible(current) != visible { gtk_widget_set_child_visible(current, visible) }
            child = gtk_widget_get_next_sibling(current)
        }
        order = located
    }

    /// Tab goes through views in the order they were written, not by where they lie.
    func moveFocus(_ direction: GtkDirectionType) -> Bool? {
        guard let widget, direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD else { return nil }
        var all: [UnsafeMutablePointer<GtkWidget>] = []
        func collect(_ element: Element) {
            guard !element.isHidden else { return }
            if let own = element.focusWidget, gtk_widget_get_parent(own) == widget { all.append(own) }
            element.inFocusOrder.forEach(collect)
        }
        collect(root)
        if direction == GTK_DIR_TAB_BACKWARD { all.reverse() }
        let current = gtk_widget_get_focus_child(widget)
        if let current {
            guard let index = all.firstIndex(of: current) else { return nil }
            all.removeFirst(index)
        }
        return all.contains {
            ($0 == current || gtk_widget_get_mapped($0) != 0) && gtk_widget_child_focus($0, direction) != 0
        }
    }

    func snapshot(_ snapshot: OpaquePointer) {
        insideGTK {
            covers.draw(widget, snapshot) { snapshot in
                let context = DrawContext(snapshot: snapshot, now: now, container: widget)
                root.render(context)
                context.finish()
            }
        }
    }
}
