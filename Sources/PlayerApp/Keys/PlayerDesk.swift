import Composition
import Foundation
import MediaCore
import MediaEngine
import Observation
import PlayerViews
import Presentation

/// What a window does for its player's keys, mouse and menu.
@MainActor
package struct PlayerSurroundings {
    /// Says something over the picture for a moment.
    package var say: (_ words: String, _ seconds: Double) -> Void = { _, _ in }
    /// What is the window's own to do: full screen, closing, looping.
    package var perform: (PlayerAction) -> Void = { _ in }
    /// What is laid over the picture; made when it is first asked for, nil: nothing can be.
    package var composition: () -> PictureComposition? = { nil }
    /// The same where it is there already.
    package var knownComposition: () -> PictureComposition? = { nil }
    /// How the picture lies in its place.
    package var gravity: () -> AVLayerVideoGravity = { .resizeAspect }
    package var setGravity: (AVLayerVideoGravity) -> Void = { _ in }
    /// Shown, or hidden where it is.
    package var toggleHelp: () -> Void = {}
    package var toggleInformation: () -> Void = {}
    package var openMenu: () -> Void = {}
    /// The list beside the picture; nil where there is none.
    package var list: (isShown: () -> Bool, show: (Bool) -> Void)?
    /// Lets the user choose what to open.
    package var open: () -> Void = {}
    /// Another title, or place in the list.
    package var titled: (String) -> Void = { _ in }
    package init() {}
}

