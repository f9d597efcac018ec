import CGTK
import DeclarativeUI
import Foundation
import GTK
import MediaCore
import MediaEngine
import PlayerControls
import PlayerViews
import Presentation

/// A window of the app: the play window (`PlayerWindow`, with its keys and controls) with a bar above, the playlist
/// beside it, and a page in its place where nothing plays. Main actor.
@MainActor
final class FilmWindow {
    let list: FilmList
    let desk = FilmDesk()
    private let window: PlayerWindow
    private let controls: WindowControls
    /// What keys, mouse and menu do, as in `zoetrope play`.
    private var playing: PlayerDesk { over.desk }
    private let over: PlayerWindowDesk
    private let kept: Kept
    private let pages: Pages
    private let actions = Actions(GIOActionGroup.make())
    private let signals = Signals()
    private let panel: ViewWidget
    /// Looks whether something can be played before it takes the place of what plays.
    private var opening: Task<Void, Never>?
    private var places: PlaceClock?
    private var isClosed = false
    /// The user wants these to play, here if they do not yet elsewhere.
    var onOpen: (@MainActor (FilmWindow, [URL]) -> Void)?
    /// The user has closed it.
    var onClose: (@MainActor (FilmWindow) -> Void)?

    var gtkWindow: GTKWindow { window.window }

    /// Of a window that has nothing to play, and whose size nobody has chosen yet.
    private static let startSize = CGSize(width: 880, height: 560)
    /// Seconds: how often the place in a film is kept while it plays.
    private static let interval = 5.0

    private static let least = CGSize(width: 640, height: 420)

    /// - Throws: why there is no display.
    init(
        _ application: GTKApplication, _ kept: Kept, entries: [MediaList.Entry]
    ) throws {
        self.kept = kept
        let player = AVQueuePlayer(items: [])
        list = FilmList(player)
        var size = kept.state.value.windowSize ?? (entries.isEmpty ? FilmWindow.startSize : nil)
        if entries.isEmpty, let kept = size {
            // A tiny film's window leaves no room for what can be opened.
            size = CGSize(
                width: max(kept.width, FilmWindow.least.width), height: max(kept.height, FilmWindow.least.height))
        }
        window = try PlayerWindow(
            players: [player], title: entries.first?.displayTitle ?? "Zoetrope",
            width: size.map { Int($0.width) },
            height: size.map { Int($0.height) }, bar: { Pages.bar() })
        controls = WindowControls(player) { [weak window] in window?.toggleFullscreen() }
        let playing = PlayerDesk(players: [player], queue: list.queue)
        over = PlayerWindowDesk(playing, window, composition: nil)
        panel = ViewWidget(
            AnyView(FilmDialogs(desk: desk, content: AnyView(PlaylistPanel(list: list, desk: desk)))))
        pages = Pages(window.window, list, desk, panel: panel.widget, width: size.map { Double($0.width) })

        application.add(gtkWindow)
        gtkWindow.insertActions(actions.map, as: "win")
        gtkWindow.addClass("zoetrope-app")
        gtkWindow.setIcon(PlayerApplication.identifier)
        addControls()
        addActions()
        addKeys()
        window.onClose = { [weak self] in self?.closed() }
        // Into the app's list, and into what was opened lately.
        playing.surroundings.open = { [weak self] in self?.desk.asksForFiles = true }
        over.onProblem = { [weak kept] problem in kept?.note("\(problem)") }
        desk.open = { [weak self] urls in self.map { $0.onOpen?($0, urls) } }
        desk.add = { [weak self] urls, before in self?.add(urls, before: before) }
        pages.onDrop = { [weak self] texts in self?.dropped(texts) ?? false }
        pages.onCover = { [weak window] isCovered, widget in window?.show(isCovered, overlay: widget) }
        window.onFullscreen { [weak self] in self?.pages.isFullscreen = $0 }
        list.onChange = { [weak self] in self?.follow() }
        list.onList = { [weak self] row in self?.expand(row) }
        list.onOpened = { [weak kept] entry in kept?.opened(entry.source) }
        list.beginning = { [weak kept] film in kept?.beginning(of: film) }
        list.onLeft = { [weak kept] film, seconds, duration in
            kept?.left(film, at: seconds, of: duration)
        }
        places = PlaceClock(player, interval: FilmWindow.interval) { [weak self] in self?.list.tellPlace() }
        if let first = list.add(entries) { list.play(first) }
        follow()
    }

