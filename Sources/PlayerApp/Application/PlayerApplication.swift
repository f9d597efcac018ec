import CGIO
import CGTK
import DesktopServices
import Foundation
import GTK
import MediaCore
import MediaEngine

/// Zoetrope as a desktop's app: one process for all of its windows, which the session bus starts and gives what is to
/// be opened (`org.freedesktop.Application`). Main actor.
@MainActor
package final class PlayerApplication {
    /// The name of its desktop file, its icon and its bus name.
    package static let identifier = "io.github.zoetrope.Zoetrope"

    private let reference: GTKReference<GTKApplication>
    private var application: GTKApplication { reference.object }
    private let kept: Kept
    private let actions: Actions<GTKApplication>
    private let signals = Signals()
    private var windows: [FilmWindow] = []
    private var scheme: DesktopScheme?
    private let note: @MainActor (String) -> Void
    private var problem: AVError?

    /// - Parameters:
    ///   - fetch: gets lists from servers.
    ///   - note: told in one sentence what went wrong and has no window to be told in.
    /// - Throws: `AVError` without a display, or one that does not answer.
    package init(
        fetch: @escaping MediaList.Fetch, note: @escaping @MainActor (String) -> Void
    ) throws(AVError) {
        self.note = note
        AppIdentity.identifier = Self.identifier
        AppIdentity.name = "Zoetrope"
        guard GTKStart.ensure() else { throw GTKStart.problem }
        reference = GTKApplication.make(Self.identifier, G_APPLICATION_HANDLES_OPEN)
        kept = Kept(fetch: fetch, note: note)
        actions = Actions(reference)
    }

    /// Runs until the last window is closed; where another process is the app already, only until that one knows.
    /// - Parameters:
    ///   - isService: the bus has started it, and will say what for.
    ///   - newWindow: one more window, where it runs already.
    package func run(_ urls: [URL], isService: Bool, newWindow: Bool = false) throws(AVError) {
        // Not where another process is the app: GIO's end would wait for Foundation's turns (`closed`).
        signals.on(application, "startup") { [weak self] in
            MainLoop.attach()
            self?.started()
        }
        signals.on(application, "activate") { [weak self] in self?.activate() }
        signals.on(application, "open") { [weak self] (files: OpaquePointer?, count: Int32) in
            self?.open(PlayerApplication.addresses(files, Int(count)))
        }
        if newWindow, try addedWindow() { return }
        let words = ["zoetrope"] + (isService ? ["--gapplication-service"] : urls.map(\.absoluteString))
        let status = application.run(words)
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

    /// - Returns: false where no other process is the app: then this one is, and opens a window.
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

    /// Closes all windows, as the user would. From any place on the main actor.
    package func quit() {
        for window in windows { window.close() }
        application.quit()
    }

    // MARK: how it begins

    private func started() {
        AppMenu.setKeys(of: application)
        AppIcon.find()
        scheme = DesktopScheme(kept.preferences.value.scheme)
        RecentFilms.shared.follow()
        addActions()
        let hub = NowPlayingHub.shared
        hub.window = NowPlayingWindow(
            isFullscreen: { [weak self] in self?.front?.isFullscreen },
            setFullscreen: { [weak self] in self?.front?.toggleFullscreen($0) },
            raise: { [weak self] in self?.activate() },
            // In a turn of its own: who asked is answered.
            quit: { [weak self] in DispatchQueue.main.async { MainActor.assumeIsolated { self?.quit() } } },
            open: { [weak self] in self?.open([$0]) })
        hub.begin()
        IdleInhibitor.shared.begin()
    }

    private func addActions() {
        actions.add("open") { [weak self] in self?.inFront { $0.desk.asksForFiles = true } }
        actions.add("open-address") { [weak self] in self?.inFront { $0.desk.asksForAddress = true } }
        actions.add("new-window") { [weak self] in self?.make([])?.present() }
        actions.add("shortcuts") { [weak self] in self?.inFront { ShortcutsWindow.show(over: $0.gtkWindow) } }
        actions.add("about") { [weak self] in self?.inFront { AboutDialog.show(over: $0.gtkWindow) } }
        actions.add("quit") { [weak self] in self?.quit() }
        actions.addSwitch("resume", isOn: kept.preferences.value.resumes) { [weak self] isOn in
            self?.kept.preferences.change { $0.resumes = isOn }
            // Who does not want it, wants nothing of it kept.
            if !isOn { self?.kept.forgetPositions() }
        }
        actions.addChoice(
            "scheme", of: AppPreferences.Scheme.allCases.map(\.rawValue), kept.preferences.value.scheme.rawValue
        ) { [weak self] word in
            guard let choice = AppPreferences.Scheme(rawValue: word) else { return }
            self?.kept.preferences.change { $0.scheme = choice }
            self?.scheme?.choice = choice
        }
    }

    // MARK: windows

    /// The one the user had last.
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

    /// One window for a file: where it is open, that one comes to the front.
    /// - Parameter wanted: shows it else, in place of what it has; nil: one that has nothing to play, or a new one.
    private func open(_ urls: [URL], in wanted: FilmWindow? = nil) {
        let named = kept.named(urls)
        guard named.namesRemoteLists else { return open(kept.entries(of: named, urls), in: wanted) }
        // Seen at once, whatever time the server takes.
        guard let place = wanted ?? windows.first(where: \.isEmpty) ?? make([]) else { return }
        place.desk.isAsking = true
        place.present()
        Task { [weak self, kept] in
            let list = await kept.asked(named)
            place.desk.isAsking = false
            // Closed meanwhile, it is not wanted any more.
            guard let self, windows.contains(where: { $0 === place }) else { return }
            open(kept.entries(of: list, urls), in: place)
        }
    }
    private func open(_ entries: [MediaList.Entry], in wanted: FilmWindow?) {
        guard !entries.isEmpty else { return activate() }
        if entries.count == 1, let url = entries.first?.url {
            for window in windows {
                guard let row = window.row(of: url) else { continue }
                // What failed is tried again, and what plays goes on.
                if row != window.list.current || window.list.failure != nil {
                    window.list.play(row)
                } else {
                    kept.opened(url)
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

    /// The last one ends the program. Told so, not left to GIO: that would wait until the main context has nothing left
    /// to do, and Foundation's loop in it always has a turn after a turn.
    private func closed(_ window: FilmWindow) {
        windows.removeAll { $0 === window }
        if windows.isEmpty { application.quit() }
    }

    private func make(_ entries: [MediaList.Entry]) -> FilmWindow? {
        do {
            let window = try FilmWindow(application, kept, entries: entries)
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

    /// - Parameter files: `GFile`s, an array of C's.
    private static func addresses(_ files: OpaquePointer?, _ count: Int) -> [URL] {
        GTKApplication.uris(files, count).compactMap { URL(string: $0) }
    }
}
