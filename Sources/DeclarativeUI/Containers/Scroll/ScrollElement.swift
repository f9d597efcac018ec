import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// A scroll area: a `GtkScrolledWindow` whose child is a separate surface with its own elements.
///
/// GTK scrolls by wheel, touch, keys and focus, and reports the offset. The surface then creates the rows that have
/// come near the visible area. Without a display, the area is only laid out and drawn, and `scroll(to:)` scrolls it.
final class ScrollElement: WidgetElement, PositionFollower {
    private let graph: ViewGraph
    private let root = ScrolledRoot()
    private let stack = StackElement(axis: .vertical)
    private(set) var surface: ElementSurface?
    /// The offset of the visible area in the content, in points.
    private(set) var offset = CGPoint.zero
    private(set) var bars = ScrollBars()
    let input = ScrollInput()
    let settling = ScrollSettling()
    let followers = SizeFollowers()
    /// Called when views in the area may have been added or changed.
    var onContentChange: (() -> Void)?
    private var focus = ScrollFocus()
    private var goals = ScrollGoals()
    private var isMovedByCode = false
    private var isAllocating = false

    private let role: GtkAccessibleRole

    /// Creates a scroll area.
    ///
    /// - Parameters:
    ///   - graph: The graph that the elements belong to.
    ///   - role: The role of the content for assistive technology.
    init(graph: ViewGraph, role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_GROUP) {
        self.graph = graph
        self.role = role
        super.init()
        root.setChildren([stack])
        root.onChange = { [weak self] in self?.contentChanged() }
        root.onTick = { [weak self] in self?.glide($0) ?? false }
        settling.onQuiet = { [weak self] in self?.settle() }
    }

    func set(_ bars: ScrollBars) {
        guard bars != self.bars else { return }
        self.bars = bars
        root.axes = bars.axes
        surface?.sizing = bars.sizing
        setNeedsLayout()
        update()
    }

    /// Lays out several views below each other, even if the area scrolls horizontally.
    override func setChildren(_ new: [Element]) { stack.setChildren(new) }

    /// The root of the elements in the scroll area. They are not children of this element, because they belong to
    /// another surface.
    var scrolledContent: Element { root }

    override func hasSpace(_ name: AnyHashable) -> Bool {
        ScrollSpace.isName(name, ofScrollingAlong: bars.axes)
    }

    // MARK: Widget

    override func directionChanged() {
        super.directionChanged()
        root.direction = isMirrored ? .rightToLeft : .leftToRight
    }

    override func inertChanged() {
        super.inertChanged()
        root.setInert(isInert)
    }

    override func attached(to host: any ElementHost) {
        let surface = ElementSurface(
            root: root, graph: graph, display: host.container != nil, enclosing: self, role: role)
        surface.sizing = bars.sizing
        surface.visibleRect = CGRect(origin: offset, size: frame.size)
        self.surface = surface
        super.attached(to: host)
    }

    override func detached(from host: any ElementHost) {
        input.remove()
        surface?.close()
        super.detached(from: host)
        surface = nil
    }

    override func makeWidget() -> GTKWidget? {
        guard let inner = surface?.widget else { return nil }
        let scroller = GTKScrolledWindow()
        Stylesheet.bare.ensure()
        scroller.setChild(inner)
        // Without a label, GTK 4.8 would read the name of the widget's class.
        if role == GTK_ACCESSIBLE_ROLE_LIST { inner.setAccessibleLabel(accessibility.label ?? "") }
        for adjustment in [scroller.horizontal, scroller.vertical] {
            connect(adjustment, "value-changed") { [weak self] in self?.scrolledByGTK() }
        }
        connect(scroller, "state-flags-changed") { [weak self] in
            guard let self else { return }
            if !scroller.isFocus { focus.forgetKeys() }
            if focus.update(showsFocus) { root.setNeedsDisplay() }
        }
        input.connect(
            to: scroller,
            keyUsed: { [weak self] in
                self?.focus.keyUsed()
                self?.showFocus()
            }, notch: { [weak self] dx, dy in self?.scrollPage(dx, dy) ?? false })
        return scroller.widget
    }

    private var scroller: GTKScrolledWindow? { widget?.as(GTKScrolledWindow.self) }

    override func configure(_ widget: GTKWidget) {
        scroller?.setBars(horizontal: bars.policy(.horizontal), vertical: bars.policy(.vertical))
    }

    override func willRemove(_ widget: GTKWidget) {
        scroller?.setChild(nil)
    }

    override func applyAccessibility(replacing old: AccessibilityTexts) {
        super.applyAccessibility(replacing: old)
        if role == GTK_ACCESSIBLE_ROLE_LIST, let inner = surface?.widget {
            inner.setAccessibleLabel(accessibility.label ?? "")
        }
    }

    /// Whether this area has the keyboard focus and shows it.
    var showsFocus: Bool {
        guard let widget else { return false }
        return focus.isShown(hasFocus: widget.isFocus, isVisibleInGTK: widget.hasVisibleFocus)
    }
    private func showFocus() {
        focus.update(showsFocus)
        root.setNeedsDisplay()
    }