/// What keys, mouse and menus do with a player: one place for all of them. Main actor.
@MainActor
package final class PlayerDesk {
    package let players: [AVPlayer]
    /// The list that is played; nil: there is none.
    package let queue: PlayQueue?
    package var surroundings = PlayerSurroundings()
    package let subtitles: PlayerSubtitles
    /// What there is to choose of what plays.
    package let options = PlayerOptions()
    private var observations: [NSKeyValueObservation] = []
    private var itemObservation: NSKeyValueObservation?
    private var shownTitle = ""

    /// - Parameters:
    ///   - players: the first of them is asked where several differ.
    ///   - subtitleLanguages: BCP 47, dearest first: those that are shown without being asked for; nil: the user's, and
    ///     only of files beside the film.
    package init(players: [AVPlayer], queue: PlayQueue?, subtitleLanguages: [String]? = nil) {
        self.players = players
        self.queue = queue
        subtitles = PlayerSubtitles(languages: subtitleLanguages)
    }
    package convenience init(player: AVPlayer) { self.init(players: [player], queue: nil) }

    package var player: AVPlayer? { players.first }

    /// Follows the player from now on; `surroundings` are known.
    package func begin() {
        guard let player else { return }
        subtitles.composition = { [weak self] in self?.surroundings.composition() }
        subtitles.problem = { [weak self] words in self?.surroundings.say(words, 4) }
        observations = [
            player.observe(\.currentItem, options: [.initial]) { [weak self] player, _ in self?.follow(player) },
            player.observe(\.currentItem?.status) { [weak self] player, _ in self?.follow(player) },
        ]
        observeWords()
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
        retitle()
    }

    /// The title comes after the file is open.
    private func observeWords() {
        withObservationTracking {
            _ = options.title
        } onChange: { [weak self] in
            DispatchQueue.main.async { [weak self] in
                MainActor.assumeIsolated {
                    self?.retitle()
                    self?.observeWords()
                }
            }
        }
    }

    // MARK: words

    /// What plays: its own title, else the list's, else its name.
    package var title: String {
        let own = options.title.trimmingCharacters(in: .whitespacesAndNewlines)
        if !own.isEmpty { return own }
        if let entry = queue?.entry { return entry.displayTitle }
        return (player?.currentItem?.asset.url).map { MediaList.Entry($0).displayTitle } ?? "Zoetrope"
    }
    /// The same with its place in the list, where that has more than one: “Film (2/5)”.
    package var windowTitle: String {
        guard let queue, queue.list.entries.count > 1 else { return title }
        return "\(title) (\(queue.index + 1)/\(queue.list.entries.count))"
    }
    private func retitle() {
        let new = windowTitle
        guard new != shownTitle else { return }
        shownTitle = new
        surroundings.titled(new)
    }

    private func say(_ words: String, _ seconds: Double = 1.5) { surroundings.say(words, seconds) }
    private func say(_ words: String) { surroundings.say(words, 1.5) }
    private func local(_ words: String) -> String { PlayerWords.localized(words) }

    // MARK: what is asked for

    package func perform(_ command: PlayerCommand) {
        guard let player else { return }
        switch command {
        case .action(let action):
            switch action {
            case .fullscreen, .leaveFullscreen, .loop, .close: surroundings.perform(action)
            default: if let words = action.perform(on: players) { say(words) }
            }
        case .loopSection: loopSection(player)
        case .subtitles(let step): say(subtitles.cycle(by: step, options))
        case .subtitleVisibility: say(subtitles.toggle(options))
        case .subtitleDelay(let seconds): say(subtitles.shift(by: seconds))
        case .audio(let step): cycleAudio(by: step)
        case .entry(let step): go(by: step)
        case .chapter(let step): goToChapter(by: step, player)
        case .picture(let withSubtitles): takePicture(player, withSubtitles: withSubtitles)
        case .progress:
            say([title, PlayerAction.time(of: player)].joined(separator: "\n"), 3)
        case .list: say(listWords(), 4)
        case .information: surroundings.toggleInformation()
        case .help: surroundings.toggleHelp()
        case .aspect: cycleAspect()
        case .menu: surroundings.openMenu()
        case .open: surroundings.open()
        }
    }

    private func loopSection(_ player: AVPlayer) {
        let now = player.currentTime().seconds
        if options.part != nil {
            options.clearPart()
            say(local("Section cleared"))
        } else if let start = options.start {
            guard now - start >= 0.1 else { return say(local("The section's end is before its start")) }
            options.setEnd(now)
            say("\(local("Loop Section")) \(PlayerWindowText.clock(start)) – \(PlayerWindowText.clock(now))")
        } else {
            options.setStart(now)
            say("\(local("Section begins at")) \(PlayerWindowText.clock(now))")
        }
    }

    private func cycleAudio(by step: Int) {
        guard let group = options.audios, group.options.count > 1 else {
            return say(local("There is no other sound track"))
        }
        let count = group.options.count
        let now = options.audio.flatMap { group.options.firstIndex(of: $0) } ?? -1
        let next = ((now + step) % count + count) % count
        options.select(group.options[next], in: group)
        say("\(local("Audio")): \(group.options[next].displayName) (\(next + 1)/\(count))")
    }

    private func go(by step: Int) {
        guard let queue, queue.go(by: step) else {
            return say(local(step > 0 ? "There is nothing after this" : "There is nothing before this"))
        }
        say(windowTitle)
    }

    private func goToChapter(by step: Int, _ player: AVPlayer) {
        guard options.chapters.count > 1 else { return go(by: step) }
        let now = player.currentTime().seconds
        let at = options.chapters.lastIndex { $0.start <= now + 0.001 } ?? -1
        // As with records: back goes to the start of this one first.
        let isInside = at >= 0 && now - options.chapters[at].start > 3
        let next = step < 0 && isInside ? at : at + step
        guard options.chapters.indices.contains(next) else {
            return say(local(step > 0 ? "This is the last chapter" : "This is the first chapter"))
        }
        let chapter = options.chapters[next]
        for p in players { p.seek(to: CMTime(seconds: chapter.start, preferredTimescale: 1_000_000)) }
        say("\(chapter.title) (\(next + 1)/\(options.chapters.count))")
    }

    private func cycleAspect() {
        let all: [(AVLayerVideoGravity, String)] = [
            (.resizeAspect, "Fit"), (.resizeAspectFill, "Fill"), (.resize, "Stretch"),
        ]
        let now = all.firstIndex { $0.0 == surroundings.gravity() } ?? 0
        let next = all[(now + 1) % all.count]
        surroundings.setGravity(next.0)
        say("\(local("Picture")): \(local(next.1))")
    }

    /// A few of the list around what plays.
    private func listWords() -> String {
        guard let queue, !queue.list.entries.isEmpty else { return title }
        let count = queue.list.entries.count
        let first = max(0, min(queue.index - 3, count - 9))
        return (first..<min(count, first + 9)).map { index in
            let entry = queue.list.entries[index]
            let name = entry.displayTitle
            return
                "\(index == queue.index ? "▶ " : "    ")\(index + 1). \(name.count > 60 ? name.prefix(59) + "…" : name)"
        }.joined(separator: "\n")
    }

    // MARK: pictures

    /// Where pictures go; nil: `PictureFile.folders`.
    package var pictureFolders: [FilePath]?

    private func takePicture(_ player: AVPlayer, withSubtitles: Bool) {
        guard let pulled = player.videoFrameSource.pull(forHostTime: .now()) else {
            return say(local("There is no picture to take"))
        }
        let time = pulled.frame.presentationTime
        let seconds = player.currentTime().seconds
        let name = PictureFile.name(title, at: seconds)
        let folders = pictureFolders ?? PictureFile.folders()
        let composition = surroundings.knownComposition()
        let frame: VideoFrame
        do {
            let composer = OfflineComposer(
                settings: composition?.settings ?? PictureSettings(),
                overlays: withSubtitles ? composition?.overlays ?? [] : [])
            frame = try composer.compose(pulled.frame, at: time)
        } catch {
            return say("\(error)", 4)
        }
        // Off the main thread: compressing takes a while.
        WorkerThread.detached(name: "zt-picture") { [weak self] in
            let result: Result<FilePath, AVError>
            do throws(AVError) {
                result = .success(
                    try PictureFile.write(Array(try frame.encoded(as: .png)), name: name, in: folders))
            } catch {
                result = .failure(error)
            }
            DispatchQueue.main.async { [weak self] in
                MainActor.assumeIsolated {
                    guard let self else { return }
                    switch result {
                    case .success(let path): self.say("\(self.local("Picture")): \(path.description)", 3)
                    case .failure(let error): self.say("\(error)", 4)
                    }
                }
            }
        }
    }
}

/// Clocks as the window shows them.
package enum PlayerWindowText {
    /// 1:02:03 or 2:03.
    package static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "–" }
        let total = Int(min(max(0, seconds), 1e9))
        return total >= 3600
            ? String(format: "%d:%02d:%02d", total / 3600, total / 60 % 60, total % 60)
            : String(format: "%d:%02d", total / 60, total % 60)
    }
}
