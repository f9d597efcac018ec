import GTK
import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// The pages of a tab view, of which one is visible, or two during a swipe.
struct TabDeck: _PrimitiveView {
    let pages: [TabPage]
    let index: Int
    let isPaged: Bool
    let select: @MainActor (Int) -> Void
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(
            view, inputs, DeckElement(),
            content: { view in
                ForEach(view.pages, id: \.id) { LazyContent(content: $0.content) }
            }
        ) { element, view, fiber in
            element.set(view, isStill: fiber.environment.accessibilityReduceMotion)
        }
    }
}

final class DeckElement: Element, DrawnElement {
    private var view: TabDeck?
    private var isStill = false
    /// The number of the page at the leading edge, with a fraction during a swipe.
    private var position: Animated<Double>?
    /// The distance of the current drag, in pages. Positive values move toward the next page.
    private var dragged = 0.0
    private var drag: EventController?
    private var shortcuts: WindowShortcuts?

    var index: Int { view?.index ?? 0 }
    private var isPaged: Bool { view?.isPaged ?? false }
    /// The step to the page on the right, which is the previous page in a right-to-left layout.
    private var rightStep: Int { isMirrored ? -1 : 1 }

    func set(_ view: TabDeck, isStill: Bool) {
        let old = self.view
        self.view = view
        self.isStill = isStill
        guard old?.index != view.index || old?.isPaged != view.isPaged || old?.pages.count != view.pages.count else {
            return
        }
        go(to: view.index, animated: old != nil && view.isPaged)
        setNeedsLayout()
        // A page that is left disappears in this update. The same update may show a view inside it, for example by
        // removing the page that covers the view. Before the layout, that view would appear for a moment.
        guard old?.pages.map(\.id) == view.pages.map(\.id) else { return }
        let shownPosition = shownPosition
        for (number, child) in children.enumerated() where !isVisible(number, at: shownPosition) {
            (child as? LazyElement)?.isVisible = false
        }
    }

    private func go(to index: Int, animated: Bool) {
        let now = host?.now ?? 0
        guard animated, !isStill, host?.container != nil, var moving = position else {
            position = Animated(Double(index))
            dragged = 0
            return
        }
        // The animation starts where the drag ended.
        moving.set(moving.value(now) + dragged, nil, now: now)
        moving.set(Double(index), Motion.slow, now: now)
        dragged = 0
        position = moving
        host?.animate()
    }

    override func isAnimatingItself(_ now: Double) -> Bool {
        guard let position, position.isRunning(now) else {
            if isBetween { arrange() }
            return false
        }
        arrange()
        return true
    }
    private var isBetween = false

    // MARK: Layout

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        if let width = proposal.width, let height = proposal.height { return CGSize(width: width, height: height) }
        let shown = children.indices.contains(index) ? children[index] : nil
        (shown as? LazyElement)?.create()
        let ideal = shown?.sizeThatFits(proposal) ?? .zero
        return CGSize(width: proposal.width ?? ideal.width, height: proposal.height ?? ideal.height)
    }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) { arrange(size) }

    /// The position now, with the distance of the drag.
    private var shownPosition: Double { (position?.value(host?.now ?? 0) ?? Double(index)) + dragged }
    private func isVisible(_ number: Int, at position: Double) -> Bool {
        isPaged ? abs(Double(number) - position) < 1 : number == index
    }

    /// Places the pages according to the current position, and creates those that are visible.
    private func arrange(_ size: CGSize? = nil) {
        let size = size ?? frame.size
        let shownPosition = shownPosition
        isBetween = shownPosition != shownPosition.rounded()
        for (number, child) in children.enumerated() {
            let isVisible = isVisible(number, at: shownPosition)
            if let lazy = child as? LazyElement {
                if isVisible { lazy.create() }
                lazy.isOffscreen = !isVisible
                lazy.isVisible = isVisible
            }
            guard isVisible else { continue }
            let inner = child.sizeThatFits(ProposedViewSize(size))
            let x = isPaged ? (Double(number) - shownPosition) * size.width : 0
            child.place(
                CGRect(
                    x: x + (size.width - inner.width) / 2, y: (size.height - inner.height) / 2, width: inner.width,
                    height: inner.height), ProposedViewSize(size))
        }
    }

    func draw(_ context: DrawContext, _ size: CGSize) {
        guard isPaged, isBetween else { return drawChildren(context) }
        context.clipped(CGRect(origin: .zero, size: size)) { drawChildren(context) }
    }

    override func contains(_ point: CGPoint) -> Bool { bounds.contains(point) }

    // MARK: Swiping and keys

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        drag = EventController(GTKDragGesture(), on: container)
        drag?.onPoint("drag-begin") { [weak self] x, y in
            guard let self, isPaged, isShown, hit(CGPoint(x: x, y: y)) != nil else {
                self?.drag?.deny()
                return
            }
        }
        drag?.onPoint("drag-update") { [weak self] x, _ in self?.dragMoved(x) }
        drag?.onPoint("drag-end") { [weak self] x, _ in self?.dragEnded(x) }
        drag?.on("cancel") { [weak self] in self?.returnToPage() }
        shortcuts = WindowShortcuts(on: container, phase: GTK_PHASE_CAPTURE)
        shortcuts?.add(GDK_KEY_Left) { [weak self] in self.map { $0.turn(-$0.rightStep) } ?? false }
        shortcuts?.add(GDK_KEY_Right) { [weak self] in self.map { $0.turn($0.rightStep) } ?? false }
        shortcuts?.add(GDK_KEY_Page_Up, GDK_CONTROL_MASK) { [weak self] in self?.turn(-1, always: true) ?? false }
        shortcuts?.add(GDK_KEY_Page_Down, GDK_CONTROL_MASK) { [weak self] in self?.turn(1, always: true) ?? false }
    }

    override func detached(from host: any ElementHost) {
        drag?.remove()
        drag = nil
        shortcuts?.remove()
        shortcuts = nil
    }

    private func turn(_ step: Int, always: Bool = false) -> Bool {
        guard isPaged || always, isShown, !isInert, always || shortcuts?.isFocusIdle == true,
            children.indices.contains(index + step)
        else { return false }
        view?.select(index + step)
        return true
    }

    /// - Parameter x: The distance from the beginning of the drag, in points.
    func dragMoved(_ x: Double) {
        guard isPaged, frame.width > 0 else { return }
        if abs(x) > 8 { drag?.claim() }
        // Beyond the first and the last page, the pages move only a third of the distance.
        let target = Double(index) - Double(rightStep) * x / frame.width
        let last = Double(max(0, children.count - 1))
        let damped = target < 0 ? target / 3 : target > last ? last + (target - last) / 3 : target
        position = Animated(Double(index))
        dragged = min(1, max(-1, damped - Double(index)))
        arrange()
        host?.needsPlacement()
        host?.needsDisplay()
    }

    /// - Parameter x: The distance from the beginning of the drag, in points.
    func dragEnded(_ x: Double) {
        guard isPaged, frame.width > 0, dragged != 0 else { return }
        let next = dragged > 0.25 ? index + 1 : dragged < -0.25 ? index - 1 : index
        guard next != index, children.indices.contains(next) else { return returnToPage() }
        view?.select(next)
        // If the selection rejects the page, the update does not move to it, and the drag has not ended yet.
        (host as? ElementSurface)?.graph.after { [weak self] in self?.returnToPage() }
    }

    private func returnToPage() {
        guard dragged != 0 else { return }
        go(to: index, animated: true)
        arrange()
        host?.needsPlacement()
        host?.needsDisplay()
    }
}
