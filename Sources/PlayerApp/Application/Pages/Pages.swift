import CGTK
import DeclarativeUI
import Foundation
import GTK
import Presentation

/// The content of a window: the header bar, one of three pages, the playlist beside or over the page, and the drop
/// target. Main actor.
@MainActor
final class Pages {
    enum Page: String { case start, film, failure }
    /// The content of the play window.
    private let film: GTKWidget?
    private let content = GTKOverlay()
    private let stack = GTKStack()
    /// The position of the playlist, and whether the playlist is shown.
    private(set) var panel: PanelState
    private let panelWidgets: PanelWidgets
    let drops = DropArea()
    private let views: [ViewWidget]
    private let signals = Signals()
    /// Called with true when a widget covers the page, and with false when the widget no longer covers it.
    var onCover: (@MainActor (_ isCovered: Bool, _ widget: GTKWidget) -> Void)?
    /// Called when the playlist was shown or hidden for any reason.
    var onPanel: (@MainActor (_ isShown: Bool, _ isDocked: Bool) -> Void)?

    /// Creates the content of a window.
    /// - Parameter width: The width of the window's content, in points; nil if it is not known yet.
    init(
        _ window: GTKWindow, _ list: FilmList, _ windowState: WindowState,
        panel: GTKWidget?, width: Double?
    ) {
        film = window.child
        self.panel = PanelState(width: width)
        panelWidgets = PanelWidgets(panel)
        let start = ViewWidget(AnyView(StartPage(windowState: windowState, recent: .shared)))
        let failure = ViewWidget(AnyView(FailurePage(list: list, windowState: windowState)))
        views = [start, failure]
        if let film {
            let reference = GTKReference(film)
            window.child = nil
            add(reference.object, .film)
            film.isFocusable = true
        }
        if let widget = start.widget { add(widget, .start) }
        if let widget = failure.widget { add(widget, .failure) }
        stack.setExpands(horizontally: true)
        stack.setExpands(vertically: true)
        // An overlay over the video does not extend beyond the page, even in a narrow window.
        stack.setOverflow(GTK_OVERFLOW_HIDDEN)
        let page = GTKOverlay()
        page.setChild(stack)
        for layer in [panelWidgets.shade, drops.frame] {
            page.addOverlay(layer)
            layer.isVisible = false
        }
        let row = GTKBox(GTK_ORIENTATION_HORIZONTAL)
        row.append(page)
        content.setChild(row)
        panelWidgets.add(to: content, beside: row)
        window.child = content.widget
        Pages.style.ensure()
        drops.add(to: page)
        drops.onHover = { [weak self] isHovered in self.map { $0.cover(isHovered, $0.drops.frame.widget) } }
        arrange()
        let click = GTKClickGesture()
        signals.on(click, "released") { [weak self] in self?.showPanel(false) }
        panelWidgets.shade.add(click)
        signals.on(content, "map") { [weak self] in self?.followWidth() }
    }

    // MARK: the playlist

    /// Shows or hides the playlist, beside the page or over it.
    func showPanel(_ isShown: Bool) {
        panel.show(isShown)
        arrange()
        onPanel?(panel.isShown, panel.isDocked)
    }
    /// Sets whether the playlist is shown in a window that is wide enough, as the user has chosen before.
    func setPrefersPanel(_ prefersPanel: Bool) {
        panel.prefer(prefersPanel)
        arrange()
    }
    var isFullscreen = false { didSet { if isFullscreen != oldValue { follow() } } }

