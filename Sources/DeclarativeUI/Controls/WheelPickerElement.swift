import MediaCore
import CGTK
import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// A picker as a wheel: the selected option is in the middle, on a rounded band. The others are above and below it, and
/// become smaller and fainter with the distance.
///
/// A notch of the mouse wheel turns the wheel by one option. On a touchpad, a movement by the height of an option does
/// the same. A drag moves the options, and a click selects the option under the pointer. With the keyboard focus, the
/// wheel handles the keys Up, Down, Page Up, Page Down, Home and End.
final class WheelPickerElement: PickerElement {
    private var controllers: [EventController] = []
    /// The index of the option in the middle, which is a fraction while the wheel turns.
    private var position = Animated(0.0)
    /// The position of the wheel and of the pointer when the drag began. Nil while the user does not drag.
    private var dragStart: (position: Double, y: Double)?
    /// The part of a scroll movement that has not turned the wheel yet, in options.
    private var scrolled = 0.0
    private static let rowCount = 5, leastRowHeight: CGFloat = 30
    /// The maximum width without wider options, in points.
    private static let usualWidth: CGFloat = 320
    /// The decrease of an option's scale and opacity for each row of distance from the middle.
    private static let shrinkage = 0.08, fading = 0.35

    // MARK: Widget

    override func makeWidget() -> GTKWidget? {
        let box = GTKBox(role: GTK_ACCESSIBLE_ROLE_SPIN_BUTTON)
        let widget = box.widget
        widget.isFocusable = true
        connect(widget, "state-flags-changed") { [weak self] in self?.setNeedsDisplay() }
        let keys = EventController(GTKKeyController(), on: widget)
        keys.onKey { [weak self] key, modifiers in
            guard modifiers.rawValue & (GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue) == 0 else { return false }
            return self?.pressed(KeyEquivalent(symbol: key)) ?? false
        }
        let scroll = EventController(GTKScrollController(), on: widget)
        scroll.onScroll { [weak self, weak scroll] _, dy in
            self?.scroll(dy, isPrecise: scroll?.isScrollPrecise ?? false) ?? false
        }
        let drag = EventController(GTKDragGesture(), on: widget)
        drag.onPoint("drag-begin") { [weak self] _, y in
            self?.widget?.grabFocus()
            self?.dragBegan(y)
        }
        drag.onPoint("drag-update") { [weak self, weak drag] _, y in
            if abs(y) > WheelPickerElement.clickDistance { drag?.claim() }
            self?.dragged(y)
        }
        drag.onPoint("drag-end") { [weak self] _, y in self?.dragEnded(y) }
        drag.on("cancel") { [weak self] in self?.settle() }
        controllers = [keys, scroll, drag]
        return widget
    }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        for controller in controllers { controller.remove() }
        controllers = []
        dragStart = nil
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        widget.setAccessibleDescription(selectedTitle)
    }

    /// Assistive technology reads the selected option as the description of the wheel.
    override func includesText(of child: Element) -> Bool { true }

    // MARK: Turning

    /// The distance below which a drag counts as a click, in points.
    private static let clickDistance = 4.0

    override func selectedChanged() { settle() }

    /// Turns the wheel to the selected option.
    private func settle() {
        dragStart = nil
        let target = Double(selected ?? 0)
        guard let host, isPlaced else {
            position = Animated(target)
            return
        }
        position.set(target, Motion.standard, now: host.now)
        host.animate()
        setNeedsDisplay()
    }

    override func isAnimatingItself(_ now: Double) -> Bool { position.isRunning(now) }

    /// Selects the option at `index`, or the first or last option if there is none.
    private func turn(to index: Int) {
        guard !options.isEmpty else { return }
        choose(min(max(0, index), options.count - 1))
    }

    /// Handles a key, and returns whether it turns the wheel.
    func pressed(_ key: KeyEquivalent?) -> Bool {
        let index = selected ?? 0
        switch key {
        case .upArrow: turn(to: index - 1)
        case .downArrow: turn(to: index + 1)
        case .pageUp: turn(to: index - WheelPickerElement.rowCount)
        case .pageDown: turn(to: index + WheelPickerElement.rowCount)
        case .home: turn(to: 0)
        case .end: turn(to: options.count - 1)
        default: return false
        }
        return true
    }

    /// Turns the wheel by a scroll movement. Returns true, so that a page around the wheel does not scroll.
    ///
    /// - Parameters:
    ///   - dy: The distance: down is positive.
    ///   - isPrecise: Whether the distance is in points, not in notches of a mouse wheel.
    func scroll(_ dy: Double, isPrecise: Bool) -> Bool {
        guard dy.isFinite, isEnabled else { return false }
        scrolled += isPrecise ? dy / Double(rowHeight) : dy
        let steps = scrolled.rounded(.towardZero)
        scrolled -= steps
        if let count = Int(exactly: steps), count != 0 { turn(to: (selected ?? 0) + count) }
        return true
    }

    /// Begins a drag at `y`, in the element's coordinates. `dragged` and `dragEnded` take the distance from there.
    func dragBegan(_ y: Double) { dragStart = (position.value(host?.now ?? 0), y) }
    func dragged(_ distance: Double) {
        guard let dragStart else { return }
        // Beyond the first and the last option, the wheel stops half an option later.
        let end = Double(max(0, options.count - 1)) + 0.5
        let moved = dragStart.position - distance / Double(rowHeight)
        position = Animated(min(max(-0.5, moved), end))
        setNeedsDisplay()
    }
    func dragEnded(_ distance: Double) {
        guard let start = dragStart else { return }
        dragged(distance)
        let clicked = ((start.y - Double(frame.height) / 2) / Double(rowHeight)).rounded()
        let isClick = abs(distance) < WheelPickerElement.clickDistance
        let target = (isClick ? start.position + clicked : position.target).rounded()
        dragStart = nil
        // A click beside the options selects none.
        if let index = Int(exactly: target), !isClick || options.indices.contains(index) { turn(to: index) }
        settle()
    }

    // MARK: Layout

    /// The height of an option, in points.
    private var rowHeight: CGFloat {
        max(
            WheelPickerElement.leastRowHeight,
            (children.map { $0.sizeThatFits(.unspecified).height }.max() ?? 0) + Space.regular)
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let ideal = (children.map { $0.sizeThatFits(.unspecified).width }.max() ?? 0) + 2 * Space.edge
        let width = proposal.width.map { min($0, max(ideal, WheelPickerElement.usualWidth)) } ?? ideal
        let height = rowHeight * CGFloat(WheelPickerElement.rowCount)
        return CGSize(width: max(0, width), height: max(rowHeight, min(height, proposal.height ?? height)))
    }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let space = ProposedViewSize(width: max(0, size.width - 2 * Space.edge), height: nil)
        for child in children {
            let inner = child.sizeThatFits(space)
            child.place(
                CGRect(
                    x: (size.width - inner.width) / 2, y: (size.height - inner.height) / 2, width: inner.width,
                    height: inner.height), space)
        }
    }

    // MARK: Drawing

    override func draw(_ context: DrawContext, _ size: CGSize) {
        let height = rowHeight
        let whole = CGRect(origin: .zero, size: size)
        let band = RoundedRect(
            rect: CGRect(x: 0, y: (size.height - height) / 2, width: size.width, height: height),
            radii: CGSize(width: Radius.control, height: Radius.control))
        context.clipped(band) {
            context.color(Shade.ground.resolved(dark: isDark, accent: nil), band.rect)
        }
        let middle = position.value(context.now)
        context.clipped(whole) {
            for (index, option) in options.enumerated() {
                let distance = Double(index) - middle
                let opacity = 1 - WheelPickerElement.fading * abs(distance)
                guard opacity > 0 else { continue }
                let scale = 1 - WheelPickerElement.shrinkage * abs(distance)
                let moved = CGAffineTransform(scaleX: scale, y: scale).around(.center, whole)
                    .concatenating(CGAffineTransform(translationX: 0, y: distance * height))
                context.transformed(moved) { context.faded(opacity) { option.element.render(context) } }
            }
        }
        guard let ring, widget?.hasVisibleFocus == true else { return }
        FocusRing.draw(ring, around: band, context)
    }
}