    func present() {
        if gtkWindow.isVisible { return gtkWindow.present() }
        if kept.state.value.isMaximized { gtkWindow.maximize() }
        window.present()
        pages.giveFilmKeyboard()
    }

    // MARK: what it opens

    var isEmpty: Bool { list.rows.isEmpty }
    /// The row of a film that it has.
    func row(of film: URL) -> FilmList.Row.ID? {
        list.currentRow?.entry.url == film ? list.current : list.rows.first { $0.entry.url == film }?.id
    }
    /// All of these, in this order, and no others.
    func holds(_ entries: [MediaList.Entry]) -> Bool {
        list.rows.map(\.entry.url) == entries.map(\.url)
    }

    /// In place of what it has, which goes on until it is known that the new can be played, and stays if it cannot.
    /// - Parameter expanded: lists that have been read already: one may name itself.
    func show(_ entries: [MediaList.Entry], expanded: Set<URL> = []) {
        opening?.cancel()
        opening = nil
        guard !isEmpty else { return begin(entries) }
        window.say(say("Opening…"), seconds: 3)
        let wanted = MediaList(entries)
        opening = Task { [weak self, queue = list.queue] in
            let problem = await queue.problem(of: wanted)
            guard let self, !isClosed, !Task.isCancelled else { return }
            opening = nil
            guard let problem else { return begin(entries) }
            // The problem is the first entry's.
            guard problem.isListOfMedia, let named = entries.first, !expanded.contains(named.url) else {
                return tell(problem, entries)
            }
            openNamed(in: entries, expanded: expanded.union([named.url]), problem)
        }
    }
    /// The first entry is a list of media whose name is a stream's: the entries of that list are opened in its place.
    private func openNamed(in entries: [MediaList.Entry], expanded: Set<URL>, _ problem: AVError) {
        guard let named = entries.first else { return }
        opening = Task { [weak self, kept] in
            let found = await kept.asked(MediaList([named]), found: named.url)
            guard let self, !isClosed, !Task.isCancelled else { return }
            opening = nil
            for problem in found.problems { kept.note("\(problem)") }
            let inner = found.entries.filter { $0.url != named.url }
            guard !inner.isEmpty else { return tell(problem, entries) }
            show(inner + entries.dropFirst(), expanded: expanded)
        }
    }
    private func begin(_ entries: [MediaList.Entry]) {
        desk.address = ""
        if !isEmpty { list.removeAll() }
        if let first = list.add(entries) { list.play(first) }
    }
    private func tell(_ problem: AVError, _ entries: [MediaList.Entry]) {
        kept.note("\(problem)")
        let typed = FilmDesk.addresses([desk.address]).first
        desk.problem = FilmDesk.Problem(
            title: PlayerWords.localized("Can’t Play “%@”", entries.first?.displayTitle ?? problem.location),
            error: problem, isAddress: typed != nil && typed == entries.first?.source)
    }

    /// On the page: what is dropped there is to be played now. On the playlist it comes into the list (`FilmDesk`).
    private func dropped(_ texts: [String]) -> Bool {
        if let row = desk.row(in: texts) {
            list.play(row)
            return true
        }
        let urls = FilmDesk.addresses(texts)
        guard !urls.isEmpty else { return false }
        onOpen?(self, urls)
        return true
    }

