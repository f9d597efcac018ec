import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// A sheet of the phone style: a panel as wide as the window, at the window's bottom edge.
///
/// The window's content stays visible behind a shade, without input. A click on the shade closes the sheet. The panel
/// slides in from below and out again, unless the user prefers reduced motion.
final class SheetPanelElement: CoverElement {
    let shade = SheetShadeElement()
    /// The space above a sheet of the full height, in points.
    static let topSpace: CGFloat = 40

    init() {
        super.init()
        shade.panel = self
    }
    override var showsBelow: Bool { true }

    /// Returns the frame of the panel in a window of `size`.
    func panel(in size: CGSize) -> CGRect {
        let most = max(0, size.height - SheetPanelElement.topSpace)
        let settings = (children.first as? SheetElement)?.settings
        let height = min(most, settings?.height(in: size.height) ?? most)
        return CGRect(x: 0, y: size.height - height, width: size.width, height: height)
    }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let panel = panel(in: size)
        for child in children { child.place(panel, ProposedViewSize(panel.size)) }
    }
    override func contains(_ point: CGPoint) -> Bool { panel(in: bounds.size).contains(point) }

    override func draw(_ context: DrawContext, _ size: CGSize) {
        guard !showsOnlyPicker else { return drawChildren(context) }
        let panel = panel(in: size)
        // The lower corners are below the window's edge.
        let outline = RoundedRect(
            rect: CGRect(x: 0, y: panel.minY, width: panel.width, height: panel.height + Radius.window),
            radii: CGSize(width: Radius.window, height: Radius.window))
        context.clipped(outline) {
            context.color(background, panel)
            drawChildren(context)
        }
    }

    override func changeCovers(of window: WindowRoot, _ change: () -> Void) {
        guard !Motion.isReduced else { return change() }
        let animation = Animation.easeOut(duration: Motion.pushSeconds)
        let size = window.frame.size
        let share = size.height > 0 ? panel(in: size).height / size.height : 1
        zoom = Zoom(slide: Zoom.Slide(distance: share, isVertical: true), animation: animation)
        shade.zoom = Zoom(source: nil, animation: animation)
        change()
        zoom = nil
        shade.zoom = nil
    }
}

/// The shade between a sheet and the window's content. Its widget keeps the pointer from the widgets below.
final class SheetShadeElement: Element, DrawnElement, WidgetOwner {
    weak var panel: SheetPanelElement?
    private var widget: GTKWidget?
    private var click: EventController?
    private static let color = Color.Components(red: 0, green: 0, blue: 0, opacity: 0.2)

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        CGSize(width: proposal.width ?? 0, height: proposal.height ?? 0)
    }
    override func contains(_ point: CGPoint) -> Bool { bounds.contains(point) }
    func draw(_ context: DrawContext, _ size: CGSize) {
        guard panel?.showsOnlyPicker != true else { return }
        context.color(SheetShadeElement.color, CGRect(origin: .zero, size: size))
    }

    override func attached(to host: any ElementHost) {
        guard let container = host.container, let raw = ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_GROUP, owner: self)
        else { return }
        widget = raw
        raw.setParent(container)
        click = EventController(GTKClickGesture(), on: raw)
        click?.onClick("pressed") { [weak self] _, x, y in
            // The pointer may leave the panel before it is released.
            if self?.panel?.contains(CGPoint(x: x, y: y)) == true { self?.click?.deny() }
        }
        click?.onClick("released") { [weak self] _, x, y in self?.clicked(CGPoint(x: x, y: y)) }
    }
    override func detached(from host: any ElementHost) {
        click?.remove()
        click = nil
        widget?.unparent()
        widget = nil
    }
    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        if let widget { host?.position(widget, transform, size) }
    }
    override func inertChanged() { widget?.setCanTarget(!isInert) }

    /// Closes the sheet, unless the click is on the panel, which is over the shade but has no widget of its own.
    func clicked(_ point: CGPoint) {
        guard let panel, !isInert, !panel.contains(point) else { return }
        panel.onCancel?()
    }
}