    private func followWidth() {
        follow()
        guard !isFollowingWidth, let surface = content.native?.surface else { return }
        isFollowingWidth = true
        signals.on(surface, "layout") { [weak self] in
            // Delayed, because GTK is in its layout at this moment.
            DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.follow() } }
        }
    }
    private var isFollowingWidth = false

    private func follow() {
        let width = content.width
        guard width > 0 else { return }
        let wasShown = panel.isShown
        if panel.fit(width: width, isFullscreen: isFullscreen) {
            arrange()
            if panel.isShown != wasShown { onPanel?(panel.isShown, panel.isDocked) }
        }
        panelWidgets.request(width: panel.panelWidth(in: width))
    }

    private func arrange() {
        panelWidgets.show(panel)
        cover(panel.isOverPage, panelWidgets.shade.widget)
        if !panel.isShown { focusVideo() }
    }

    private func cover(_ isCovered: Bool, _ widget: GTKWidget) {
        widget.isVisible = isCovered
        onCover?(isCovered, widget)
    }

    private static let style = Stylesheet(
        """
        .zoetrope-drop { border: 3px solid @theme_selected_bg_color; box-shadow: inset 0 0 0 1px alpha(white, 0.8); }
        .zoetrope-side *:drop(active) { box-shadow: inset 0 0 0 1px @theme_selected_bg_color; }
        .zoetrope-shade { background: rgba(0,0,0,0.4); }
        .zoetrope-side { background: @theme_bg_color; }
        .zoetrope-film { background: black; outline: none; }
        """)

    private func add(_ widget: GTKWidget, _ page: Page) {
        if page == .film { widget.addClass("zoetrope-film") }
        stack.add(widget, named: page.rawValue)
    }

    func show(_ page: Page) {
        guard page != currentPage else { return }
        currentPage = page
        // If a hidden widget had the keyboard focus, GTK would later search for another one, even if a widget has taken
        // the focus by then.
        if let window, let focus = window.focus, focus.isInside(stack) {
            window.focus = nil
        }
        stack.show(page.rawValue)
        focusVideo()
        // If the retried video fails again before another page has replaced the failure page, the failure page stays.
        // Because it does not appear again, it does not set the focus itself.
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.focusFailurePage() } }
    }
    private var currentPage: Page?
    private var window: GTKWindow? { content.window }
    /// Gives the video the keyboard focus, unless the playlist has it.
    ///
    /// Otherwise the first button of the header bar would get the focus when the window opens, and when the previous
    /// page removes its buttons.
    func focusVideo() {
        guard currentPage == .film, let film, let window else { return }
        if let focus = window.focus, panelWidgets.contains(focus) { return }
        film.grabFocus()
    }
    private func focusFailurePage() {
        guard currentPage == .failure, let window, window.focus == nil,
            let page = stack.child(named: Page.failure.rawValue)
        else { return }
        page.moveFocus(GTK_DIR_TAB_FORWARD)
    }
    /// Returns whether a widget is the video or is over it.
    func isOverFilm(_ widget: GTKWidget) -> Bool {
        film.map { widget.isWithin($0) } ?? false
    }
    /// The size of the content below the header bar, in points.
    var size: CGSize { content.size }

    func close() {
        signals.disconnect()
        drops.close()
        onCover = nil
        onPanel = nil
        for view in views { view.close() }
    }

    // MARK: header bar

    /// Returns the header bar for the window, before the window has a size.
    static func bar() -> GTKWidget {
        let bar = GTKHeaderBar()
        bar.addAtStart(button("document-open-symbolic", localized("Open…"), action: "app.open"))
        let menu = GTKMenuButton()
        menu.setIcon("open-menu-symbolic")
        let entries = AppMenu.primary()
        menu.setMenu(entries.object)
        menu.setPrimary(true)
        menu.setTooltip(localized("Main Menu"))
        menu.setAccessibleLabel(localized("Main Menu"))
        bar.addAtEnd(menu)
        let list = GTKToggleButton()
        list.setIcon("view-list-symbolic")
        list.setAction("win.list")
        describe(list, localized("Playlist"))
        bar.addAtEnd(list)
        return bar.widget
    }

    private static func button(_ icon: String, _ text: String, action: String) -> GTKButton {
        let button = GTKButton(icon: icon)
        button.setAction(action)
        describe(button, text)
        return button
    }
    private static func describe<Button: GTKButtonObject>(_ button: Button, _ text: String) {
        button.setTooltip(text)
        button.setAccessibleLabel(text)
        // A click leaves the keyboard focus with the video.
        button.setFocusesOnClick(false)
    }
}
