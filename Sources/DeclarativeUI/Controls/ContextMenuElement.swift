import CGTK
import Foundation
import GLibSupport
import GTKSupport
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
        let anchor: UnsafeMutablePointer<GtkWidget>
        let popover: UnsafeMutablePointer<GtkWidget>
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
        if let click = gtk_gesture_click_new() {
            gtk_gesture_single_set_button(click, 3)
            watch(EventController(click, on: container)) { controller, open in
                controller.onClick("pressed") { _, x, y in open(x, y) }
            }
        }
        if let hold = gtk_gesture_long_press_new() {
            gtk_gesture_single_set_touch_only(hold, 1)
            watch(EventController(hold, on: container)) { controller, open in
                controller.onPoint("pressed") { x, y in open(x, y) }
            }
        }
        keys = WindowShortcuts(on: container)
        for (key, modifiers) in [(GDK_KEY_Menu, GdkModifierType(rawValue: 0)), (GDK_KEY_F10, GDK_SHIFT_MASK)] {
            keys?.add(key, modifiers) { [weak self] in self?.openAtFocus() ?? false }
        }
    }

    private func watch(
        _ controller: EventController?,
        _ connect: (EventController, @escaping @MainActor (Double, Double) -> Void) -> Void
    ) {
        guard let controller else { return }
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
        let rect = frameInHost
        return rect.contains(point) && contains(CGPoint(x: point.x - rect.minX, y: point.y - rect.minY))
    }

    /// - Parameter point: in the host.
    private func opens(at point: CGPoint) -> Bool {
        func isInner(_ element: Element) -> Bool {
            element.children.contains { ($0 as? ContextMenuElement)?.takes(point) == true || isInner($0) }
        }
        guard takes(point), !isInner(self) else { return false }
        let rect = frameInHost
        return open(at: CGPoint(x: point.x - rect.minX, y: point.y - rect.minY))
    }

    private func openAtFocus() -> Bool {
        guard let container = host?.container, let root = gtk_widget_get_root(container),
            let focus = gtk_root_get_focus(root)
        else { return false }
        // The keyboard of a list is for its chosen row.
        if let row, let list = (host?.enclosing as? WidgetElement)?.widget, list == focus, row.list.hasChosenRow {
            guard row.list.isChosen(row.element), let rect = row.list.rectInHost(of: row.element) else { return false }
            return opens(at: CGPoint(x: rect.midX, y: rect.midY))
        }
        var x = 0.0
        var y = 0.0
        guard
            gtk_widget_translate_coordinates(
                focus, container, Double(gtk_widget_get_width(focus)) / 2, Double(gtk_widget_get_height(focus)) / 2, &x,
                &y) != 0
        else { return false }
        return opens(at: CGPoint(x: x, y: y))
    }

    private func open(at point: CGPoint) -> Bool {
        close()
        guard let host, let container = host.container, let model = MenuModel(entries),
            let anchor = ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_GROUP, owner: self),
            let popover = gtk_popover_menu_new_from_model_full(model.menu, GTK_POPOVER_MENU_NESTED)
        else { return false }
        g_object_ref_sink(anchor)
        gtk_widget_set_can_target(anchor, 0)
        gtk_widget_set_parent(anchor, container)
        gtk_widget_insert_action_group(anchor, MenuModel.prefix, model.group)
        g_object_ref_sink(popover)
        gtk_widget_set_parent(popover, anchor)
        MenuPlacement.place(popover.cast(GtkPopover.self), at: point.x, point.y)
        var opened = Opened(anchor: anchor, popover: popover, model: model)
        opened.closed = SignalConnection(popover, "closed") { [weak self] in
            // Not now: what was chosen is done after the menu is closed.
            OnMain.later { [weak self] in if let self, self.opened?.popover == popover { self.close() } }
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
        gtk_widget_unparent(opened.popover)
        g_object_unref(opened.popover)
        gtk_widget_insert_action_group(opened.anchor, MenuModel.prefix, nil)
        gtk_widget_unparent(opened.anchor)
        g_object_unref(opened.anchor)
        host?.structureChanged()
    }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        if let opened { host?.position(opened.anchor, transform, size) }
    }

    /// The anchor has a place: without one the menu would be a surface of no size.
    func allocated(_ width: Int, _ height: Int) {
        guard let opened else { return }
        let popover = opened.popover.cast(GtkPopover.self)
        guard !opened.isShown else { return gtk_popover_present(popover) }
        self.opened?.isShown = true
        // Not now: GTK is allocating.
        OnMain.later { [weak self] in if self?.opened?.popover == opened.popover { gtk_popover_popup(popover) } }
    }
}
