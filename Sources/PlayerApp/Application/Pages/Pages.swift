import CGTK
import DeclarativeUI
import Foundation
import GLibSupport
import GTKSupport
import PlayerViews
import Presentation

/// What stands in a window: the bar, one of three pages, the playlist beside it or over it; and what is dropped on the
/// pages. Main actor.
@MainActor
final class Pages {
    enum Page: String { case start, film, failure }
    /// What the play window had as its content.
    private let film: UnsafeMutablePointer<GtkWidget>?
    private let content = gtk_overlay_new()
    private let stack = gtk_stack_new()
    /// The playlist: an overlay, which lies over `room` where there is room for it, else over the page.
    private let side = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
    private let room = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
    /// Behind a playlist that lies over the page: a click on it closes the playlist.
    private let shade = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
    /// Drawn around the page while something is dragged over it.
    private let dropFrame = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
    private let views: [ViewWidget]
    private let signals = Signals()
    /// Texts or file URLs were dropped on the page. Returns whether they were taken.
    var onDrop: (@MainActor ([String]) -> Bool)?
    /// A widget lies over the page, or no longer does.
    var onCover: (@MainActor (_ isCovered: Bool, _ widget: UnsafeMutablePointer<GtkWidget>) -> Void)?
    /// The playlist was shown or hidden, for whatever reason.
    var onPanel: (@MainActor (_ isShown: Bool, _ isDocked: Bool) -> Void)?

    /// Points: the width of the playlist, what a playlist over the page leaves free at least, and the width from which
    /// there is room for both side by side.
    private static let panelWidth: Int32 = 300, freeWidth: Int32 = 44, dockedWidth: Int32 = 600
    private let panel: UnsafeMutablePointer<GtkWidget>?

