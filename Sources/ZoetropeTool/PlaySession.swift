import CSystem
import Composition
import Dispatch
import Foundation
import GLibSupport
import MediaCore
import MediaEngine
import PlayerViews
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
    private var controls: WindowControls?
    private var compositions: [PictureComposition] = []
    private var shown = 0
    private var firstFrame: HostTime?
    private var status: PlayReport.Status = .stopped
    private var failures: [String] = []
    /// The one that ended it.
    private var signal: Int32?
    private var shortfalls: [String] = []
    private var endedEarly: Set<ObjectIdentifier> = []
    private var ends: [any NSObjectProtocol] = []
    private var isOver = false

    init(_ options: Play) { self.options = options }

    /// - Throws: why nothing was played, once it has been reported.
    func run() throws(ToolFailure) {
        _ = ProcessFacts.startTime
        // Many players are many threads that allocate little; an arena each would be mostly air.
        zt_malloc_arenas(2)
        let urls = try urls()
        if options.renderer != .auto { setenv("ZOETROPE_RENDERER", options.renderer.rawValue, 1) }
        makePlayers(urls)
        if let message = openDisplay() {
            fail(message)
            return try finish()
        }
        watch()
        for player in players { player.playAtDefaultRate(from: options.start?.time) }
        MainLoop.run()
        try finish()
    }

    private func urls() throws(ToolFailure) -> [URL] {
        if options.files.isEmpty {
            guard let sample = SampleLoop.url else {
                throw ToolFailure(.failed, "the built-in sample is missing; name a file")
            }
            return [sample]
        }
        return options.files.map(\.url)
    }

    private func makePlayers(_ urls: [URL]) {
        for _ in 0..<options.wall {
            let player = AVQueuePlayer(items: [])
            player.volume = options.volume
            player.isMuted = options.mute
            player.defaultRate = options.speed
            for url in urls {
                let item = AVPlayerItem(asset: MediaLocation.asset(url, insecure: options.insecure))
                if let audio = options.audio {
                    item.preferredAudioLanguages = audio.split(separator: ",").map(String.init)
                }
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
                headless.append(
                    HeadlessDisplay(source: player.videoFrameSource) { host in
                        DispatchQueue.main.async { MainActor.assumeIsolated { self.presented(host) } }
                    })
            }
            return nil
        }
        let size = options.size.flatMap(Play.WindowSize.init)
        let title = options.files.first.map(\.lastName) ?? "Zoetrope"
        do {
            let window = try PlayerWindow(players: players, title: title, width: size?.width, height: size?.height)
            window.onPresent = { [weak self] host in self?.presented(host) }
            window.onClose = { [weak self] in self?.end(.stopped) }
            window.onToggleLoop = { [weak self] in self?.toggleLoop() ?? false }
            self.window = window
            if players.count == 1, !options.noControls, let player = players.first { addControls(to: window, player) }
            try compose(window)
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

    private func compose(_ window: PlayerWindow) throws {
        let document = try options.picture.document()
        for view in window.views {
            // One each: shaders and filters are not shared.
            let settings = try options.picture.settings()
            guard !settings.isNeutral || document != nil || options.subtitleLanguage != nil else { continue }
            let composition = PictureComposition()
            let subtitleOverlay = SubtitleOverlay()
            composition.add(subtitleOverlay)
            if let document {
                subtitleOverlay.show(document)
            } else if options.subtitleLanguage != nil {
                follow(view.player, subtitleOverlay)
            }
            composition.settings = settings
            composition.onProblem = { problem in Console.note("\(problem)") }
            view.composition = composition
            compositions.append(composition)
        }
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

    private func watch() {
        for (index, player) in players.enumerated() {
            observations.append(
                player.observe(\.currentItem, options: [.new]) { [weak self] player, _ in
                    if player.currentItem == nil { self?.playerEnded(index) }
                })
        }
        for item in items {
            observations.append(
                item.observe(\.status, options: [.initial]) { [weak self] item, _ in
                    if item.status == .failed { self?.itemFailed(item) }
                })
            // A loop goes round what there is, and has played to its end.
            for name in [AVPlayerItem.failedToPlayToEndTimeNotification, AVPlayerItem.didPlayToEndTimeNotification] {
                ends.append(
                    NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) { [weak self] _ in
                        MainActor.assumeIsolated { self?.itemEnded(item) }
                    })
            }
        }
        let isSingle = players.first?.actionAtItemEnd == .pause
        if isSingle, !options.loop {
            for (index, player) in players.enumerated() {
                let last = items.count == players.count ? items[index] : nil
                observations.append(
                    player.observe(\.timeControlStatus, options: []) { [weak self] player, _ in
                        guard player.timeControlStatus == .paused, let last, last.status == .readyToPlay, player.isAtEnd
                        else { return }
                        self?.playerEnded(index)
                    })
            }
        }
        if let seconds = options.seconds {
            DispatchQueue.main.asyncAfter(deadline: .now() + seconds) {
                MainActor.assumeIsolated { self.end(.stopped) }
            }
        }
        Signals.setHandler { number in
            DispatchQueue.main.async { MainActor.assumeIsolated { self.interrupted(number) } }
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

    private func presented(_ host: HostTime) {
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
            let item = AVPlayerItem(asset: MediaLocation.asset(file.url, insecure: options.insecure))
            players[index].insert(item)
        }
    }

    private func itemFailed(_ item: AVPlayerItem) {
        let message = item.error.map { "\($0)" } ?? "\(item.asset.url.location): cannot be played"
        // One alone is what the command ends with.
        if items.count > 1 { Console.note(message) }
        failures.append(message)
        if failures.count == items.count {
            window?.showError(message)
            end(.failed)
        }
    }

    /// Of a file that is cut off, and played to where it ends, that is told once.
    private func itemEnded(_ item: AVPlayerItem) {
        guard item.status != .failed, let shortfall = item.shortfall, endedEarly.insert(ObjectIdentifier(item)).inserted
        else { return }
        Console.note("\(shortfall)")
        shortfalls.append("\(shortfall)")
    }

    private func fail(_ message: String) {
        failures.append(message)
        status = .failed
    }

    private func interrupted(_ number: Int32) {
        signal = number
        end(.stopped)
    }

    private func end(_ status: PlayReport.Status) {
        guard !isOver else { return }
        isOver = true
        self.status = status
        MainLoop.quit()
    }

    private func finish() throws(ToolFailure) {
        for display in headless {
            // Told to stop, it shows no more than it has been told of.
            guard status == .ended else {
                display.stop()
                continue
            }
            if let host = display.finish() { firstFrame = firstFrame ?? host }
        }
        let statistics = players.map(\.statistics)
        let played =
            statistics.contains { $0.framesShown > 0 } || items.contains { $0.status == .readyToPlay && !hasVideo($0) }
        let failure = failure(played: played)
        if failure?.kind == .failed { status = .failed }
        let report =
            options.report == .json
            ? PlayReport(
                players: statistics, items: items, firstFrame: firstFrame, status: status,
                error: failure?.message ?? shortfalls.first
            ) : nil
        controls?.close()
        window?.close()
        for composition in compositions { composition.close() }
        for player in players { player.replaceCurrentItem(with: nil) }
        players = []
        if let report { try Console.out(report.line) }
        if var failure {
            failure.isReported = true
            throw failure
        }
    }

    /// Nil only when something was shown or heard, and nothing of what was named failed.
    private func failure(played: Bool) -> ToolFailure? {
        if let signal { return ToolFailure(.signal(signal), "interrupted") }
        if let first = failures.first {
            return ToolFailure(
                .failed, items.count > 1 ? "\(failures.count) of \(items.count) could not be played (\(first))" : first)
        }
        if played { return nil }
        let item = items.first { $0.status != .readyToPlay } ?? items.first
        let place = item?.asset.url.location ?? "nothing"
        guard status != .ended else {
            return ToolFailure(
                .failed, "\(place): came to its end without one picture or sound. `zoetrope probe` tells what is in it")
        }
        let how =
            options.seconds.map { "within \($0 == $0.rounded() && $0 < 1e9 ? "\(Int64($0))" : "\($0)") s" }
            ?? "before it was stopped"
        return item?.status == .readyToPlay
            ? ToolFailure(.failed, "\(place): nothing was shown \(how), though it is open. Give it longer (--seconds)")
            : ToolFailure(
                .failed,
                "\(place): nothing was shown \(how): it was still being opened. Give it longer (--seconds), or check that its server answers"
            )
    }

    private func hasVideo(_ item: AVPlayerItem) -> Bool { item.presentationSize.width > 0 }
}
