import CGTK
import DeclarativeUI
import Foundation
import GTK
import PlayerViews
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
    /// The playlist. It is an overlay, which covers `panelSpace` if the window is wide enough, and the page otherwise.
    private let side = GTKBox(GTK_ORIENTATION_HORIZONTAL)
    private let panelSpace = GTKBox(GTK_ORIENTATION_HORIZONTAL)
    /// The shade behind a playlist that covers the page. A click on it hides the playlist.
    private let shade = GTKBox(GTK_ORIENTATION_HORIZONTAL)
    /// The frame around the page while something is dragged over it.
    private let dropFrame = GTKBox(GTK_ORIENTATION_HORIZONTAL)
    private let views: [ViewWidget]
    private let signals = Signals()
    /// Called with the texts or file URLs that were dropped on the page. Returns whether they were accepted.
    var onDrop: (@MainActor ([String]) -> Bool)?
    /// Called when a widget covers the page, or no longer does.
    var onCover: (@MainActor (_ isCovered: Bool, _ widget: GTKWidget) -> Void)?
    /// Called when the playlist was shown or hidden for any reason.
    var onPanel: (@MainActor (_ isShown: Bool, _ isDocked: Bool) -> Void)?

    /// The widths in points: that of the playlist, the least that a playlist over the page leaves free, and the least
    /// of a window with both side by side.
    private static let panelWidth: Int32 = 300, freeWidth: Int32 = 44, dockedWidth: Int32 = 600
    private let panel: GTKWidget?

    /// Creates the content of a window.
    /// - Parameter width: The width of the window's content, in points; nil if it is not known yet.
    init(
        _ window: GTKWindow, _ list: FilmList, _ windowState: WindowState,
        panel: GTKWidget?, width: Double?
    ) {
        film = window.child
        self.panel = panel
        isDocked = (width ?? 0) >= Double(Pages.dockedWidth)
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
        for layer in [shade, dropFrame] {
            page.addOverlay(layer)
            layer.isVisible = false
        }
        let row = GTKBox(GTK_ORIENTATION_HORIZONTAL)
        row.append(page)
        row.append(panelSpace)
        panelSpace.request(width: Pages.panelWidth + 1)
        content.setChild(row)
        shade.addClass("zoetrope-shade")
        dropFrame.addClass("zoetrope-drop")
        dropFrame.setCanTarget(false)
        content.addOverlay(side)
        side.setAlignment(horizontal: GTK_ALIGN_END)
        side.addClass("zoetrope-side")
        side.append(GTKSeparator(GTK_ORIENTATION_VERTICAL))
        if let panel {
            panel.request(width: Pages.panelWidth)
            side.append(panel)
        }
        window.child = content.widget
        Pages.style.ensure()
        takeDrops(page)
        arrange()
        let click = GTKClickGesture()
        signals.on(click, "released") { [weak self] in self?.showPanel(false) }
        shade.add(click)
        signals.on(content, "map") { [weak self] in self?.followWidth() }
    }

    // MARK: the playlist

    /// Whether the playlist has its own space beside the page. In a narrow window and in full screen, it covers the
    /// page instead.
    private(set) var isDocked: Bool
    /// Whether the user wants the playlist beside the page in a window that is wide enough.
    private var prefersPanel = false
    /// Whether the user has opened the playlist over the page.
    private var isPanelOpen = false
    var isPanelShown: Bool { isDocked ? prefersPanel : isPanelOpen }
    /// Whether the playlist covers the page.
    var isPanelOverPage: Bool { !isDocked && isPanelOpen }
    var isFullscreen = false { didSet { if isFullscreen != oldValue { follow() } } }

    /// Shows or hides the playlist, beside the page or over it.
    func showPanel(_ isShown: Bool) {
        if isDocked { prefersPanel = isShown } else { isPanelOpen = isShown }
        arrange()
        onPanel?(isPanelShown, isDocked)
    }
    /// Sets whether the playlist is shown in a window that is wide enough, as the user has chosen before.
    func setPrefersPanel(_ prefersPanel: Bool) {
        self.prefersPanel = prefersPanel
        arrange()
    }

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
        let hasSpace = width >= Pages.dockedWidth && !isFullscreen
        if hasSpace != isDocked {
            let wasShown = isPanelShown
            isDocked = hasSpace
            isPanelOpen = false
            arrange()
            if isPanelShown != wasShown { onPanel?(isPanelShown, isDocked) }
        }
        guard let panel else { return }
        let wanted = isDocked ? Pages.panelWidth : max(1, min(Pages.panelWidth, width - Pages.freeWidth))
        if panel.requestedWidth != wanted { panel.request(width: wanted) }
    }

    private func arrange() {
        let isShown = isPanelShown
        if !isShown, let window, let focus = window.focus, focus.isInside(side) {
            window.focus = nil
        }
        side.isVisible = isShown
        panelSpace.isVisible = isShown && isDocked
        cover(isShown && !isDocked, shade.widget)
        if !isShown { focusVideo() }
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
        guard page != shown else { return }
        shown = page
        // If a hidden widget had the keyboard focus, GTK would later search for another one, even if a widget has taken
        // the focus by then.
        if let window, let focus = window.focus, focus.isInside(stack) {
            window.focus = nil
        }
        stack.show(page.rawValue)
        focusVideo()
        // If the retried video fails again before its page has been replaced, the same page stays and does not appear
        // again.
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.focusFailurePage() } }
    }
    private var shown: Page?
    private var window: GTKWindow? { content.window }
    /// Gives the video the keyboard focus, unless the playlist has it.
    ///
    /// Otherwise the first button of the header bar would get the focus when the window opens, and when the previous
    /// page removes its buttons.
    func focusVideo() {
        guard shown == .film, let film, let window else { return }
        if let focus = window.focus, focus.isInside(side) { return }
        film.grabFocus()
    }
    private func focusFailurePage() {
        guard shown == .failure, let window, window.focus == nil,
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
        onDrop = nil
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

    // MARK: drop target

    /// Adds the drop target.
    /// - Parameter page: The widget with the pages and the shade. A drop on the shade counts as one on the page.
    private func takeDrops(_ page: GTKOverlay) {
        let target = GTKDropTarget()
        signals.answer(target, "enter") { [weak self] (_: Double, _: Double) -> UInt32 in
            self?.frameDrop(true)
            return GTKDropTarget.answer(true)
        }
        signals.on(target, "leave") { [weak self] in self?.frameDrop(false) }
        signals.answer(target, "drop") { [weak self] (value: OpaquePointer?) -> Bool in
            self?.frameDrop(false)
            let texts: [String] =
                switch GTKDropTarget.dropped(value) {
                case nil: []
                case .text(let text): [text]
                case .files(let uris): uris
                }
            return self?.onDrop?(texts) ?? false
        }
        page.add(target)
    }
    private func frameDrop(_ isShown: Bool) { cover(isShown, dropFrame.widget) }
}
