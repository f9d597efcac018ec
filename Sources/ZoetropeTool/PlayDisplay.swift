import Foundation
import MediaCore
import MediaEngine
import Overlays
import PlayerApp
import Presentation

/// The display of a session: a window with controls and keys, or no window.
@MainActor
final class PlayDisplay {
    /// Called with the host time of each displayed frame.
    var onPresent: (HostTime) -> Void = { _ in }
    var onClose: () -> Void = {}
    private let options: Play
    private let players: [AVQueuePlayer]
    private let queue: MediaQueue?
    private var headless: [HeadlessDisplay] = []
    private var window: PlayerWindow?
    private var compositions: [PictureComposition] = []
    private var windowCommands: WindowCommands?
    /// The subtitles from the file of `--subtitles`.
    private var document: SubtitleDocument?
    private var observations: [NSKeyValueObservation] = []

    init(_ options: Play, _ players: [AVQueuePlayer], _ queue: MediaQueue?) {
        self.options = options
        self.players = players
        self.queue = queue
    }

    /// Opens the display.
    /// - Returns: An error message if the display can't be opened, otherwise nil.
    func open(title: String) -> String? {
        // Unreadable subtitles are an error even without a window.
        do {
            document = try options.picture.document()
            // Invalid filters and shaders are also reported early.
            _ = try options.picture.settings()
        } catch {
            return "\(error)"
        }
        if options.window.headless {
            for player in players {
                headless.append(
                    HeadlessDisplay(source: player.videoFrameSource) { host in
                        DispatchQueue.main.async { MainActor.assumeIsolated { self.onPresent(host) } }
                    })
            }
            return nil
        }
        let size = options.window.size.flatMap(WindowOptions.WindowSize.init)
        do {
            let window = try PlayerWindow(players: players, title: title, width: size?.width, height: size?.height)
            window.onPresent = { [weak self] host in self?.onPresent(host) }
            window.onClose = { [weak self] in self?.onClose() }
            self.window = window
            try compose(window)
            addCommands(to: window)
            window.present(fullscreen: options.window.fullscreen)
            return nil
        } catch {
            let isWindowless = window == nil && (error as? AVError)?.code == .operationNotSupported
            return "\(error)" + (isWindowless ? " To play without a window, use --headless." : "")
        }
    }

    func showError(_ message: String) { window?.showError(message) }

    /// Stops the display if it has no window.
    /// - Parameter ended: Whether playback has ended. If so, the last frame is shown. Otherwise, no further frame is
    ///   shown.
    /// - Returns: The host time of the last frame; nil if no frame was shown by this call.
    func finish(ended: Bool) -> HostTime? {
        var first: HostTime?
        for display in headless {
            guard ended else {
                display.stop()
                continue
            }
            if let host = display.finish() { first = first ?? host }
        }
        return first
    }

    func close() {
        windowCommands?.close()
        window?.close()
        for composition in compositions { composition.close() }
    }

    private var subtitleLanguages: [String]? {
        options.subtitles.language.map { $0.split(separator: ",").map(String.init) }
    }

    private func compose(_ window: PlayerWindow) throws {
        for view in window.views {
            // Each player needs its own settings, because shaders and filters can't be shared.
            let settings = try options.picture.settings()
            // For a single player, `PlayerCommands` shows the subtitles.
            let hasSubtitles = players.count > 1 && (document != nil || options.subtitles.language != nil)
            guard !settings.isNeutral || hasSubtitles else { continue }
            let composition = PictureComposition()
            if hasSubtitles {
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

    /// Adds keys, mouse actions, the menu and the on-screen controls.
    private func addCommands(to window: PlayerWindow) {
        let commands = PlayerCommands(
            players: players, queue: players.count == 1 ? queue : nil, subtitleLanguages: subtitleLanguages)
        commands.subtitles.named = document
        // For a wall, `compose(_:)` shows the subtitles on each player.
        commands.subtitles.isOff = players.count > 1
        let windowCommands = WindowCommands(
            commands, window, composition: compositions.first, hasControls: !options.window.noControls)
        windowCommands.onProblem = { Console.note("\($0)") }
        self.windowCommands = windowCommands
    }

    /// Shows the subtitles of the current item in the language of the options.
    private func follow(_ player: AVPlayer?, _ subtitleOverlay: SubtitleOverlay) {
        guard let player, let language = options.subtitles.language else { return }
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
