import CGTK
import DeclarativeUI
import Foundation
import GTK
import PlayerViews
import Presentation

/// What stands in a window: the bar, one of three pages, the playlist beside it or over it; and what is dropped on the
/// pages. Main actor.
@MainActor
final class Pages {
    enum Page: String { case start, film, failure }
    /// What the play window had as its content.
    private let film: GTKWidget?
    private let content = GTKOverlay()
    private let stack = GTKStack()
    /// The playlist: an overlay, which lies over `room` where there is room for it, else over the page.
    private let side = GTKBox(GTK_ORIENTATION_HORIZONTAL)
    private let room = GTKBox(GTK_ORIENTATION_HORIZONTAL)
    /// Behind a playlist that lies over the page: a click on it closes the playlist.
    private let shade = GTKBox(GTK_ORIENTATION_HORIZONTAL)
    /// Drawn around the page while something is dragged over it.
    private let dropFrame = GTKBox(GTK_ORIENTATION_HORIZONTAL)
    private let views: [ViewWidget]
    private let signals = Signals()
    /// Texts or file URLs were dropped on the page. Returns whether they were taken.
    var onDrop: (@MainActor ([String]) -> Bool)?
    /// A widget lies over the page, or no longer does.
    var onCover: (@MainActor (_ isCovered: Bool, _ widget: GTKWidget) -> Void)?
    /// The playlist was shown or hidden, for whatever reason.
    var onPanel: (@MainActor (_ isShown: Bool, _ isDocked: Bool) -> Void)?

    /// Points: the width of the playlist, what a playlist over the page leaves free at least, and the width from which
    /// there is room for both side by side.
    private static let panelWidth: Int32 = 300, freeWidth: Int32 = 44, dockedWidth: Int32 = 600
    private let panel: GTKWidget?

    /// - Parameter width: of the window's content, points; nil if not known yet.
    init(
        _ window: GTKWindow, _ list: FilmList, _ desk: FilmDesk,
        panel: GTKWidget?, width: Double?
    ) {
        film = window.child
        self.panel = panel
        isDocked = (width ?? 0) >= Double(Pages.dockedWidth)
        let start = ViewWidget(AnyView(StartPage(desk: desk, recent: .shared)))
        let failure = ViewWidget(AnyView(FailurePage(list: list, desk: desk)))
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
        // What lies over the film stays there, however narrow that is.
        stack.setOverflow(GTK_OVERFLOW_HIDDEN)
        let page = GTKOverlay()
        page.setChild(stack)
        for layer in [shade, dropFrame] {
            page.addOverlay(layer)
            layer.isVisible = false
        }
        let row = GTKBox(GTK_ORIENTATION_HORIZONTAL)
        row.append(page)
        row.append(room)
        room.request(width: Pages.panelWidth + 1)
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

    /// The playlist has a place of its own beside the page. In a narrow window and in full screen it has none: there it
    /// lies over the page while it is looked at.
    private(set) var isDocked: Bool
    /// The user wants the playlist beside the page, where there is room for it.
    private var isWanted = false
    /// The user looks at the playlist over the page.
    private var isCalled = false
    var isPanelShown: Bool { isDocked ? isWanted : isCalled }
    /// The playlist is shown over the page.
    var isPanelOverPage: Bool { !isDocked && isCalled }
    var isFullscreen = false { didSet { if isFullscreen != oldValue { follow() } } }

    /// - Parameter isShown: beside the page, or over it where there is no room beside it.
    func showPanel(_ isShown: Bool) {
        if isDocked { isWanted = isShown } else { isCalled = isShown }
        arrange()
        onPanel?(isPanelShown, isDocked)
    }
    /// Where there is room for it; the user has said so before.
    func wantPanel(_ isWanted: Bool) {
        self.isWanted = isWanted
        arrange()
    }

    private func followWidth() {
        follow()
        guard !isFollowingWidth, let surface = content.native?.surface else { return }
        isFollowingWidth = true
        signals.on(surface, "layout") { [weak self] in
            // GTK is at it.
            DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.follow() } }
        }
    }
    private var isFollowingWidth = false

    private func follow() {
        let width = content.width
        guard width > 0 else { return }
        let hasRoom = width >= Pages.dockedWidth && !isFullscreen
        if hasRoom != isDocked {
            let wasShown = isPanelShown
            isDocked = hasRoom
            isCalled = false
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
        room.isVisible = isShown && isDocked
        cover(isShown && !isDocked, shade.widget)
        if !isShown { giveFilmKeyboard() }
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
        // What hides with the keyboard has GTK look for another place, later, and past whoever has taken it by then.
        if let window, let focus = window.focus, focus.isInside(stack) {
            window.focus = nil
        }
        stack.show(page.rawValue)
        giveFilmKeyboard()
        // One that failed again before its page was taken down is the same page still, and does not appear anew.
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.giveFailureKeyboard() } }
    }
    private var shown: Page?
    private var window: GTKWindow? { content.window }
    /// To the film, not to the bar's first button, which has it as the window opens and when the page before takes its
    /// own buttons away. The list keeps it.
    func giveFilmKeyboard() {
        guard shown == .film, let film, let window else { return }
        if let focus = window.focus, focus.isInside(side) { return }
        film.grabFocus()
    }
    private func giveFailureKeyboard() {
        guard shown == .failure, let window, window.focus == nil,
            let page = stack.child(named: Page.failure.rawValue)
        else { return }
        page.moveFocus(GTK_DIR_TAB_FORWARD)
    }
    /// The film has the keyboard, or something over it.
    func isOverFilm(_ widget: GTKWidget) -> Bool {
        film.map { widget.isWithin($0) } ?? false
    }
    /// Of what stands below the bar, points.
    var size: CGSize { content.size }

    func close() {
        signals.disconnect()
        onDrop = nil
        onCover = nil
        onPanel = nil
        for view in views { view.close() }
    }

    // MARK: the bar

    /// For the window, before it has a size.
    static func bar() -> GTKWidget {
        let bar = GTKHeaderBar()
        bar.addAtStart(button("document-open-symbolic", say("Open…"), action: "app.open"))
        let menu = GTKMenuButton()
        menu.setIcon("open-menu-symbolic")
        let entries = AppMenu.primary()
        menu.setMenu(entries.object)
        menu.setPrimary(true)
        menu.setTooltip(say("Main Menu"))
        menu.setAccessibleLabel(say("Main Menu"))
        bar.addAtEnd(menu)
        let list = GTKToggleButton()
        list.setIcon("view-list-symbolic")
        list.setAction("win.list")
        describe(list, say("Playlist"))
        bar.addAtEnd(list)
        return bar.widget
    }

    private static func button(_ icon: String, _ words: String, action: String) -> GTKButton {
        let button = GTKButton(icon: icon)
        button.setAction(action)
        describe(button, words)
        return button
    }
    private static func describe<Button: GTKButtonObject>(_ button: Button, _ words: String) {
        button.setTooltip(words)
        button.setAccessibleLabel(words)
        // Pressed, it leaves the keyboard to the film.
        button.setFocusesOnClick(false)
    }

    // MARK: what is dropped

    /// - Parameter page: holds the pages and the shade, which counts as the page below it.
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
