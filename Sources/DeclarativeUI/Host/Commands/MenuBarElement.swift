import GTK
import Foundation
@_spi(Graph) import ViewGraph

/// The content of a window, below the menu bar.
final class MenuPageElement: BarredElement {
    /// The size that the menu bar needs, in points.
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

    // A GTK menu bar needs a model, even an empty one.
    override func makeWidget() -> GTKWidget? {
        let model = MenuModel(menus)
        self.model = model
        return GTKMenuBar(model.menu).widget
    }

    override func configure(_ widget: GTKWidget) {
        setModel(MenuModel(menus), widget)
    }

    override func willRemove(_ widget: GTKWidget) { setModel(MenuModel([]), widget) }

    private func setModel(_ newModel: MenuModel, _ widget: GTKWidget) {
        widget.insertActions(newModel.group, as: MenuModel.prefix)
        widget.as(GTKMenuBar.self)?.setMenu(newModel.menu)
        model = newModel
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let own = natural(width: nil) ?? CGSize(width: 0, height: 28)
        return CGSize(width: max(own.width, proposal.width ?? 0), height: own.height)
    }
}