    /// Into the list; into an empty one it plays.
    private func add(_ urls: [URL], before: FilmList.Row.ID?) {
        let named = kept.named(urls)
        guard named.namesRemoteLists else { return add(kept.entries(of: named, urls), before: before) }
        desk.isAsking = true
        Task { [weak self, kept] in
            let list = await kept.asked(named)
            guard let self, !isClosed else { return }
            desk.isAsking = false
            add(kept.entries(of: list, urls), before: before)
        }
    }
    private func expand(_ row: FilmList.Row) {
        desk.isAsking = true
        Task { [weak self, kept] in
            let found = await kept.asked(MediaList([row.entry]), found: row.entry.url)
            guard let self, !isClosed else { return }
            desk.isAsking = false
            for problem in found.problems { kept.note("\(problem)") }
            list.replace(row.id, by: found.entries.filter { $0.url != row.entry.url })
        }
    }
    private func add(_ entries: [MediaList.Entry], before: FilmList.Row.ID?) {
        let wasEmpty = isEmpty
        guard let first = list.add(entries, before: before), wasEmpty else { return }
        list.play(first)
    }

    // MARK: how it looks

    private func follow() {
        guard !isClosed else { return }
        window.title = playing.windowTitle
        pages.show(list.rows.isEmpty ? .start : list.failure != nil ? .failure : .film)
        actions.set("next", isEnabled: list.hasNext)
        actions.set("previous", isEnabled: list.hasPrevious)
    }

    private func addControls() {
        controls.onVisible = { [weak window] in window?.controlsAreSeen($0, height: WindowControls.height) }
        window.onFullscreen { [weak controls] in controls?.fillsScreen($0) }
        window.addControls(
            { [weak controls] in controls?.widget },
            moved: { [weak controls] in controls?.pointerMoved($0) },
            left: { [weak controls] in controls?.pointerLeft() })
    }

    private func addActions() {
        pages.wantPanel(kept.state.value.showsList)
        actions.addSwitch("list", isOn: pages.isPanelShown) { [weak self] in self?.pages.showPanel($0) }
        pages.onPanel = { [weak self] isShown, isDocked in self?.panelChanged(isShown, isDocked) }
        playing.surroundings.list = (
            isShown: { [weak self] in self?.pages.isPanelShown ?? false },
            show: { [weak self] in self?.pages.showPanel($0) }
        )
        desk.played = { [weak self] in if self?.pages.isPanelOverPage == true { self?.pages.showPanel(false) } }
        actions.add("next") { [weak self] in self?.list.next() }
        actions.add("previous") { [weak self] in self?.list.previous() }
        actions.add("close") { [weak self] in self?.close() }
    }

    private func panelChanged(_ isShown: Bool, _ isDocked: Bool) {
        actions.set("list", isOn: isShown)
        // What is looked at for a moment is not how the next window is to begin.
        if isDocked { kept.state.change { $0.showsList = isShown } }
        if isShown, !isDocked { desk.calls += 1 }
    }

    /// The film's keys are the window's; but whatever else has the keyboard is asked first whether it has a use for a
    /// key: arrows in the playlist are the playlist's.
    private func addKeys() {
        let keys = GTKKeyController()
        keys.setPhase(GTK_PHASE_CAPTURE)
        signals.answer(keys, "key-pressed") { [weak self] (key: UInt32) -> Bool in
            guard let self else { return false }
            // First the playlist goes, where it lies over the film.
            if key == UInt32(GDK_KEY_Escape), pages.isPanelOverPage {
                pages.showPanel(false)
                return true
            }
            return forward(keys)
        }
        // Added last, it is asked first.
        gtkWindow.add(keys)
    }
    private func forward(_ keys: GTKKeyController) -> Bool {
        guard let focus = gtkWindow.focus, !pages.isOverFilm(focus) else { return false }
        var next: GTKWidget? = focus
        while let one = next, one != gtkWindow.widget {
            if keys.forward(to: one) { return true }
            next = one.parent
        }
        return false
    }

    // MARK: its end

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
        kept.state.change {
            $0.isMaximized = isMaximized
            if isPlain { $0.windowSize = content }
        }
        places = nil
        signals.disconnect()
        list.close()
        over.close()
        controls.close()
        actions.close()
        pages.close()
        panel.close()
        onClose?(self)
    }
}
