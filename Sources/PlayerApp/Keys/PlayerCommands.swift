import Filters
import Foundation
import MediaCore
import MediaEngine
import Observation
import Overlays
import PlayerControls
import PlayerViews
import Presentation

/// The functions of a window that the commands of its player use.
@MainActor
package struct WindowActions {
    /// Shows a message on the video for some seconds.
    package var showMessage: (_ text: String, _ seconds: Double) -> Void = { _, _ in }
    /// Performs an action of the window: full screen, closing.
    package var perform: (PlaybackAction) -> Void = { _ in }
    /// The composition of overlays, created on first use; nil if there can't be any.
    package var composition: () -> PictureComposition? = { nil }
    /// The composition of overlays, if it exists already.
    package var knownComposition: () -> PictureComposition? = { nil }
    /// Returns how the video is scaled to the window.
    package var gravity: () -> AVLayerVideoGravity = { .resizeAspect }
    package var setGravity: (AVLayerVideoGravity) -> Void = { _ in }
    /// Shows the keyboard shortcuts, or hides them if they are visible.
    package var toggleHelp: () -> Void = {}
    package var toggleInformation: () -> Void = {}
    package var openMenu: () -> Void = {}
    /// The playlist panel; nil if there is none.
    package var list: (isShown: () -> Bool, show: (Bool) -> Void)?
    /// Shows a file chooser.
    package var open: () -> Void = {}
    /// Called when the title or the index in the playlist has changed.
    package var titleDidChange: (String) -> Void = { _ in }
    package init() {}
}