    /// Takes the keyboard focus because of a click. A focus ring is not needed, because the user knows where the
    /// pointer is.
    func takeFocus() {
        focus.forgetKeys()
        widget?.grabFocus()
        showFocus()
    }

    // MARK: Resting position

    /// Scrolls one page along one axis for a notch of the wheel, and returns whether the event was used. Touch gestures
    /// move the content freely, and the content then comes to rest at a page.
    func scrollPage(_ dx: Double, _ dy: Double) -> Bool {
        guard settling.rule == .pages else { return false }
        let isHorizontal = bars.axes == .horizontal || bars.axes.contains(.horizontal) && abs(dx) > abs(dy)
        let delta = isHorizontal && dx != 0 ? dx : dy
        guard delta != 0 else { return false }
        let step = delta > 0 ? 1 : -1
        let goal = clamped(restingOffset(step: isHorizontal ? (step, 0) : (0, step)))
        // At the first and the last page, the scroll view around this one gets the event.
        guard goal != offset || goals.isGliding else { return false }
        if !goals.isGliding { rest(at: goal) }
        return true
    }

    private func rest(at goal: CGPoint) { scroll(to: goal, Motion.standard) }

    /// Scrolls to the resting position, or calls `onRest` if it is reached.
    private func settle() {
        guard surface != nil else { return }
        if goals.isGliding { return settling.moved() }
        let goal = clamped(restingOffset())
        if abs(goal.x - offset.x) > 0.5 || abs(goal.y - offset.y) > 0.5 { return rest(at: goal) }
        settling.onRest?()
    }

