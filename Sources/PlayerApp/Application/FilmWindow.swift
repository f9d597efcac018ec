import CGTK
import DeclarativeUI
import DesktopServices
import Foundation
import GTK
import MediaCore
import MediaEngine
import PlayerControls
import Presentation

/// A window of the app: a `PlayerWindow` with its keys and controls, a header bar, the playlist, and other pages while
/// nothing plays. Main actor.
@MainActor
final class FilmWindow {
    let list: FilmList
    let windowState = WindowState()
    private let window: PlayerWindow
    /// The commands of keys, mouse and menu, as in `zoetrope play`.
    private var commands: PlayerCommands { windowCommands.commands }
    private let windowCommands: WindowCommands
    private let stored: StoredState
    private let pages: Pages
    private let actions = Actions(GIOActionGroup.make())
    private let panel: ViewWidget
    /// The task that opens new videos before they replace the current ones.
    private var opening: Task<Void, Never>?
    private var positionTimer: PositionTimer?
    private var isClosed = false
    /// Called with the URLs that the user opens. Another window may have one of them open already.
    var onOpen: (@MainActor (FilmWindow, [URL]) -> Void)?
    /// Called when the user has closed the window.
    var onClose: (@MainActor (FilmWindow) -> Void)?

    var gtkWindow: GTKWindow { window.window }

    /// The size of a window without videos, before the user has chosen a size.
    private static let startSize = CGSize(width: 880, height: 560)
    /// The seconds between two positions that are stored during playback.
    private static let interval = 5.0

    private static let minimumSize = CGSize(width: 640, height: 420)

    /// Creates a window.
    /// - Throws: The reason why there is no display.
    init(
        _ application: GTKApplication, _ stored: StoredState, entries: [MediaList.Entry]
    ) throws {
        self.stored = stored
        let player = AVQueuePlayer(items: [])
        list = FilmList(player)
        var size = stored.state.value.windowSize ?? (entries.isEmpty ? FilmWindow.startSize : nil)
        if entries.isEmpty, let stored = size {
            // The window of a tiny video is too small for the start page.
            size = CGSize(
                width: max(stored.width, FilmWindow.minimumSize.width),
                height: max(stored.height, FilmWindow.minimumSize.height))
        }
        window = try PlayerWindow(
            players: [player], title: entries.first?.displayTitle ?? "Zoetrope",
            width: size.map { Int($0.width) },
            height: size.map { Int($0.height) }, bar: { Pages.bar() })
        let commands = PlayerCommands(players: [player], queue: list.queue)
        windowCommands = WindowCommands(commands, window, composition: nil)
        panel = ViewWidget(
            AnyView(
                FilmDialogs(
                    windowState: windowState, list: list,
                    content: AnyView(PlaylistPanel(list: list, windowState: windowState)))))
        pages = Pages(window.window, list, windowState, panel: panel.widget, width: size.map { Double($0.width) })

        application.add(gtkWindow)
        gtkWindow.insertActions(actions.map, as: "win")
        gtkWindow.addClass("zoetrope-app")
        gtkWindow.setIcon(PlayerApplication.identifier)
        addActions()
        addKeys()
        window.onClose = { [weak self] in self?.closed() }
        // This file chooser replaces that of `WindowCommands`. The app opens the chosen files, so that they become
        // recent videos, and so that a file that is open in another window brings that window to the front.
        commands.windowActions.open = { [weak self] in self?.windowState.showsFileChooser = true }
        windowCommands.onProblem = { [weak stored] problem in stored?.note("\(problem)") }
        windowState.open = { [weak self] urls in self.map { $0.onOpen?($0, urls) } }
        windowState.add = { [weak self] urls, before in self?.add(urls, before: before) }
        pages.drops.onDrop = { [weak self] texts in self?.dropped(texts) ?? false }
        pages.onCover = { [weak window] isCovered, widget in window?.show(isCovered, overlay: widget) }
        window.onFullscreen { [weak self] in
            self?.pages.isFullscreen = $0
            NowPlayingHub.shared.changed()
        }
        list.onChange = { [weak self] in self?.follow() }
        list.onList = { [weak self] row in self?.expand(row) }
        list.onOpened = { [weak stored] entry in stored?.didOpen(entry.source) }
        list.startPosition = { [weak stored] film in stored?.startPosition(of: film) }
        list.onLeft = { [weak stored] film, seconds, duration in
            stored?.didLeave(film, at: seconds, of: duration)
        }
        positionTimer = PositionTimer(player, interval: FilmWindow.interval) { [weak self] in
            self?.list.reportPosition()
        }
        if let first = list.add(entries) { list.play(first) }
        follow()
    }