/// The commands of keys, mouse and menus for a player. Main actor.
@MainActor
package final class PlayerCommands {
    package let players: [AVPlayer]
    /// The playlist; nil if there is none.
    package let queue: MediaQueue?
    package var windowActions = WindowActions()
    package let subtitles: PlayerSubtitles
    /// The tracks, chapters and other options of the current item.
    package let options = PlayerOptions()
    private var observations: [NSKeyValueObservation] = []
    private var itemObservation: NSKeyValueObservation?
    private var shownTitle = ""

    /// Creates the commands of players.
    /// - Parameters:
    ///   - players: The players. If their states differ, that of the first one counts.
    ///   - queue: The playlist; nil if there is none.
    ///   - subtitleLanguages: BCP 47 tags, the most preferred one first. Subtitles in these languages are shown from
    ///     the start. Otherwise, a separate subtitle file is shown, preferably in one of the user's languages, or else
    ///     the subtitles that the video marks as default or forced.
    package init(players: [AVPlayer], queue: MediaQueue?, subtitleLanguages: [String]? = nil) {
        self.players = players
        self.queue = queue
        subtitles = PlayerSubtitles(languages: subtitleLanguages)
    }

    package var player: AVPlayer? { players.first }
    package var control: PlaybackControl { PlaybackControl(players) }

    /// Starts observing the player. Set `windowActions` before.
    package func begin() {
        guard let player else { return }
        subtitles.composition = { [weak self] in self?.windowActions.composition() }
        subtitles.problem = { [weak self] text in self?.windowActions.showMessage(text, 4) }
        observations = [
            player.observe(\.currentItem, options: [.initial]) { [weak self] player, _ in self?.follow(player) },
            player.observe(\.currentItem?.status) { [weak self] player, _ in self?.follow(player) },
        ]
        observeTitle()
    }
    package func close() {
        observations = []
        itemObservation = nil
        options.follow(nil)
        subtitles.follow(nil)
    }

    private func follow(_ player: AVPlayer) {
        options.follow(player)
        subtitles.follow(player.currentItem)
        updateTitle()
    }

    /// Follows the title of the item, which is known only after the file is open.
    private func observeTitle() {
        withObservationTracking {
            _ = options.info.title
        } onChange: { [weak self] in
            DispatchQueue.main.async { [weak self] in
                MainActor.assumeIsolated {
                    self?.updateTitle()
                    self?.observeTitle()
                }
            }
        }
    }

    // MARK: title and messages

    /// The title in the metadata of the current item, or else the item's title in the playlist, or else its file name.
    package var title: String { itemTitle ?? entry?.displayTitle ?? "Zoetrope" }
    /// The title in the metadata of the current item; nil if there is none.
    private var itemTitle: String? {
        let title = options.info.title.trimmingCharacters(in: .whitespacesAndNewlines)
        return title.isEmpty ? nil : title
    }
    private var entry: MediaList.Entry? {
        queue?.entry ?? (player?.currentItem?.asset.url).map { MediaList.Entry($0) }
    }
    /// The title with the index in a playlist of several items, such as “Holiday (2/5)”.
    package var windowTitle: String {
        guard let queue, queue.entries.count > 1 else { return title }
        return "\(title) (\(queue.index + 1)/\(queue.entries.count))"
    }
    private func updateTitle() {
        let new = windowTitle
        guard new != shownTitle else { return }
        shownTitle = new
        windowActions.titleDidChange(new)
    }

    private func showMessage(_ text: String, _ seconds: Double = 1.5) { windowActions.showMessage(text, seconds) }
    private func localized(_ text: String) -> String { PlayerWords.localized(text) }

    // MARK: commands

    package func perform(_ command: PlayerCommand) {
        guard let player else { return }
        switch command {
        case .action(let action):
            switch action {
            case .toggleFullScreen, .exitFullScreen, .close: windowActions.perform(action)
            case .toggleLoop: toggleLoop(player)
            case .toggleSubtitles: showMessage(subtitles.toggle(options))
            default: if let text = control.performWithMessage(action) { showMessage(text) }
            }
        case .loopSection: loopSection(player)
        case .subtitles(let step): showMessage(subtitles.cycle(by: step, options))
        case .subtitleVisibility: showMessage(subtitles.toggle(options))
        case .subtitleDelay(let seconds): showMessage(subtitles.shift(by: seconds))
        case .audio(let step): cycleAudio(by: step)
        case .entry(let step): go(by: step)
        case .chapter(let step): goToChapter(by: step, player)
        case .screenshot(let withSubtitles): saveScreenshot(player, withSubtitles: withSubtitles)
        case .progress:
            showMessage([title, control.positionText].joined(separator: "\n"), 3)
        case .list: showMessage(playlistText(), 4)
        case .information: windowActions.toggleInformation()
        case .help: windowActions.toggleHelp()
        case .aspect: cycleAspect()
        case .menu: windowActions.openMenu()
        case .open: windowActions.open()
        }
    }

    /// Loops the whole item, or ends its loop, as the on-screen controls do.
    private func toggleLoop(_ player: AVPlayer) {
        guard player.currentItem != nil else { return }
        let loops = !player.loopsCurrentItem || player.loopedRange != nil
        options.loop.set(loops)
        for other in players.dropFirst() {
            other.loopedRange = nil
            other.loopsCurrentItem = loops
        }
        showMessage(localized(loops ? "Loop on" : "Loop off"))
    }

    private func loopSection(_ player: AVPlayer) {
        let now = player.currentTime().seconds
        if options.loop.part != nil {
            options.loop.clearPart()
            showMessage(localized("A–B loop cleared"))
        } else if let start = options.loop.start {
            guard now - start >= 0.1 else { return showMessage(localized("The loop end is before its start")) }
            options.loop.setEnd(now)
            showMessage("\(localized("A–B Loop")): \(TimeText.clock(start)) – \(TimeText.clock(now))")
        } else {
            options.loop.setStart(now)
            showMessage("\(localized("A–B loop starts at")) \(TimeText.clock(now))")
        }
    }

    private func cycleAudio(by step: Int) {
        guard let group = options.tracks.audios, group.options.count > 1 else {
            return showMessage(localized("No other audio track"))
        }
        let count = group.options.count
        let now = options.tracks.audio.flatMap { group.options.firstIndex(of: $0) } ?? -1
        let next = ((now + step) % count + count) % count
        options.tracks.select(group.options[next], in: group)
        showMessage("\(localized("Audio")): \(group.options[next].displayName) (\(next + 1)/\(count))")
    }

    private func go(by step: Int) {
        guard let queue, queue.go(by: step) else {
            return showMessage(localized(step > 0 ? "This is the last video" : "This is the first video"))
        }
        showMessage(windowTitle)
    }

    private func goToChapter(by step: Int, _ player: AVPlayer) {
        guard options.chapters.count > 1 else { return go(by: step) }
        let now = player.currentTime().seconds
        let at = options.chapters.lastIndex { $0.start <= now + 0.001 } ?? -1
        // More than 3 s into a chapter, “previous” goes to its start.
        let isInside = at >= 0 && now - options.chapters[at].start > 3
        let next = step < 0 && isInside ? at : at + step
        guard options.chapters.indices.contains(next) else {
            return showMessage(localized(step > 0 ? "This is the last chapter" : "This is the first chapter"))
        }
        let chapter = options.chapters[next]
        control.seek(to: chapter.start)
        showMessage("\(chapter.title) (\(next + 1)/\(options.chapters.count))")
    }

    private func cycleAspect() {
        let all: [(AVLayerVideoGravity, String)] = [
            (.resizeAspect, "Fit"), (.resizeAspectFill, "Fill"), (.resize, "Stretch"),
        ]
        let now = all.firstIndex { $0.0 == windowActions.gravity() } ?? 0
        let next = all[(now + 1) % all.count]
        windowActions.setGravity(next.0)
        showMessage("\(localized("Scaling")): \(localized(next.1))")
    }

    /// Returns the playlist items around the current one, as text.
    private func playlistText() -> String {
        guard let queue, !queue.entries.isEmpty else { return title }
        let count = queue.entries.count
        let first = max(0, min(queue.index - 3, count - 9))
        return (first..<min(count, first + 9)).map { index in
            let entry = queue.entries[index]
            let name = entry.displayTitle
            return
                "\(index == queue.index ? "▶ " : "    ")\(index + 1). \(name.count > 60 ? name.prefix(59) + "…" : name)"
        }.joined(separator: "\n")
    }

    // MARK: screenshots

    /// The folders for screenshots; nil stands for `ScreenshotFile.folders()`.
    package var screenshotFolders: [FilePath]?

    private func saveScreenshot(_ player: AVPlayer, withSubtitles: Bool) {
        guard let pulled = player.videoFrameSource.pull(forHostTime: .now()) else {
            return showMessage(localized("No frame to save"))
        }
        let time = pulled.frame.presentationTime
        let seconds = player.currentTime().seconds
        let name = ScreenshotFile.name(itemTitle ?? entry?.titleWithoutExtension ?? "Zoetrope", at: seconds)
        let folders = screenshotFolders ?? ScreenshotFile.folders()
        let composition = windowActions.knownComposition()
        let frame: VideoFrame
        do {
            let composer = OfflineComposer(
                settings: composition?.settings ?? PictureSettings(),
                overlays: withSubtitles ? composition?.overlays ?? [] : [])
            frame = try composer.compose(pulled.frame, at: time)
        } catch {
            return showMessage(PlayerWords.onScreen("\(error)"), 4)
        }
        // Compressing is slow, so it does not run on the main thread.
        WorkerThread.detached(name: "zt-picture") { [weak self] in
            let result: Result<FilePath, AVError>
            do throws(AVError) {
                result = .success(
                    try ScreenshotFile.write(Array(try frame.encoded(as: .png)), name: name, in: folders))
            } catch {
                result = .failure(error)
            }
            DispatchQueue.main.async { [weak self] in
                MainActor.assumeIsolated {
                    guard let self else { return }
                    switch result {
                    case .success(let path):
                        self.showMessage("\(self.localized("Screenshot saved")): \(path.description)", 3)
                    case .failure(let error): self.showMessage(PlayerWords.onScreen("\(error)"), 4)
                    }
                }
            }
        }
    }
}
