import CGIO
import CGTK
import DesktopServices
import Foundation
import GTK
import MediaCore

/// The desktop app: one process for all windows. The session bus can start it, and sends it the files to open
/// (`org.freedesktop.Application`). Main actor.
@MainActor
package final class PlayerApplication {
    /// The name of the desktop file, the icon and the bus name.
    package static let identifier = "io.github.zoetrope.Zoetrope"

    private let reference: GTKReference<GTKApplication>
    private var application: GTKApplication { reference.object }
    private let stored: StoredState
    private let actions: Actions<GTKApplication>
    private let signals = Signals()
    private var windows: [FilmWindow] = []
    private var scheme: DesktopScheme?
    private let note: @MainActor (String) -> Void
    private var problem: AVError?

    /// Creates the app.
    /// - Parameters:
    ///   - fetch: Loads playlists from servers.
    ///   - note: Receives a sentence about each problem that no window can show.
    /// - Throws: An `AVError` if there is no display, or if the display does not answer.
    package init(
        fetch: @escaping MediaList.Fetch, note: @escaping @MainActor (String) -> Void
    ) throws(AVError) {
        self.note = note
        AppIdentity.identifier = Self.identifier
        AppIdentity.name = "Zoetrope"
        guard GTKStart.ensure() else { throw GTKStart.problem }
        reference = GTKApplication.make(Self.identifier, G_APPLICATION_HANDLES_OPEN)
        stored = StoredState(fetch: fetch, note: note)
        actions = Actions(reference)
    }

    /// Runs the app until the last window is closed. If another process is the app already, the call returns when that
    /// process has been notified.
    /// - Parameters:
    ///   - urls: The files and URLs to open.
    ///   - isService: Whether the bus has started this process, and will send it the files to open.
    ///   - newWindow: Whether a running app opens another window.
    /// - Throws: An `AVError` if the app can't be registered, or if a window can't be created.
    package func run(_ urls: [URL], isService: Bool, newWindow: Bool = false) throws(AVError) {
        // If another process is the app, the main loop is not attached: GIO's loop would not end, because Foundation's
        // run loop always has another iteration (see `closed`).
        signals.on(application, "startup") { [weak self] in
            MainLoop.attach()
            self?.started()
        }
        signals.on(application, "activate") { [weak self] in self?.activate() }
        signals.on(application, "open") { [weak self] (files: OpaquePointer?, count: Int32) in
            self?.open(PlayerApplication.fileURLs(files, Int(count)))
        }
        if newWindow, try addedWindow() { return }
        let arguments = ["zoetrope"] + (isService ? ["--gapplication-service"] : urls.map(\.absoluteString))
        let status = application.run(arguments)
        NowPlayingHub.shared.end()
        CastRoutes.shared.end()
        IdleInhibitor.shared.end()
        signals.disconnect()
        if let problem { throw problem }
        if status != 0 {
            throw AVError(
                .unknown, at: "", reason: "the application can't register on the session bus (status \(status))")
        }
    }

    /// Opens a window in the running app.
    /// - Returns: False if no other process is registered as the app. This process is then registered, and the caller
    ///   opens the window.
    private func addedWindow() throws(AVError) -> Bool {
        if let problem = application.register() {
            throw AVError(
                .unknown, at: "",
                reason: "the application can't register on the session bus" + (problem.isEmpty ? "" : ": " + problem))
        }
        guard application.isRemote else { return false }
        application.activate("new-window")
        return true
    }

    /// Closes all windows, as the user would. It can be called anywhere on the main actor.
    package func quit() {
        for window in windows { window.close() }
        application.quit()
    }

    // MARK: start

    private func started() {
        AppMenu.setKeys(of: application)
        AppIcon.find()
        scheme = DesktopScheme(stored.preferences.value.scheme)
        RecentFilms.shared.follow()
        addActions()
        let hub = NowPlayingHub.shared
        hub.window = NowPlayingWindow(
            isFullscreen: { [weak self] in self?.front?.isFullscreen },
            setFullscreen: { [weak self] in self?.front?.toggleFullscreen($0) },
            raise: { [weak self] in self?.activate() },
            // Delayed, so that the caller gets an answer first.
            quit: { [weak self] in DispatchQueue.main.async { MainActor.assumeIsolated { self?.quit() } } },
            open: { [weak self] in self?.open([$0]) })
        hub.begin()
        IdleInhibitor.shared.begin()
    }

    private func addActions() {
        actions.add("open") { [weak self] in self?.inFront { $0.windowState.showsFileChooser = true } }
        actions.add("open-address") { [weak self] in self?.inFront { $0.windowState.showsURLDialog = true } }
        actions.add("new-window") { [weak self] in self?.make([])?.present() }
        actions.add("shortcuts") { [weak self] in self?.inFront { ShortcutsWindow.show(over: $0.gtkWindow) } }
        actions.add("about") { [weak self] in self?.inFront { AboutDialog.show(over: $0.gtkWindow) } }
        actions.add("quit") { [weak self] in self?.quit() }
        actions.addSwitch("resume", isOn: stored.preferences.value.resumes) { [weak self] isOn in
            self?.stored.preferences.change { $0.resumes = isOn }
            // A user who turns resuming off does not want any position to be stored.
            if !isOn { self?.stored.removePositions() }
        }
        actions.addChoice(
            "scheme", of: AppPreferences.Scheme.allCases.map(\.rawValue), stored.preferences.value.scheme.rawValue
        ) { [weak self] name in
            guard let choice = AppPreferences.Scheme(rawValue: name) else { return }
            self?.stored.preferences.change { $0.scheme = choice }
            self?.scheme?.choice = choice
        }
    }

    // MARK: windows

    /// The window that was active last.
    private var front: FilmWindow? {
        let active = application.activeWindow
        return windows.first { $0.gtkWindow == active } ?? windows.last
    }
    private func inFront(_ body: (FilmWindow) -> Void) {
        guard let window = front ?? make([]) else { return }
        window.present()
        body(window)
    }

    private func activate() { (front ?? make([]))?.present() }

    /// Opens URLs. A single file that is already open in a window brings that window to the front.
    /// - Parameters:
    ///   - urls: The files and URLs.
    ///   - wanted: The window whose videos are replaced if no window has the videos open; nil for a window without
    ///     videos, or a new one.
    private func open(_ urls: [URL], in wanted: FilmWindow? = nil) {
        let named = stored.list(of: urls)
        guard named.namesRemoteLists else { return open(stored.entries(of: named, urls), in: wanted) }
        // The window is shown at once, however long the server takes.
        guard let window = wanted ?? windows.first(where: \.isEmpty) ?? make([]) else { return }
        window.windowState.isLoadingPlaylist = true
        window.present()
        Task { [weak self, stored] in
            let list = await stored.loadingRemoteLists(named)
            window.windowState.isLoadingPlaylist = false
            // If the user has closed the window meanwhile, the videos are no longer wanted.
            guard let self, windows.contains(where: { $0 === window }) else { return }
            open(stored.entries(of: list, urls), in: window)
        }
    }
    private func open(_ entries: [MediaList.Entry], in wanted: FilmWindow?) {
        guard !entries.isEmpty else { return activate() }
        if entries.count == 1, let url = entries.first?.url {
            for window in windows {
                guard let row = window.row(of: url) else { continue }
                // A failed video is retried, and a playing one continues.
                if row != window.list.current || window.list.failure != nil {
                    window.list.play(row)
                } else {
                    stored.didOpen(url)
                }
                return window.present()
            }
        } else if let same = windows.first(where: { $0.holds(entries) }) {
            return same.present()
        }
        if let empty = wanted ?? windows.first(where: \.isEmpty) {
            empty.show(entries)
            return empty.present()
        }
        make(entries)?.present()
    }

    /// Ends the program after the last window.
    ///
    /// GIO would end it only when the main context has nothing left to do. Foundation's run loop in that context always
    /// has another iteration.
    private func closed(_ window: FilmWindow) {
        windows.removeAll { $0 === window }
        if windows.isEmpty { application.quit() }
    }

    private func make(_ entries: [MediaList.Entry]) -> FilmWindow? {
        do {
            let window = try FilmWindow(application, stored, entries: entries)
            window.onOpen = { [weak self] window, urls in self?.open(urls, in: window) }
            window.onClose = { [weak self] window in self?.closed(window) }
            windows.append(window)
            return window
        } catch {
            problem = error as? AVError
            note("\(error)")
            application.quit()
            return nil
        }
    }

    /// Returns the URLs of a C array of `GFile`.
    private static func fileURLs(_ files: OpaquePointer?, _ count: Int) -> [URL] {
        GTKApplication.uris(files, count).compactMap { URL(string: $0) }
    }
}
