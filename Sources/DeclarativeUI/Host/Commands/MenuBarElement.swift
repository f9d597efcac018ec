import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// A window's content below the menu bar.
final class MenuPageElement: BarredElement {
    /// What the menu bar needs, points.
    var barSize: CGSize { bar.sizeThatFits(ProposedViewSize(width: 0, height: nil)) }
}

/// GTK's menu bar, as wide as its window.
final class MenuBarElement: WidgetElement {
    private var menus: [MenuEntry] = []
    private var model: MenuModel?
    var hasMenus: Bool { !menus.isEmpty }

    func show(_ menus: [MenuEntry]) {
        self.menus = menus
        update()
        setNeedsLayout()
    }

    // It wants a model always, be it an empty one.
    override func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
        model = MenuModel(menus)
        return model.flatMap { gtk_popover_menu_bar_new_from_model($0.menu) }
    }

    override func configure(_ widget: UnsafeMutablePointer<GtkWidget>) {
        take(MenuModel(menus), widget)
    }

    override func willRemove(_ widget: UnsafeMutablePointer<GtkWidget>) { take(MenuModel([]), widget) }

    private func take(_ fresh: MenuModel?, _ widget: UnsafeMutablePointer<GtkWidget>) {
        guard let fresh else { return }
        gtk_widget_insert_action_group(widget, MenuModel.prefix, fresh.group)
        gtk_popover_menu_bar_set_menu_model(widget.opaque, fresh.menu)
        model = fresh
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let own = natural(width: nil) ?? CGSize(width: 0, height: 28)
        return CGSize(width: max(own.width, proposal.width ?? 0), height: own.height)
    }
}
