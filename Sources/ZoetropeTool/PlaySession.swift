import CSystem
import Dispatch
import Foundation
import GLibSupport
import GTKSupport
import MediaCore
import MediaEngine
import Overlays
import PlayerApp
import PlayerControls
import PlayerViews
import Presentation

/// One run of `zoetrope play`: its players, its display, its end and its report.
@MainActor
final class PlaySession {
    let options: Play
    var players: [AVQueuePlayer] = []
    /// The items to play in order; nil for a wall, and for one item in a loop.
    var queue: MediaQueue?
    var list = MediaList()
    private var loopers: [AVPlayerLooper] = []
    /// The last items that were played, at most 100, and whether an earlier one was played.
    private var items: [AVPlayerItem] = []
    private var hasPlayedBefore = false
    var observations: [NSKeyValueObservation] = []
    private var itemObservations: [ObjectIdentifier: NSKeyValueObservation] = [:]
    var headless: [HeadlessDisplay] = []
    var window: PlayerWindow?
    var controls: WindowControls?
    var compositions: [PictureComposition] = []
    private var shown = 0
    private var firstFrame: HostTime?
    private var status: PlayReport.Status = .stopped
    /// The errors in the order of their occurrence, once per entry, including unreadable playlists.
    private var failures: [String] = []
    private var failed: Set<Int> = [], told: Set<Int> = []
    /// The signal that ended the session.
    private var signal: Int32?
    private var shortfalls: [String] = []
    private var trackErrors: Set<String> = []
    private var endedEarly: Set<ObjectIdentifier> = []
    /// How often an item was played to its end.
    private var itemsEnded = 0
    private var ends: [ObjectIdentifier: [any NSObjectProtocol]] = [:]
    var windowDesk: PlayerWindowDesk?
    /// The subtitles of `--subtitles`.
    var document: SubtitleDocument?
    private var isOver = false

    init(_ options: Play) { self.options = options }

    /// - Throws: Why playback failed, after it has been reported.
    func run() throws(ToolFailure) {
        _ = ProcessFacts.startTime
        // Many players have many threads that allocate little; an arena for each would waste memory.
        zt_malloc_arenas(2)
        if let renderer = Renderer(rawValue: options.display.renderer.rawValue) { Renderer.request(renderer) }
        do {
            list = try PlaySource.list(
                options.files, bufferMiB: options.playback.stdinBuffer, access: options.network.access)
        } catch {
            let failure = ToolFailure(error)
            guard failure.kind == .failed else { throw failure }
            fail(failure.message)
            return try finish()
        }
        for problem in list.problems {
            failures.append("\(problem)")
            // A single error is the command's own error.
            if !list.entries.isEmpty || list.problems.count > 1 { Console.note("\(problem)") }
        }
        guard !list.entries.isEmpty else {
            status = .failed
            return try finish()
        }
        if options.window.wall > 1, list.entries.count > 1 {
            throw ToolFailure(.usage, "--wall shows one file several times. Name only one file.")
        }
        makePlayers()
        if let message = openDisplay() {
            fail(message)
            return try finish()
        }
        watch()
        for player in players { player.playAtDefaultRate(from: options.playback.start?.time) }
        MainLoop.run()
        try finish()
    }

    private func makePlayers() {
        for _ in 0..<options.window.wall {
            let player = AVQueuePlayer(items: [])
            player.volume = options.audio.volume
            player.isMuted = options.audio.mute
            player.defaultRate = options.playback.speed
            players.append(player)
            if list.entries.count == 1, options.window.wall > 1 || options.playback.loop, let entry = list.entries.first
            {
                let item = makeItem(entry)
                watch(item, at: 0)
                if options.playback.loop {
                    loopers.append(AVPlayerLooper(player: player, templateItem: item))
                } else {
                    player.insert(item)
                }
                // The last frame stays visible.
                player.actionAtItemEnd = .pause
            }
        }
        guard let player = players.first, players.count == 1 else { return }
        let queue = MediaQueue(list.entries, player: player) { [weak self] entry in
            self?.makeItem(entry) ?? AVPlayerItem(url: entry.url)
        }
        queue.wraps = options.playback.loop
        queue.onItem = { [weak self] item, index in self?.watch(item, at: index) }
        // An item that is left stops looping.
        queue.onMove = { [weak self] in self?.loopers = [] }
        queue.onEnd = { [weak self] in self?.playerEnded(0) }
        self.queue = queue
        if let item = player.currentItem { queue.adopt(item) } else { queue.begin() }
    }

    private func makeItem(_ entry: MediaList.Entry) -> AVPlayerItem {
        let item = AVPlayerItem(asset: options.network.access.asset(entry.url, headers: entry.headers))
        if let audio = options.audio.language {
            item.preferredAudioLanguages = audio.split(separator: ",").map(String.init)
        }
        return item
    }

