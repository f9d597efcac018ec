import Foundation
import GTK
import MediaCore
import MediaEngine
import Overlays
import PlayerControls
import PlayerViews
import Presentation

/// A `PlayerWindow` with the commands of keys, mouse and menu, the on-screen controls, and the panels over the video.
/// Main actor.
@MainActor
package final class WindowCommands {
    package let commands: PlayerCommands
    private let window: PlayerWindow
    private let controls: WindowControls?
    private let menu: PlayerMenu
    private var mouse: PlayerMouse?
    private var help: OverlayPanel?
    private var information: InformationOverlay?
    private var chooser: FileChooser?
    private var isHelpVisible = false
    /// The signals that are connected while the help is visible.
    private let helpSignals = Signals()
    private var opening: Task<Void, Never>?
    private var composition: PictureComposition?
    /// Called when a video that the user opened can't be played, and when a filter can't be applied.
    package var onProblem: ((AVError) -> Void)?

    /// Connects the commands of a player with a window.
    /// - Parameters:
    ///   - commands: The commands of the player.
    ///   - window: The window.
    ///   - composition: The composition that the window's view already has; nil if it has none.
    ///   - hasControls: Whether the pointer shows controls. A window with several players has none.
    package init(
        _ commands: PlayerCommands, _ window: PlayerWindow, composition: PictureComposition?, hasControls: Bool = true
    ) {
        self.commands = commands
        self.window = window
        let player = hasControls && commands.players.count == 1 ? commands.player : nil
        controls = player.map { player in WindowControls(player) { [weak window] in window?.toggleFullscreen() } }
        self.composition = composition
        menu = PlayerMenu(commands)
        // `PlayerSubtitles` shows the subtitles instead of the view.
        for view in window.views { view.showsSubtitles = commands.subtitles.isOff }
        var actions = WindowActions()
        actions.showMessage = { [weak window] in window?.showMessage($0, seconds: $1) }
        actions.perform = { [weak window] in window?.perform($0) }
        actions.knownComposition = { [weak self] in self?.composition }
        actions.composition = { [weak self] in self?.makeComposition() }
        actions.gravity = { [weak window] in window?.views.first?.videoGravity ?? .resizeAspect }
        actions.setGravity = { [weak window] gravity in
            for view in window?.views ?? [] { view.videoGravity = gravity }
        }
        actions.toggleHelp = { [weak self] in self?.toggleHelp() }
        actions.toggleInformation = { [weak self] in self?.toggleInformation() }
        actions.openMenu = { [weak self] in self?.openMenu(nil) }
        actions.open = { [weak self] in self?.choose() }
        actions.titleDidChange = { [weak window] in window?.title = $0 }
        commands.windowActions = actions
        window.onKey = { [weak self] in self?.pressed($0, $1, isRepeat: $2) ?? false }
        // The mouse actions apply to the video only. Views beside it have their own.
        mouse = PlayerMouse(
            window.surface ?? window.window.widget, perform: { [weak self] in self?.perform($0) },
            menu: { [weak self] in self?.openMenu(($0, $1)) })
        addControls()
        commands.begin()
    }

    private func addControls() {
        guard let controls else { return }
        controls.onVisible = { [weak window] in window?.controlsAreSeen($0, height: WindowControls.height) }
        window.onFullscreen { [weak controls] in controls?.fillsScreen($0) }
        window.addControls(
            { [weak controls] in controls?.widget }, moved: { [weak controls] in controls?.pointerMoved($0) },
            left: { [weak controls] in controls?.pointerLeft() })
        // The controls list the tracks of the video themselves, but do not know the subtitle files.
        let offer = { [weak controls, weak commands] in
            if let commands { controls?.offer(commands.subtitles.offered(commands.options)) }
        }
        commands.subtitles.onChange = offer
        offer()
    }

    /// The composition that these commands have created; nil if none was needed so far.
    package private(set) var createdComposition: PictureComposition?

    /// Disconnects the commands. Call it when the window has closed, or before.
    package func close() {
        opening?.cancel()
        helpSignals.disconnect()
        menu.close()
        mouse?.close()
        mouse = nil
        chooser = nil
        information?.isSeen = false
        window.onKey = nil
        commands.close()
        controls?.close()
        createdComposition?.close()
    }

    private func makeComposition() -> PictureComposition? {
        if let composition { return composition }
        guard let view = window.views.first else { return nil }
        let fresh = PictureComposition()
        fresh.onProblem = { [weak self] in self?.onProblem?($0) }
        view.composition = fresh
        (composition, createdComposition) = (fresh, fresh)
        return fresh
    }

    private func pressed(_ key: UInt32, _ state: UInt32, isRepeat: Bool) -> Bool {
        guard let command = KeyTable.command(key, state: state) else { return false }
        // A held key is not passed on either, even if its command does not repeat.
        guard command.repeats || !isRepeat else { return true }
        // Escape first hides the help over the video.
        if command == .action(.exitFullScreen), isHelpVisible {
            toggleHelp()
            return true
        }
        perform(command)
        return true
    }

    /// Performs a command. While the help is visible, the volume keys and the wheel scroll it.
    private func perform(_ command: PlayerCommand) {
        guard isHelpVisible, let help, case .action(.volume(let change)) = command else {
            return commands.perform(command)
        }
        help.scroll(by: change > 0 ? -1 : 1)
    }

    // MARK: panels

    private func toggleHelp() {
        if help == nil {
            help = HelpOverlay.make { [weak self] in self?.toggleHelp() }
            if let help {
                HelpOverlay.fill(help)
                window.addOverlay(help.widget)
            }
        }
        guard let help else { return }
        isHelpVisible.toggle()
        helpSignals.disconnect()
        if isHelpVisible, let surface = window.surface {
            fitHelp()
            if let windowSurface = surface.native?.surface {
                helpSignals.on(windowSurface, "layout") { [weak self] in
                    // Delayed, because GTK is in its layout at this moment.
                    DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.fitHelp() } }
                }
            }
        }
        window.show(isHelpVisible, overlay: help.widget)
    }
    private func fitHelp() {
        guard let help, let surface = window.surface else { return }
        help.fit(width: surface.width)
    }

    private func toggleInformation() {
        if information == nil, let player = commands.player {
            information = InformationOverlay(player)
            if let information { window.addOverlay(information.panel.widget) }
        }
        guard let information else { return }
        information.isSeen.toggle()
        window.show(information.isSeen, overlay: information.panel.widget)
    }

    /// Opens the menu.
    /// - Parameter point: The position on the surface; nil for its center, if a key opened the menu.
    private func openMenu(_ point: (x: Double, y: Double)?) {
        guard let surface = window.surface else { return }
        let x = point?.x ?? Double(surface.width) / 2
        let y = point?.y ?? Double(surface.height) / 2
        menu.open(at: x, y, in: surface)
    }

    /// Replaces the playlist. The current video continues until the new one can be played, and stays if it can't.
    private func replace(_ queue: MediaQueue, with list: MediaList) {
        opening?.cancel()
        opening = Task { [weak self] in
            let problem = await queue.problem(of: list)
            guard let self, window.surface != nil, !Task.isCancelled else { return }
            opening = nil
            guard let problem else { return queue.replace(with: list.entries) }
            onProblem?(problem)
            window.showMessage(PlayerWords.onScreen("\(problem)"), seconds: 4)
        }
    }

    private func choose() {
        guard let queue = commands.queue, window.surface != nil else { return }
        let playing = commands.player?.currentItem?.asset.url
        chooser = FileChooser(over: window.window, in: FileChooser.folder(for: playing)) { [weak self] urls in
            guard let self else { return }
            // Delayed, because the file chooser is still calling this closure.
            DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.chooser = nil } }
            guard !urls.isEmpty else { return }
            let list = MediaList.expanding(urls)
            for problem in list.problems { onProblem?(problem) }
            guard !list.entries.isEmpty else {
                if let first = list.problems.first { window.showMessage(PlayerWords.onScreen("\(first)"), seconds: 4) }
                return
            }
            replace(queue, with: list)
        }
    }
}
