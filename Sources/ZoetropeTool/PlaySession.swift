import CSystem
import Composition
import Dispatch
import Foundation
import MediaCore
import MediaEngine
import Presentation
import SampleMedia

/// One run of `zoetrope play`: its players, its display, when it ends and what it says then.
@MainActor
final class PlaySession {
    private let options: Play
    private var players: [AVQueuePlayer] = []
    private var loopers: [AVPlayerLooper] = []
    private var items: [AVPlayerItem] = []
    private var observations: [NSKeyValueObservation] = []
    private var headless: [HeadlessDisplay] = []
    private var window: PlayerWindow?
    private var compositions: [PictureComposition] = []
    private var shown = 0
    private var firstFrame: Int64?
    private var status: PlayReport.Status = .stopped
    private var failures: [String] = []
    private var exitCode: Int32 = 0
    private var signals: [any DispatchSourceSignal] = []
    private var isOver = false

    init(_ options: Play) { self.options = options }

    /// The exit code.
    func run() -> Int32 {
        _ = ProcessFacts.startTime
        // Many players are many threads that allocate little; an arena each would be mostly air.
        zt_malloc_arenas(2)
        guard let urls = urls() else { return 1 }
        if options.renderer != .auto { setenv("ZOETROPE_RENDERER", options.renderer.rawValue, 1) }
        makePlayers(urls)
        if let message = openDisplay() {
            fail(message)
            return finish()
        }
        watch()
        for player in players { player.playAtDefaultRate(from: options.start?.time) }
        MainLoop.run()
        return finish()
    }

    private func urls() -> [URL]? {
        if options.files.isEmpty {
            guard let sample = SampleLoop.url else {
                print("zoetrope: the built-in sample is missing; name a file", to: &StandardError.stream)
                return nil
            }
            return [sample]
        }
        return options.files.map { MediaLocation.url($0) }
    }

    private func makePlayers(_ urls: [URL]) {
        for _ in 0..<options.wall {
            let player = AVQueuePlayer(items: [])
            player.volume = options.volume
            player.isMuted = options.mute
            player.defaultRate = options.speed
            for url in urls {
                let item = AVPlayerItem(url: url)
                if let audio = options.audio { item.preferredAudioLanguages = audio.split(separator: ",").map(String.init) }
                items.append(item)
                if options.loop, urls.count == 1 {
                    loopers.append(AVPlayerLooper(player: player, templateItem: item))
                } else {
                    player.insert(item)
                }
            }
            // The last picture of the last file stays.
            if urls.count == 1 { player.actionAtItemEnd = .pause }
            players.append(player)
        }
    }

