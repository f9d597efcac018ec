import Composition
import Foundation
import MediaCore
import MediaEngine
import PlayerApp
import PlayerViews
import Presentation

/// Where it is shown: a window with all that belongs to it, or nowhere.
extension PlaySession {
    /// A message when there is nothing to show on.
    func openDisplay() -> String? {
        // Also where nobody sees them: subtitles that cannot be read are an error.
        do {
            document = try options.picture.document()
        } catch {
            return "\(error)"
        }
        if options.headless {
            for player in players {
                headless.append(
                    HeadlessDisplay(source: player.videoFrameSource) { host in
                        DispatchQueue.main.async { MainActor.assumeIsolated { self.presented(host) } }
                    })
            }
            return nil
        }
        let size = options.size.flatMap(Play.WindowSize.init)
        let title = list.entries.first?.displayTitle ?? "Zoetrope"
        do {
            let window = try PlayerWindow(players: players, title: title, width: size?.width, height: size?.height)
            window.onPresent = { [weak self] host in self?.presented(host) }
            window.onClose = { [weak self] in self?.end(.stopped) }
            window.onToggleLoop = { [weak self] in self?.toggleLoop() ?? false }
            self.window = window
            if players.count == 1, !options.noControls, let player = players.first { addControls(to: window, player) }
            try compose(window)
            addDesk(to: window)
            window.present(fullscreen: options.fullscreen)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func addControls(to window: PlayerWindow, _ player: AVPlayer) {
        let controls = WindowControls(player) { [weak window] in window?.toggleFullscreen() }
        controls.onVisible = { [weak window] in window?.controlsAreSeen($0) }
        window.onFullscreen { [weak controls] in controls?.fillsScreen($0) }
        window.addControls(
            { [weak controls] in controls?.widget }, moved: { [weak controls] in controls?.pointerMoved($0) },
            left: { [weak controls] in controls?.pointerLeft() })
        self.controls = controls
    }

    private var subtitleLanguages: [String]? {
        options.subtitleLanguage.map { $0.split(separator: ",").map(String.init) }
    }

    private func compose(_ window: PlayerWindow) throws {
        for view in window.views {
            // One each: shaders and filters are not shared.
            let settings = try options.picture.settings()
            // The subtitles of one alone are its desk's.
            let hasWords = players.count > 1 && (document != nil || options.subtitleLanguage != nil)
            guard !settings.isNeutral || hasWords else { continue }
            let composition = PictureComposition()
            if hasWords {
                let subtitleOverlay = SubtitleOverlay()
                composition.add(subtitleOverlay)
                if let document { subtitleOverlay.show(document) } else { follow(view.player, subtitleOverlay) }
            }
            composition.settings = settings
            composition.onProblem = { problem in Console.note("\(problem)") }
            view.composition = composition
            compositions.append(composition)
        }
    }
    /// Keys, mouse, menu and what they show.
    private func addDesk(to window: PlayerWindow) {
        let desk = PlayerDesk(
            players: players, queue: players.count == 1 ? queue : nil, subtitleLanguages: subtitleLanguages)
        desk.subtitles.named = document
        // A wall's subtitles are laid over each of its pictures here.
        desk.subtitles.isOff = players.count > 1
        let windowDesk = PlayerWindowDesk(desk, window, composition: compositions.first)
        windowDesk.onProblem = { Console.note("\($0)") }
        let offer = { [weak self, weak desk] in
            if let self, let desk { controls?.offer(desk.subtitles.offered(desk.options)) }
        }
        desk.subtitles.onChange = offer
        offer()
        self.windowDesk = windowDesk
    }

    /// Shows the subtitles of whatever item plays.
    private func follow(_ player: AVPlayer?, _ subtitleOverlay: SubtitleOverlay) {
        guard let player, let language = options.subtitleLanguage else { return }
        observations.append(
            player.observe(\.currentItem, options: [.initial]) { player, _ in
                subtitleOverlay.show(player.currentItem?.subtitleSource)
                guard let item = player.currentItem else { return }
                Task {
                    guard let group = try? await item.asset.loadMediaSelectionGroup(for: .legible) else { return }
                    let fitting = AVMediaSelectionGroup.mediaSelectionOptions(
                        from: group.options,
                        filteredAndSortedAccordingToPreferredLanguages: language.split(separator: ",").map(String.init))
                    if let best = fitting.first { item.select(best, in: group) }
                }
            })
    }
}