    private func watch() {
        for (index, player) in players.enumerated() where queue == nil {
            observations.append(
                player.observe(\.currentItem, options: [.new]) { [weak self] player, _ in
                    if player.currentItem == nil { self?.playerEnded(index) }
                })
        }
        if !options.playback.loop {
            for (index, player) in players.enumerated() {
                observations.append(
                    player.observe(\.timeControlStatus, options: []) { [weak self] player, _ in
                        guard player.timeControlStatus == .paused, player.actionAtItemEnd == .pause,
                            player.currentItem?.status == .readyToPlay, player.isAtEnd
                        else { return }
                        self?.playerEnded(index)
                    })
            }
        }
        if let seconds = options.playback.seconds {
            DispatchQueue.main.asyncAfter(deadline: .now() + seconds) {
                MainActor.assumeIsolated { self.end(.stopped) }
            }
        }
        Signals.setHandler { number in
            DispatchQueue.main.async { MainActor.assumeIsolated { self.interrupted(number) } }
        }
    }

    /// Observes an item until `forget(_:)`.
    private func watch(_ item: AVPlayerItem, at index: Int) {
        let key = ObjectIdentifier(item)
        items.append(item)
        while items.count > 100 { forget(items.removeFirst()) }
        itemObservations[key] = item.observe(\.status, options: [.initial]) { [weak self] item, _ in
            switch item.status {
            case .failed: self?.itemFailed(item, index)
            // An item that failed in the last round plays now.
            case .readyToPlay: self?.failed.remove(index)
            case .unknown: break
            }
        }
        let told = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.newErrorLogEntryNotification, object: item, queue: nil
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.sayTrackErrors(item) }
        }
        // A loop repeats a file that is cut off, and counts as played to its end.
        ends[key] =
            [told]
            + [AVPlayerItem.failedToPlayToEndTimeNotification, AVPlayerItem.didPlayToEndTimeNotification].map {
                name in
                NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) { [weak self] _ in
                    MainActor.assumeIsolated {
                        if name == AVPlayerItem.didPlayToEndTimeNotification { self?.itemsEnded += 1 }
                        self?.itemEnded(item)
                    }
                }
            }
    }

    private func forget(_ item: AVPlayerItem) {
        let key = ObjectIdentifier(item)
        hasPlayedBefore = hasPlayedBefore || item.status == .readyToPlay
        itemObservations[key] = nil
        for token in ends.removeValue(forKey: key) ?? [] { NotificationCenter.default.removeObserver(token) }
        endedEarly.remove(key)
    }

    func toggleLoop() -> Bool {
        // The on-screen controls may have started the loop.
        let loops = players.first?.loopsCurrentItem == true
        for looper in loopers { looper.disableLooping() }
        loopers = []
        for player in players {
            if loops {
                player.loopsCurrentItem = false
            } else if let item = player.currentItem {
                loopers.append(AVPlayerLooper(player: player, templateItem: item))
            }
        }
        return !loops
    }

    // MARK: events

    func presented(_ host: HostTime) {
        if firstFrame == nil { firstFrame = host }
        shown += 1
        if let limit = options.playback.frames, shown >= limit { end(.stopped) }
    }

    private var ended: Set<Int> = []
    private var count: Int { players.count > 1 ? players.count : queue?.entries.count ?? list.entries.count }

    private func playerEnded(_ index: Int) {
        ended.insert(index)
        guard expanding == 0 else { return }
        if ended.count == players.count { end(failed.count == count ? .failed : .ended) }
    }

    /// Playlists that were found during playback. Each is read once, because a playlist may contain itself.
    private var expanded: Set<URL> = []
    private var expanding = 0

    /// Replaces a playlist on a server, whose name looked like a stream's, with its entries.
    /// - Returns: False if the item is not a playlist, or has been read already.
    private func expands(_ item: AVPlayerItem, at index: Int) -> Bool {
        guard let queue, (item.error as? AVError)?.isListOfMedia == true, queue.entries.indices.contains(index),
            case let entry = queue.entries[index], expanded.insert(entry.url).inserted
        else { return false }
        expanding += 1
        let fetch = PlaySource.fetch(options.network.access)
        Task { [weak self] in
            let found = await MediaList([entry]).withRemoteLists(fetch, found: entry.url)
            self?.take(found, inPlaceOf: index)
        }
        return true
    }

    private func take(_ found: MediaList, inPlaceOf index: Int) {
        expanding -= 1
        guard let queue, !isOver else { return }
        for problem in found.problems {
            failures.append("\(problem)")
            Console.note("\(problem)")
        }
        var entries = queue.entries
        entries.replaceSubrange(index...index, with: found.entries)
        guard !entries.isEmpty else { return end(.failed) }
        // The entries after it have new indices, and are played again.
        failed = failed.filter { $0 < index }
        told = told.filter { $0 < index }
        if index > queue.index, !ended.contains(0) {
            // The current item continues.
            queue.rearrange(entries, index: queue.index)
        } else {
            ended.remove(0)
            queue.replace(with: entries, at: min(index, entries.count - 1))
        }
    }

    private func itemFailed(_ item: AVPlayerItem, _ index: Int) {
        if expands(item, at: index) { return }
        let message = item.error.map { "\($0)" } ?? "\(item.asset.url.location): cannot be played"
        let place = players.count > 1 ? items.firstIndex { $0 === item } ?? index : index
        failed.insert(place)
        // An item that fails in each round of a loop is reported once.
        if told.insert(place).inserted {
            // A single error is the command's own error.
            if count > 1 { Console.note(message) }
            failures.append(message)
        }
        endWhereAllFailed(message)
    }

    private func endWhereAllFailed(_ message: String) {
        guard failed.count >= count else { return }
        window?.showError(message)
        end(.failed)
    }

    /// Reports once that a file is cut off, when it has played to its end.
    private func itemEnded(_ item: AVPlayerItem) {
        guard item.status != .failed, let shortfall = item.shortfall, endedEarly.insert(ObjectIdentifier(item)).inserted
        else { return }
        Console.note("\(shortfall)")
        shortfalls.append("\(shortfall)")
    }

    /// Reports once that a track can't be decoded while the others play, which is not a failure of the item.
    private func sayTrackErrors(_ item: AVPlayerItem) {
        for error in item.trackErrors where trackErrors.insert("\(error)").inserted {
            Console.note("\(error)")
            shortfalls.append("\(error)")
        }
    }

    /// Reports what a stream lacks that was not needed to play it.
    private func noteWarnings(_ item: AVPlayerItem) {
        let events = item.errorLog()?.events.filter { $0.errorDomain == AVPlayerItemErrorLogEvent.contentDomain } ?? []
        let known = (item.trackErrors + [item.shortfall].compactMap { $0 }).map { Optional($0.reason) }
        for event in events.prefix(20) where !known.contains(event.errorComment) {
            Console.note("\(event.uri ?? item.asset.url.location): \(event.errorComment ?? "")")
        }
    }

    private func fail(_ message: String) {
        failures.append(message)
        status = .failed
    }

    private func interrupted(_ number: Int32) {
        signal = number
        end(.stopped)
    }

    func end(_ status: PlayReport.Status) {
        guard !isOver else { return }
        isOver = true
        self.status = status
        MainLoop.quit()
    }

    private func finish() throws(ToolFailure) {
        for display in headless {
            // A session that is stopped shows no further frame.
            guard status == .ended else {
                display.stop()
                continue
            }
            if let host = display.finish() { firstFrame = firstFrame ?? host }
        }
        let statistics = players.map(\.statistics)
        let played =
            statistics.contains { $0.framesShown > 0 } || hasPlayedBefore
            || items.contains { $0.status == .readyToPlay && (!hasVideo($0) || $0.playsWithoutVideo || isHeard($0)) }
        let failure = failure(played: played)
        if failure?.kind == .failed { status = .failed }
        let report =
            options.output.report == .json
            ? PlayReport(
                players: statistics, rounds: queue?.rounds ?? 0, items: items, itemsEnded: itemsEnded,
                firstFrame: firstFrame, status: status,
                error: failure?.message ?? shortfalls.first
            ) : nil
        for item in items where item.status != .failed { noteWarnings(item) }
        windowDesk?.close()
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

    /// Nil only if a frame was shown or audio was played, and no entry failed.
    private func failure(played: Bool) -> ToolFailure? {
        if let signal { return ToolFailure(.signal(signal), "Interrupted.") }
        if let first = failures.first {
            return ToolFailure(
                .failed,
                count + list.problems.count > 1
                    ? "Can't play \(failures.count) of \(count + list.problems.count) files. The first error: \(first)"
                    : first)
        }
        if played { return nil }
        let item = items.first { $0.status != .readyToPlay } ?? items.first
        let place = item.map { PipedMedia.find($0.asset.url)?.name ?? $0.asset.url.location } ?? "nothing"
        guard status != .ended else {
            return ToolFailure(
                .failed,
                "\(place): playback ended without a frame or audio. Run `zoetrope probe` to see what the file contains."
            )
        }
        let how =
            options.playback.seconds.map { "within \($0 == $0.rounded() && $0 < 1e9 ? "\(Int64($0))" : "\($0)") s" }
            ?? "before playback was stopped"
        return item?.status == .readyToPlay
            ? ToolFailure(
                .failed,
                "\(place): nothing was shown \(how), although the file is open.\(options.playback.seconds == nil ? "" : " Increase --seconds.")"
            )
            : ToolFailure(
                .failed,
                "\(place): nothing was shown \(how); the file was still being opened. \(options.playback.seconds == nil ? "Check" : "Increase --seconds, or check") that the server responds."
            )
    }

    /// Whether audio is played, or was played to the end, although no frame was shown: the video begins later.
    private func isHeard(_ item: AVPlayerItem) -> Bool {
        item.hasSounded
            && players.contains { $0.currentItem === item && ($0.timeControlStatus == .playing || $0.isAtEnd) }
    }

    private func hasVideo(_ item: AVPlayerItem) -> Bool { item.presentationSize.width > 0 }
}
