import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// The menu of a list row, if the row's content has one.
struct RowMenu { weak var element: ContextMenuElement? }

/// An element that opens a menu when its content is clicked with the right button.
///
/// It handles the host's events after the widgets in the content. Controls in the content therefore keep their own
/// reactions to clicks.
final class ContextMenuElement: WrapperElement, WidgetOwner {
    private let source: EntriesElement
    private let areRowActions: Bool
    var isEnabled = true
    private var controllers: [EventController] = []
    private var keys: WindowShortcuts?

    /// An open menu and its anchor, a widget at this element's position to which the menu is attached.
    private struct Opened {
        let anchor: GTKReference<GTKWidget>
        let popover: GTKReference<GTKPopover>
        let model: MenuModel
        var closed: SignalConnection?
        var isShown = false
    }
    private var opened: Opened?

    init(_ source: EntriesElement, areRowActions: Bool = false) {
        self.source = source
        self.areRowActions = areRowActions
        super.init()
    }

    /// The entries that the menu would have if it opened now.
    ///
    /// Only the innermost menu opens, so it also has the entries of the menus around it that are actions of the row. If
    /// the innermost entries are actions of the row themselves, the first other menu around them is included too.
    var entries: [MenuEntry] {
        var all = source.menuEntries
        var hasOnlyRowActions = areRowActions
        var ancestor = parent
        while let current = ancestor, !(current is ListElement) {
            if let outer = current as? ContextMenuElement, outer.areRowActions || hasOnlyRowActions {
                let more = outer.source.menuEntries
                if !all.isEmpty, !more.isEmpty { all.append(.divider) }
                all += more
                hasOnlyRowActions = hasOnlyRowActions && (outer.areRowActions || more.isEmpty)
            }
            ancestor = current.parent
        }
        return all
    }

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
            // A click opens only one menu. A scroll area in this view may already have opened a menu for this event.
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

    // MARK: Opening

    /// The timestamp of the event that last opened a menu.
    private static var lastTime: UInt32 = 0

    override func trait<T>(_ type: T.Type) -> T? {
        if let menu = RowMenu(element: self) as? T, !source.menuEntries.isEmpty { return menu }
        return super.trait(type)
    }

    /// The list row that this menu belongs to, or nil if this element is not the whole content of a row.
    private var row: (list: ListElement, element: Element)? {
        var element: Element = self
        while let parent = element.parent {
            if let list = parent as? ListElement { return (list, element) }
            guard parent.trait(RowMenu.self)?.element === self else { return nil }
            element = parent
        }
        return nil
    }

    /// Returns whether this menu opens for a click at `point`.
    ///
    /// - Parameter point: A point in the host's coordinates.
    func takes(_ point: CGPoint) -> Bool {
        guard isEnabled, !isInert, !source.menuEntries.isEmpty else { return false }
        // A row's menu opens anywhere in the row, not only on its content.
        if let row, let rect = row.list.rectInHost(of: row.element), rect.contains(point) { return true }
        return hit(point) != nil
    }

    /// Opens the menu at `point` unless a menu inside this view opens there. Returns whether the menu is open.
    ///
    /// - Parameter point: A point in the host's coordinates.
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
        // While a list has the keyboard focus, the keys act on its selected row.
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
            // Close later: the action of the selected entry runs after the menu is closed.
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

    /// Opens the menu when the anchor has its position. Before that, the menu would be a surface without a size.
    func allocated(_ width: Int, _ height: Int) {
        guard let opened else { return }
        let popover = opened.popover
        guard !opened.isShown else { return popover.object.place() }
        self.opened?.isShown = true
        // Open later, because GTK is allocating.
        OnMain.later { [weak self] in if self?.opened?.popover === popover { popover.object.open() } }
    }
}