    /// A message when there is nothing to show on.
    private func openDisplay() -> String? {
        if options.headless {
            for player in players {
                headless.append(HeadlessDisplay(source: player.videoFrameSource) { host in
                    DispatchQueue.main.async { MainActor.assumeIsolated { self.presented(host) } }
                })
            }
            return nil
        }
        let size = options.size.flatMap(Play.WindowSize.init)
        let title = options.files.first.map { MediaLocation.url($0).lastPathComponent } ?? "Zoetrope"
        do {
            let window = try PlayerWindow(players: players, title: title, width: size?.width, height: size?.height)
            window.onPresent = { [weak self] host in self?.presented(host) }
            window.onClose = { [weak self] in self?.end(.stopped) }
            window.onToggleLoop = { [weak self] in self?.toggleLoop() ?? false }
            self.window = window
            try compose(window)
            window.present(fullscreen: options.fullscreen)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func compose(_ window: PlayerWindow) throws {
        let document = try options.picture.document()
        for view in window.views {
            // One each: shaders and filters are not shared.
            let settings = try options.picture.settings()
            guard !settings.isNeutral || document != nil || options.subtitleLanguage != nil else { continue }
            let composition = PictureComposition()
            let titles = SubtitleOverlay()
            composition.add(titles)
            if let document { titles.show(document) } else if options.subtitleLanguage != nil { follow(view.player, titles) }
            composition.settings = settings
            composition.onProblem = { problem in print("zoetrope: \(problem)", to: &StandardError.stream) }
            view.composition = composition
            compositions.append(composition)
        }
    }

    /// Shows the subtitles of whatever item plays.
    private func follow(_ player: AVPlayer?, _ titles: SubtitleOverlay) {
        guard let player, let language = options.subtitleLanguage else { return }
        observations.append(player.observe(\.currentItem, options: [.initial]) { player, _ in
            titles.show(player.currentItem?.subtitleSource)
            guard let item = player.currentItem else { return }
            Task {
                guard let group = try? await item.asset.loadMediaSelectionGroup(for: .legible) else { return }
                let fitting = AVMediaSelectionGroup.mediaSelectionOptions(from: group.options, filteredAndSortedAccordingToPreferredLanguages: language.split(separator: ",").map(String.init))
                if let best = fitting.first { item.select(best, in: group) }
            }
        })
    }

    private func watch() {
        for (index, player) in players.enumerated() {
            observations.append(player.observe(\.currentItem, options: [.new]) { [weak self] player, _ in
                if player.currentItem == nil { self?.playerEnded(index) }
            })
        }
        for item in items {
            observations.append(item.observe(\.status, options: [.initial]) { [weak self] item, _ in
                if item.status == .failed { self?.itemFailed(item) }
            })
        }
        let isSingle = players.first?.actionAtItemEnd == .pause
        if isSingle, !options.loop {
            for (index, player) in players.enumerated() {
                let last = items.count == players.count ? items[index] : nil
                observations.append(player.observe(\.timeControlStatus, options: []) { [weak self] player, _ in
                    guard player.timeControlStatus == .paused, let last, last.status == .readyToPlay, player.isAtEnd else { return }
                    self?.playerEnded(index)
                })
            }
        }
        if let seconds = options.seconds {
            DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { MainActor.assumeIsolated { self.end(.stopped) } }
        }
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { MainActor.assumeIsolated { self.interrupted() } }
            source.resume()
            signals.append(source)
        }
    }

    private func toggleLoop() -> Bool {
        if loopers.isEmpty {
            for player in players {
                if let item = player.currentItem { loopers.append(AVPlayerLooper(player: player, templateItem: item)) }
            }
            return true
        }
        for looper in loopers { looper.disableLooping() }
        loopers = []
        return false
    }

    // MARK: what happens

    private func presented(_ host: Int64) {
        if firstFrame == nil { firstFrame = host }
        shown += 1
        if let limit = options.frames, shown >= limit { end(.stopped) }
    }

    private var ended: Set<Int> = []
    private func playerEnded(_ index: Int) {
        ended.insert(index)
        if options.loop, options.files.count > 1, failures.count < options.files.count { return playAgain(index) }
        if ended.count == players.count { end(failures.count == items.count ? .failed : .ended) }
    }

    /// Several files in a loop: the list begins anew.
    private func playAgain(_ index: Int) {
        ended.remove(index)
        for file in options.files {
            let item = AVPlayerItem(url: MediaLocation.url(file))
            players[index].insert(item)
        }
    }

    private func itemFailed(_ item: AVPlayerItem) {
        let message = item.error.map { "\($0)" } ?? "cannot be played"
        print("zoetrope: \(message)", to: &StandardError.stream)
        failures.append(message)
        if failures.count == items.count {
            window?.showError(message)
            end(.failed)
        }
    }

    private func fail(_ message: String) {
        print("zoetrope: \(message)", to: &StandardError.stream)
        failures.append(message)
        status = .failed
    }

    private func interrupted() {
        exitCode = 130
        end(.stopped)
    }

    private func end(_ status: PlayReport.Status) {
        guard !isOver else { return }
        isOver = true
        self.status = status
        MainLoop.quit()
    }

    private func finish() -> Int32 {
        for display in headless { display.stop() }
        let statistics = players.map(\.statistics)
        let played = statistics.contains { $0.framesShown > 0 } || items.contains { $0.status == .readyToPlay && !hasVideo($0) }
        if status != .failed, !played, !failures.isEmpty { status = .failed }
        if status == .failed || !played && exitCode == 0 { exitCode = 1 }
        if options.report == .json {
            print(PlayReport(players: statistics, items: items, firstFrame: firstFrame, status: status, error: failures.first).line)
        }
        window?.close()
        for composition in compositions { composition.close() }
        for player in players { player.replaceCurrentItem(with: nil) }
        players = []
        return exitCode
    }

    private func hasVideo(_ item: AVPlayerItem) -> Bool { item.presentationSize.width > 0 }
}

/// Standard error as a text stream.
struct StandardError: TextOutputStream {
    nonisolated(unsafe) static var stream = StandardError()
    func write(_ string: String) { FileHandle.standardError.write(Data(string.utf8)) }
}
