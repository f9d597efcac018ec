import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// The menu of a list's row, where its content has one.
struct RowMenu { weak var element: ContextMenuElement? }

/// Opens a menu where its content is clicked with the right button. The host's events are watched, after the widgets in
/// the content had them: controls in it keep what they make of a click.
final class ContextMenuElement: WrapperElement, WidgetOwner {
    private let source: EntriesElement
    var isEnabled = true
    private var controllers: [EventController] = []
    private var keys: WindowShortcuts?

    /// The menu that is open, and the widget at this element's place that it belongs to.
    private struct Opened {
        let anchor: GTKReference<GTKWidget>
        let popover: GTKReference<GTKPopover>
        let model: MenuModel
        var closed: SignalConnection?
        var isShown = false
    }
    private var opened: Opened?

    init(_ source: EntriesElement) {
        self.source = source
        super.init()
    }

    /// The menu as it would open now.
    var entries: [MenuEntry] { source.menuEntries }

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        let click = GTKClickGesture()
        click.setButton(3)
        watch(EventController(click, on: container)) { controller, open in
            controller.onClick("pressed") { _, x, y in open(x, y) }
        }
        let hold = GTKLongPressGesture()
        hold.setTouchOnly(true)
        watch(EventController(hold, on: container)) { controller, open in
            controller.onPoint("pressed") { x, y in open(x, y) }
        }
        keys = WindowShortcuts(on: container)
        for (key, modifiers) in [(GDK_KEY_Menu, GdkModifierType(rawValue: 0)), (GDK_KEY_F10, GDK_SHIFT_MASK)] {
            keys?.add(key, modifiers) { [weak self] in self?.openAtFocus() ?? false }
        }
    }

    private func watch(
        _ controller: EventController,
        _ connect: (EventController, @escaping @MainActor (Double, Double) -> Void) -> Void
    ) {
        connect(controller) { [weak self, weak controller] x, y in
            // One menu a click: a scrolled area in this view may have taken it.
            guard let self, let time = controller?.time, time == 0 || time != ContextMenuElement.lastTime,
                opens(at: CGPoint(x: x, y: y))
            else { return }
            ContextMenuElement.lastTime = time
            controller?.claim()
        }
        controllers.append(controller)
    }

    override func detached(from host: any ElementHost) {
        close()
        for controller in controllers { controller.remove() }
        controllers = []
        keys?.remove()
        keys = nil
    }

    // MARK: opening

    /// Of the event that opened a menu last.
    private static var lastTime: UInt32 = 0

    override func trait<T>(_ type: T.Type) -> T? { RowMenu(element: self) as? T ?? super.trait(type) }

    /// The row of a list that this menu is of: this element is all of the row's content.
    private var row: (list: ListElement, element: Element)? {
        var element: Element = self
        while let parent = element.parent {
            if let list = parent as? ListElement { return (list, element) }
            guard parent.trait(RowMenu.self)?.element === self else { return nil }
            element = parent
        }
        return nil
    }

    /// - Parameter point: in the host.
    func takes(_ point: CGPoint) -> Bool {
        guard isEnabled, !isInert, !source.menuEntries.isEmpty else { return false }
        // A row's menu opens on the whole row, not only on its words.
        if let row, let rect = row.list.rectInHost(of: row.element), rect.contains(point) { return true }
        return hit(point) != nil
    }

    /// - Parameter point: in the host.
    private func opens(at point: CGPoint) -> Bool {
        func isInner(_ element: Element) -> Bool {
            element.children.contains { ($0 as? ContextMenuElement)?.takes(point) == true || isInner($0) }
        }
        guard takes(point), !isInner(self), let own = fromHost(point) else { return false }
        return open(at: own)
    }

    private func openAtFocus() -> Bool {
        guard let container = host?.container, let focus = container.root?.focus
        else { return false }
        // The keyboard of a list is for its chosen row.
        if let row, let list = (host?.enclosing as? WidgetElement)?.widget, list == focus, row.list.hasChosenRow {
            guard row.list.isChosen(row.element), let rect = row.list.rectInHost(of: row.element) else { return false }
            return opens(at: CGPoint(x: rect.midX, y: rect.midY))
        }
        let center = CGPoint(x: Double(focus.width) / 2, y: Double(focus.height) / 2)
        return focus.convert(center, to: container).map { opens(at: $0) } ?? false
    }

    private func open(at point: CGPoint) -> Bool {
        close()
        guard let host, let container = host.container,
            let anchor = ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_GROUP, owner: self).map({ GTKReference($0) })
        else { return false }
        let model = MenuModel(entries)
        let popover = GTKReference(GTKPopover(menu: model.menu))
        anchor.object.setCanTarget(false)
        anchor.object.setParent(container)
        anchor.object.insertActions(model.group, as: MenuModel.prefix)
        popover.object.setParent(anchor.object)
        popover.object.placeMenu(at: point)
        var opened = Opened(anchor: anchor, popover: popover, model: model)
        opened.closed = SignalConnection(popover.object, "closed") { [weak self] in
            // Not now: what was chosen is done after the menu is closed.
            OnMain.later { [weak self] in if let self, self.opened?.popover === popover { self.close() } }
        }
        self.opened = opened
        host.structureChanged()
        host.needsPlacement()
        return true
    }

    private func close() {
        guard let opened else { return }
        self.opened = nil
        opened.closed?.disconnect()
        opened.popover.object.unparent()
        opened.anchor.object.insertActions(nil, as: MenuModel.prefix)
        opened.anchor.object.unparent()
        host?.structureChanged()
    }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        if let opened { host?.position(opened.anchor.object, transform, size) }
    }

    /// The anchor has a place: without one the menu would be a surface of no size.
    func allocated(_ width: Int, _ height: Int) {
        guard let opened else { return }
        let popover = opened.popover
        guard !opened.isShown else { return popover.object.place() }
        self.opened?.isShown = true
        // Not now: GTK is allocating.
        OnMain.later { [weak self] in if self?.opened?.popover === popover { popover.object.open() } }
    }
}