    func present() {
        if gtkWindow.isVisible { return gtkWindow.present() }
        if stored.state.value.isMaximized { gtkWindow.maximize() }
        window.present()
        pages.focusVideo()
    }

    // MARK: opening videos

    var isEmpty: Bool { list.rows.isEmpty }
    /// Returns the row of a video in this window; nil if there is none.
    func row(of film: URL) -> FilmList.Row.ID? {
        list.currentRow?.entry.url == film ? list.current : list.rows.first { $0.entry.url == film }?.id
    }
    /// Returns whether the playlist contains exactly these entries, in this order.
    func holds(_ entries: [MediaList.Entry]) -> Bool {
        list.rows.map(\.entry.url) == entries.map(\.url)
    }

    /// Replaces the playlist. The current video continues until the new entries can be played, and stays if they can't.
    /// - Parameters:
    ///   - entries: The new entries.
    ///   - expanded: The playlists that have been read already, because a playlist may contain itself.
    func show(_ entries: [MediaList.Entry], expanded: Set<URL> = []) {
        opening?.cancel()
        opening = nil
        guard !isEmpty else { return begin(entries) }
        window.showMessage(localized("Opening…"), seconds: 3)
        let wanted = MediaList(entries)
        opening = Task { [weak self, queue = list.queue] in
            let problem = await queue.problem(of: wanted)
            guard let self, !isClosed, !Task.isCancelled else { return }
            opening = nil
            guard let problem else { return begin(entries) }
            // The problem is that of the first entry.
            guard problem.isListOfMedia, let named = entries.first, !expanded.contains(named.url) else {
                return showProblem(problem, entries)
            }
            openNamed(in: entries, expanded: expanded.union([named.url]), problem)
        }
    }
    /// Replaces the first entry with the entries of a playlist, and shows the result. The URL of the first entry looks
    /// like that of a stream, but the server returned the playlist.
    private func openNamed(in entries: [MediaList.Entry], expanded: Set<URL>, _ problem: AVError) {
        guard let named = entries.first else { return }
        opening = Task { [weak self, stored] in
            let found = await stored.loadingRemoteLists(MediaList([named]), found: named.url)
            guard let self, !isClosed, !Task.isCancelled else { return }
            opening = nil
            for problem in found.problems { stored.note("\(problem)") }
            let inner = found.entries.filter { $0.url != named.url }
            guard !inner.isEmpty else { return showProblem(problem, entries) }
            show(inner + entries.dropFirst(), expanded: expanded)
        }
    }
    private func begin(_ entries: [MediaList.Entry]) {
        windowState.typedText = ""
        if !isEmpty { list.removeAll() }
        if let first = list.add(entries) { list.play(first) }
    }
    private func showProblem(_ problem: AVError, _ entries: [MediaList.Entry]) {
        stored.note("\(problem)")
        let typed = WindowState.urls(in: [windowState.typedText]).first
        windowState.problem = WindowState.Problem(
            title: PlayerWords.localized("Can’t Play “%@”", entries.first?.displayTitle ?? problem.location),
            error: problem, isTypedURL: typed != nil && typed == entries.first?.source)
    }

    /// Plays what was dropped on the page. Items that are dropped on the playlist are added to it (`WindowState`).
    private func dropped(_ texts: [String]) -> Bool {
        if let row = windowState.row(in: texts) {
            list.play(row)
            return true
        }
        let urls = WindowState.urls(in: texts)
        guard !urls.isEmpty else { return false }
        onOpen?(self, urls)
        return true
    }