    // MARK: Layout

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let content = root.sizeThatFits(proposal)
        return CGSize(
            width: bars.axes.contains(.horizontal) ? proposal.width ?? content.width : content.width,
            height: bars.axes.contains(.vertical) ? proposal.height ?? content.height : content.height)
    }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        guard let surface, size.width.isFinite, size.height.isFinite else { return }
        followers.update(size)
        let animation = graph.layoutAnimation
        // Rows that are created now may make the content longer than estimated.
        for _ in 0..<8 {
            if widget == nil { offset = clamped(offset) }
            surface.visibleRect = CGRect(origin: offset, size: size)
            let content = root.sizeThatFits(ProposedViewSize(size))
            graph.layoutAnimation = animation
            surface.layOut(CGSize(width: max(size.width, content.width), height: max(size.height, content.height)))
            if root.sizeThatFits(ProposedViewSize(size)) == content { break }
        }
        graph.layoutAnimation = animation
        if widget == nil { showPending() }
    }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        isAllocating = true
        // The scrolled window must be allocated as a whole. If only a descendant needed allocation, GTK would allocate
        // that descendant directly. The scrolled window may then request an allocation, because its bars appear or
        // disappear. Within Zoetrope's own allocation, that request would be lost, and GTK would never allocate the
        // scrolled window again.
        widget?.queueAllocate()
        super.located(transform, size)
        isAllocating = false
        // GTK discards scroll requests during allocation.
        if goals.pending != nil {
            OnMain.later { [weak self] in self?.showPending() }
        }
    }

    private func contentChanged() {
        onContentChange?()
        guard surface?.isInLayout != true, !followers.isNotifying else { return }
        if isAllocating {
            OnMain.later { [weak self] in self?.setNeedsLayout() }
        } else {
            setNeedsLayout()
        }
    }

    override func draw(_ context: DrawContext, _ size: CGSize) {
        guard widget == nil else { return super.draw(context, size) }
        context.clipped(CGRect(origin: .zero, size: size)) {
            context.translated(CGPoint(x: -offset.x, y: -offset.y)) { root.render(context) }
        }
    }

    // MARK: Scrolling

    private var adjustments: (x: GTKAdjustment, y: GTKAdjustment)? { scroller.map { ($0.horizontal, $0.vertical) } }

    private func clamped(_ point: CGPoint) -> CGPoint {
        let content = root.sizeThatFits(ProposedViewSize(frame.size))
        return CGPoint(
            x: bars.axes.contains(.horizontal) ? min(max(0, point.x), max(0, content.width - frame.width)) : 0,
            y: bars.axes.contains(.vertical) ? min(max(0, point.y), max(0, content.height - frame.height)) : 0)
    }

    /// Scrolls to `point`.
    ///
    /// - Parameters:
    ///   - point: The new offset in the content, in points, clamped to the content.
    ///   - animation: The animation, or nil to scroll at once.
    func scroll(to point: CGPoint, _ animation: Animation? = nil) {
        let goal = clamped(point)
        if let animation, let surface, surface.widget != nil {
            goals.glide(from: offset, to: goal, animation, now: surface.now)
            surface.animate()
        } else {
            goals.stopGliding()
            move(to: goal)
        }
    }

    /// Updates the content after the visible part has moved. Rows that have come near are created, and geometry readers
    /// get their new position.
    func positionChanged() { root.updateFollowers() }

    private func move(to goal: CGPoint) {
        if let adjustments {
            isMovedByCode = true
            defer { isMovedByCode = false }
            adjustments.x.value = goal.x
            adjustments.y.value = goal.y
        } else if goal != offset {
            offset = goal
            offsetChanged()
        }
    }

    /// Advances the animated scrolling to the time `now`, and returns whether the animation continues.
    private func glide(_ now: Double) -> Bool {
        guard let (point, goesOn) = goals.step(now) else { return false }
        move(to: point)
        if !goesOn, goals.arrive() { setNeedsLayout() }
        return goesOn
    }

    private func scrolledByGTK() {
        guard let adjustments else { return }
        // Scrolling by the user stops the animation.
        if !isMovedByCode { goals.interrupt() }
        offset = CGPoint(x: adjustments.x.value, y: adjustments.y.value)
        offsetChanged()
    }

    private func offsetChanged() {
        guard let surface else { return }
        surface.visibleRect = CGRect(origin: offset, size: frame.size)
        graph.change { positionChanged() }
        surface.partMoved()
        setNeedsDisplay()
        settling.moved()
    }

    // MARK: Scrolling to an element

    /// Scrolls to make `element` visible, now or, if its position is not known yet, after the next layout.
    ///
    /// - Parameters:
    ///   - element: The element to show.
    ///   - anchor: The point of the element that is aligned with the same point of the visible area. Nil scrolls as
    ///     little as possible.
    ///   - animation: The animation, or nil to scroll at once.
    func show(_ element: Element, _ anchor: UnitPoint?, _ animation: Animation? = nil) {
        // An area without a size is not visible yet, so it needs no animation: it appears at the right position.
        let animation = frame.width > 0 && frame.height > 0 ? animation : nil
        goals.setPending(ScrollGoals.Target(element: element, anchor: anchor, animation: animation))
        if contentFrame(of: element) != nil { showPending() }
    }

    private func showPending() {
        guard frame.width > 0, frame.height > 0, let target = goals.takePending() else { return }
        guard let element = target.element, let rect = contentFrame(of: element) else { return }
        let wasCreated = (element as? LazyElement)?.isCreated ?? element.isPlaced
        scroll(to: goal(rect, target.anchor), target.animation)
        guard !wasCreated else { return }
        let exact = ScrollGoals.Target(element: element, anchor: target.anchor)
        // This row and its neighbors have just been created and may have other sizes than estimated. Scroll again after
        // the next layout.
        if goals.isGliding {
            goals.setAfterGliding(exact)
        } else if widget == nil {
            layoutChildren(frame.size, proposal)
            if let rect = contentFrame(of: element) { scroll(to: goal(rect, target.anchor)) }
        } else {
            goals.setPending(exact)
        }
    }

    private func goal(_ rect: CGRect, _ anchor: UnitPoint?) -> CGPoint {
        if let anchor {
            return CGPoint(
                x: rect.minX + anchor.x * rect.width - anchor.x * frame.width,
                y: rect.minY + anchor.y * rect.height - anchor.y * frame.height)
        }
        let nearest: (CGFloat, CGFloat, CGFloat, CGFloat) -> CGFloat = { low, high, visibleStart, length in
            low < visibleStart || high - low > length
                ? low : high > visibleStart + length ? high - length : visibleStart
        }
        return CGPoint(
            x: nearest(rect.minX, rect.maxX, offset.x, frame.width),
            y: nearest(rect.minY, rect.maxY, offset.y, frame.height))
    }

    /// Returns the frame of `element` in the content, even if its row is not created yet. Returns nil if the element is
    /// elsewhere or has not been laid out.
    func contentFrame(of element: Element) -> CGRect? {
        guard element.host === surface else { return nil }
        var current = element
        while let above = current.parent {
            if above.isPlaced, let lazy = above as? any LazyContainer, let rect = lazy.estimatedFrame(of: current) {
                let origin = above.frameInHost.origin
                let row = rect.offsetBy(dx: origin.x, dy: origin.y)
                guard current !== element, current.lazyRow?.isOffscreen != true else { return row }
                return element.isPlaced ? element.frameInHost : nil
            }
            current = above
        }
        return element.isPlaced ? element.frameInHost : nil
    }
}

/// The root element of a scroll area's content. Along the axes that scroll, it is as long as the content's ideal
/// length.
final class ScrolledRoot: Element {
    var axes: Axis.Set = .vertical {
        didSet { if axes != oldValue { setNeedsLayout() } }
    }
    /// Called when the size of a descendant may have changed.
    var onChange: (() -> Void)?
    var onTick: ((Double) -> Bool)?

    private func inner(_ proposal: ProposedViewSize) -> ProposedViewSize {
        ProposedViewSize(
            width: axes.contains(.horizontal) ? nil : proposal.width,
            height: axes.contains(.vertical) ? nil : proposal.height)
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        children.first?.sizeThatFits(inner(proposal)) ?? .zero
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let offered = inner(proposal)
        for child in children { child.place(CGRect(origin: .zero, size: child.sizeThatFits(offered)), offered) }
    }
    override func forgetArrangement(of child: Element?) { onChange?() }
    override func isAnimatingItself(_ now: Double) -> Bool { onTick?(now) ?? false }
}