    /// - Parameter width: of the window's content, points; nil if not known yet.
    init(
        _ window: UnsafeMutablePointer<GtkWindow>, _ list: FilmList, _ desk: FilmDesk,
        panel: UnsafeMutablePointer<GtkWidget>?, width: Double?
    ) {
        film = gtk_window_get_child(window)
        self.panel = panel
        isDocked = (width ?? 0) >= Double(Pages.dockedWidth)
        let start = ViewWidget(AnyView(StartPage(desk: desk, recent: .shared)))
        let failure = ViewWidget(AnyView(FailurePage(list: list, desk: desk)))
        views = [start, failure]
        if let film {
            g_object_ref(film)
            gtk_window_set_child(window, nil)
            add(film, .film)
            g_object_unref(film)
            gtk_widget_set_focusable(film, 1)
        }
        if let widget = start.widget { add(widget, .start) }
        if let widget = failure.widget { add(widget, .failure) }
        gtk_widget_set_hexpand(stack, 1)
        gtk_widget_set_vexpand(stack, 1)
        // What lies over the film stays there, however narrow that is.
        gtk_widget_set_overflow(stack, GTK_OVERFLOW_HIDDEN)
        let page = gtk_overlay_new()
        gtk_overlay_set_child(OpaquePointer(page), stack)
        for layer in [shade, dropFrame] {
            gtk_overlay_add_overlay(OpaquePointer(page), layer)
            gtk_widget_set_visible(layer, 0)
        }
        let row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        for part in [page, room] { gtk_box_append(UnsafeMutablePointer<GtkBox>(OpaquePointer(row)), part) }
        gtk_widget_set_size_request(room, Pages.panelWidth + 1, -1)
        let overlay = OpaquePointer(content)
        gtk_overlay_set_child(overlay, row)
        gtk_widget_add_css_class(shade, "zoetrope-shade")
        gtk_widget_add_css_class(dropFrame, "zoetrope-drop")
        gtk_widget_set_can_target(dropFrame, 0)
        gtk_overlay_add_overlay(overlay, side)
        gtk_widget_set_halign(side, GTK_ALIGN_END)
        gtk_widget_add_css_class(side, "zoetrope-side")
        let sideBox = UnsafeMutablePointer<GtkBox>(OpaquePointer(side))
        gtk_box_append(sideBox, gtk_separator_new(GTK_ORIENTATION_VERTICAL))
        if let panel {
            gtk_widget_set_size_request(panel, Pages.panelWidth, -1)
            gtk_box_append(sideBox, panel)
        }
        gtk_window_set_child(window, content)
        Pages.style.ensure()
        takeDrops(page)
        arrange()
        if let shade, let click = gtk_gesture_click_new() {
            signals.on(click, "released") { [weak self] in self?.showPanel(false) }
            gtk_widget_add_controller(shade, click)
        }
        if let content { signals.on(content, "map") { [weak self] in self?.followWidth() } }
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
        guard !isFollowingWidth, let native = gtk_widget_get_native(content),
            let surface = gtk_native_get_surface(native)
        else { return }
        isFollowingWidth = true
        signals.on(surface, "layout") { [weak self] in
            // GTK is at it.
            DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.follow() } }
        }
    }
    private var isFollowingWidth = false

    private func follow() {
        let width = gtk_widget_get_width(content)
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
        var now: Int32 = 0
        gtk_widget_get_size_request(panel, &now, nil)
        if now != wanted { gtk_widget_set_size_request(panel, wanted, -1) }
    }

    private func arrange() {
        let isShown = isPanelShown
        if !isShown, let window, let focus = gtk_window_get_focus(window), gtk_widget_is_ancestor(focus, side) != 0 {
            gtk_window_set_focus(window, nil)
        }
        gtk_widget_set_visible(side, isShown ? 1 : 0)
        gtk_widget_set_visible(room, isShown && isDocked ? 1 : 0)
        if let shade { cover(isShown && !isDocked, shade) }
        if !isShown { giveFilmKeyboard() }
    }

    private func cover(_ isCovered: Bool, _ widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_widget_set_visible(widget, isCovered ? 1 : 0)
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

    private func add(_ widget: UnsafeMutablePointer<GtkWidget>, _ page: Page) {
        if page == .film { gtk_widget_add_css_class(widget, "zoetrope-film") }
        gtk_stack_add_named(OpaquePointer(stack), widget, page.rawValue)
    }

    func show(_ page: Page) {
        guard page != shown else { return }
        shown = page
        // What hides with the keyboard has GTK look for another place, later, and past whoever has taken it by then.
        if let window, let focus = gtk_window_get_focus(window), gtk_widget_is_ancestor(focus, stack) != 0 {
            gtk_window_set_focus(window, nil)
        }
        gtk_stack_set_visible_child_name(OpaquePointer(stack), page.rawValue)
        giveFilmKeyboard()
        // One that failed again before its page was taken down is the same page still, and does not appear anew.
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.giveFailureKeyboard() } }
    }
    private var shown: Page?
    private var window: UnsafeMutablePointer<GtkWindow>? {
        gtk_widget_get_root(content).map { UnsafeMutablePointer<GtkWindow>($0) }
    }
    /// To the film, not to the bar's first button, which has it as the window opens and when the page before takes its
    /// own buttons away. The list keeps it.
    func giveFilmKeyboard() {
        guard shown == .film, let film, let window else { return }
        if let focus = gtk_window_get_focus(window), gtk_widget_is_ancestor(focus, side) != 0 { return }
        gtk_widget_grab_focus(film)
    }
    private func giveFailureKeyboard() {
        guard shown == .failure, let window, gtk_window_get_focus(window) == nil,
            let page = gtk_stack_get_child_by_name(OpaquePointer(stack), Page.failure.rawValue)
        else { return }
        gtk_widget_child_focus(page, GTK_DIR_TAB_FORWARD)
    }
    /// The film has the keyboard, or something over it.
    func isOverFilm(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        film.map { widget == $0 || gtk_widget_is_ancestor(widget, $0) != 0 } ?? false
    }
    /// Of what stands below the bar, points.
    var size: CGSize {
        CGSize(width: Double(gtk_widget_get_width(content)), height: Double(gtk_widget_get_height(content)))
    }

    func close() {
        signals.disconnect()
        onDrop = nil
        onCover = nil
        onPanel = nil
        for view in views { view.close() }
    }

    // MARK: the bar

    /// For the window, before it has a size.
    static func bar() -> UnsafeMutablePointer<GtkWidget>? {
        guard let bar = gtk_header_bar_new() else { return nil }
        let header = OpaquePointer(bar)
        if let open = button("document-open-symbolic", say("Open…"), action: "app.open") {
            gtk_header_bar_pack_start(header, open)
        }
        if let menu = gtk_menu_button_new(), let model = AppMenu.primary() {
            gtk_menu_button_set_icon_name(OpaquePointer(menu), "open-menu-symbolic")
            gtk_menu_button_set_menu_model(
                OpaquePointer(menu), UnsafeMutableRawPointer(model).assumingMemoryBound(to: GMenuModel.self))
            gtk_menu_button_set_primary(OpaquePointer(menu), 1)
            gtk_widget_set_tooltip_text(menu, say("Main Menu"))
            zt_gtk_set_accessible_label(menu, say("Main Menu"))
            g_object_unref(UnsafeMutableRawPointer(model))
            gtk_header_bar_pack_end(header, menu)
        }
        if let list = gtk_toggle_button_new() {
            let button = UnsafeMutablePointer<GtkButton>(OpaquePointer(list))
            gtk_button_set_icon_name(button, "view-list-symbolic")
            gtk_actionable_set_action_name(OpaquePointer(list), "win.list")
            describe(list, say("Playlist"))
            gtk_header_bar_pack_end(header, list)
        }
        return bar
    }

    private static func button(_ icon: String, _ words: String, action: String) -> UnsafeMutablePointer<GtkWidget>? {
        guard let button = gtk_button_new_from_icon_name(icon) else { return nil }
        gtk_actionable_set_action_name(OpaquePointer(button), action)
        describe(button, words)
        return button
    }
    private static func describe(_ button: UnsafeMutablePointer<GtkWidget>, _ words: String) {
        gtk_widget_set_tooltip_text(button, words)
        zt_gtk_set_accessible_label(button, words)
        // Pressed, it leaves the keyboard to the film.
        gtk_widget_set_focus_on_click(button, 0)
    }

    // MARK: what is dropped

    /// - Parameter page: holds the pages and the shade, which counts as the page below it.
    private func takeDrops(_ page: UnsafeMutablePointer<GtkWidget>?) {
        guard let target = gtk_drop_target_new(GType(0), GDK_ACTION_COPY) else { return }
        // Files first: what a file manager drags is also text.
        var types = [gdk_file_list_get_type(), FundamentalType.string]
        gtk_drop_target_set_gtypes(target, &types, gsize(types.count))
        signals.answer(target, "enter") { [weak self] (_: Double, _: Double) -> UInt32 in
            self?.frameDrop(true)
            return GDK_ACTION_COPY.rawValue
        }
        signals.on(target, "leave") { [weak self] in self?.frameDrop(false) }
        signals.answer(target, "drop") { [weak self] (value: OpaquePointer?) -> Bool in
            self?.frameDrop(false)
            let texts = value.map { Pages.texts(UnsafePointer<GValue>($0)) } ?? []
            return self?.onDrop?(texts) ?? false
        }
        gtk_widget_add_controller(page, target)
    }
    private func frameDrop(_ isShown: Bool) { if let dropFrame { cover(isShown, dropFrame) } }

    private static func texts(_ value: UnsafePointer<GValue>) -> [String] {
        if value.pointee.g_type == FundamentalType.string {
            return g_value_get_string(value).map { [String(cString: $0)] } ?? []
        }
        guard value.pointee.g_type == gdk_file_list_get_type(), let list = g_value_get_boxed(value) else { return [] }
        var texts: [String] = []
        let first = gdk_file_list_get_files(OpaquePointer(list))
        var node = first
        while let current = node {
            node = current.pointee.next
            guard let file = current.pointee.data, let uri = g_file_get_uri(OpaquePointer(file)) else { continue }
            texts.append(String(cString: uri))
            g_free(uri)
        }
        g_slist_free(first)
        return texts
    }
}