    /// Adds files and URLs to the playlist. If the playlist was empty, they play.
    private func add(_ urls: [URL], before: FilmList.Row.ID?) {
        let named = stored.list(of: urls)
        guard named.namesRemoteLists else { return add(stored.entries(of: named, urls), before: before) }
        windowState.isLoadingPlaylist = true
        Task { [weak self, stored] in
            let list = await stored.loadingRemoteLists(named)
            guard let self, !isClosed else { return }
            windowState.isLoadingPlaylist = false
            add(stored.entries(of: list, urls), before: before)
        }
    }
    private func expand(_ row: FilmList.Row) {
        windowState.isLoadingPlaylist = true
        Task { [weak self, stored] in
            let found = await stored.loadingRemoteLists(MediaList([row.entry]), found: row.entry.url)
            guard let self, !isClosed else { return }
            windowState.isLoadingPlaylist = false
            for problem in found.problems { stored.note("\(problem)") }
            list.replace(row.id, by: found.entries.filter { $0.url != row.entry.url })
        }
    }
    private func add(_ entries: [MediaList.Entry], before: FilmList.Row.ID?) {
        let wasEmpty = isEmpty
        guard let first = list.add(entries, before: before), wasEmpty else { return }
        list.play(first)
    }

    // MARK: pages and keys

    private func follow() {
        guard !isClosed else { return }
        window.title = commands.windowTitle
        pages.show(list.rows.isEmpty ? .start : list.failure != nil ? .failure : .film)
        actions.set("next", isEnabled: list.hasNext)
        actions.set("previous", isEnabled: list.hasPrevious)
    }

    private func addActions() {
        pages.setPrefersPanel(stored.state.value.showsList)
        actions.addSwitch("list", isOn: pages.panel.isShown) { [weak self] in self?.pages.showPanel($0) }
        pages.onPanel = { [weak self] isShown, isDocked in self?.panelChanged(isShown, isDocked) }
        commands.windowActions.list = (
            isShown: { [weak self] in self?.pages.panel.isShown ?? false },
            show: { [weak self] in self?.pages.showPanel($0) }
        )
        windowState.onPlay = { [weak self] in if self?.pages.panel.isOverPage == true { self?.pages.showPanel(false) } }
        actions.add("next") { [weak self] in self?.list.next() }
        actions.add("previous") { [weak self] in self?.list.previous() }
        actions.add("close") { [weak self] in self?.close() }
    }

    private func panelChanged(_ isShown: Bool, _ isDocked: Bool) {
        actions.set("list", isOn: isShown)
        // A playlist over the page is temporary, so it does not change how the next window starts.
        if isDocked { stored.state.change { $0.showsList = isShown } }
        if isShown, !isDocked { windowState.focusRequests += 1 }
    }

    /// Adds the key handler of the window.
    ///
    /// The video's keys belong to the window. Any other widget with the keyboard focus handles a key first, such as the
    /// arrow keys in the playlist.
    private func addKeys() {
        window.onKeyFirst = { [weak self] keys, key, isPress in
            guard let self else { return false }
            // Escape first hides a playlist that covers the video.
            if isPress, key == UInt32(GDK_KEY_Escape), pages.panel.isOverPage {
                pages.showPanel(false)
                return true
            }
            return forward(keys)
        }
    }
    private func forward(_ keys: GTKKeyController) -> Bool {
        guard let focus = gtkWindow.focus, !pages.isOverFilm(focus) else { return false }
        var next: GTKWidget? = focus
        while let widget = next, widget != gtkWindow.widget {
            if keys.forward(to: widget) { return true }
            next = widget.parent
        }
        return false
    }

    // MARK: closing

    func close() { gtkWindow.close() }
    func toggleFullscreen(_ isOn: Bool) {
        if WindowFullScreen.of(gtkWindow).isOn != isOn { window.toggleFullscreen() }
    }
    var isFullscreen: Bool { WindowFullScreen.of(gtkWindow).isOn }

    private func closed() {
        guard !isClosed else { return }
        isClosed = true
        opening?.cancel()
        let isMaximized = gtkWindow.isMaximized
        let content = pages.size
        let isPlain = !isMaximized && !isFullscreen && content.width > 1
        stored.state.change {
            $0.isMaximized = isMaximized
            if isPlain { $0.windowSize = content }
        }
        positionTimer = nil
        window.onKeyFirst = nil
        list.close()
        windowCommands.close()
        actions.close()
        pages.close()
        panel.close()
        onClose?(self)
    }
}
