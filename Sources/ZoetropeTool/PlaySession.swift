import CSystem
import Composition
import Dispatch
import Foundation
import GLibSupport
import GTKSupport
import MediaCore
import MediaEngine
import PlayerApp
import PlayerViews
import Presentation

/// One run of `zoetrope play`: its players, its display, when it ends and what it says then.
@MainActor
final class PlaySession {
    let options: Play
    var players: [AVQueuePlayer] = []
    /// What is played one after the other; nil of a wall, and of one alone in a loop.
    var queue: PlayQueue?
    var list = MediaList()
    private var loopers: [AVPlayerLooper] = []
    /// Those that were played last, at most a hundred, and whether there were others before.
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
    /// In the order in which they were met: each of the list once. And what of the list could not be read.
    private var failures: [String] = []
    private var failed: Set<Int> = [], told: Set<Int> = []
    /// The one that ended it.
    private var signal: Int32?
    private var shortfalls: [String] = []
    private var trackErrors: Set<String> = []
    private var endedEarly: Set<ObjectIdentifier> = []
    /// How often an item was played to its end.
    private var itemsEnded = 0
    private var ends: [ObjectIdentifier: [any NSObjectProtocol]] = [:]
    var windowDesk: PlayerWindowDesk?
    /// What was named to be laid over the picture.
    var document: SubtitleDocument?
    private var isOver = false

    init(_ options: Play) { self.options = options }

    /// - Throws: why nothing was played, once it has been reported.
    func run() throws(ToolFailure) {
        _ = ProcessFacts.startTime
        // Many players are many threads that allocate little; an arena each would be mostly air.
        zt_malloc_arenas(2)
        if let renderer = Renderer(rawValue: options.renderer.rawValue) { Renderer.request(renderer) }
        do {
            list = try PlaySource.list(
                options.files, bufferMiB: options.stdinBuffer, insecure: options.insecure)
        } catch {
            let failure = ToolFailure(error)
            guard failure.kind == .failed else { throw failure }
            fail(failure.message)
            return try finish()
        }
        for problem in list.problems {
            failures.append("\(problem)")
            // One alone is what the command ends with.
            if !list.entries.isEmpty || list.problems.count > 1 { Console.note("\(problem)") }
        }
        guard !list.entries.isEmpty else {
            status = .failed
            return try finish()
        }
        if options.wall > 1, list.entries.count > 1 {
            throw ToolFailure(.usage, "--wall shows one file many times; name one file.")
        }
        makePlayers()
        if let message = openDisplay() {
            fail(message)
            return try finish()
        }
        watch()
        for player in players { player.playAtDefaultRate(from: options.start?.time) }
        MainLoop.run()
        try finish()
    }

    private func makePlayers() {
        for _ in 0..<options.wall {
            let player = AVQueuePlayer(items: [])
            player.volume = options.volume
            player.isMuted = options.mute
            player.defaultRate = options.speed
            players.append(player)
            if list.entries.count == 1, options.wall > 1 || options.loop, let entry = list.entries.first {
                let item = makeItem(entry)
                watch(item, at: 0)
                if options.loop {
                    loopers.append(AVPlayerLooper(player: player, templateItem: item))
                } else {
                    player.insert(item)
                }
                // The last picture stays.
                player.actionAtItemEnd = .pause
            }
        }
        guard let player = players.first, players.count == 1 else { return }
        let queue = PlayQueue(list, player: player) { [weak self] entry in
            self?.makeItem(entry) ?? AVPlayerItem(url: entry.url)
        }
        queue.wraps = options.loop
        queue.onItem = { [weak self] item, index in self?.watch(item, at: index) }
        // What has been left loops no more.
        queue.onMove = { [weak self] in self?.loopers = [] }
        queue.onEnd = { [weak self] in self?.playerEnded(0) }
        self.queue = queue
        if let item = player.currentItem { queue.adopt(item) } else { queue.begin() }
    }

    private func makeItem(_ entry: MediaList.Entry) -> AVPlayerItem {
        let item = AVPlayerItem(
            asset: MediaLocation.asset(
                entry.url, insecure: options.insecure, headers: entry.headers,
                sharesCredentials: options.shareCredentials))
        if let audio = options.audio { item.preferredAudioLanguages = audio.split(separator: ",").map(String.init) }
        return item
    }

    private func watch() {
        for (index, player) in players.enumerated() where queue == nil {
            observations.append(
                player.observe(\.currentItem, options: [.new]) { [weak self] player, _ in
                    if player.currentItem == nil { self?.playerEnded(index) }
                })
        }
        if !options.loop {
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
        if let seconds = options.seconds {
            DispatchQueue.main.asyncAfter(deadline: .now() + seconds) {
                MainActor.assumeIsolated { self.end(.stopped) }
            }
        }
        Signals.setHandler { number in
            DispatchQueue.main.async { MainActor.assumeIsolated { self.interrupted(number) } }
        }
    }

    /// Follows an item until it is forgotten.
    private func watch(_ item: AVPlayerItem, at index: Int) {
        let key = ObjectIdentifier(item)
        items.append(item)
        while items.count > 100 { forget(items.removeFirst()) }
        itemObservations[key] = item.observe(\.status, options: [.initial]) { [weak self] item, _ in
            switch item.status {
            case .failed: self?.itemFailed(item, index)
            // One that could not be played the last time round plays now.
            case .readyToPlay: self?.failed.remove(index)
            case .unknown: break
            }
        }
        let told = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.newErrorLogEntryNotification, object: item, queue: nil
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.sayTrackErrors(item) }
        }
        // A loop goes round what there is, and has played to its end.
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
        // The controls over the picture may have asked for it too.
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

    // MARK: what happens

    func presented(_ host: HostTime) {
        if firstFrame == nil { firstFrame = host }
        shown += 1
        if let limit = options.frames, shown >= limit { end(.stopped) }
    }

    private var ended: Set<Int> = []
    private var count: Int { players.count > 1 ? players.count : queue?.list.entries.count ?? list.entries.count }

    private func playerEnded(_ index: Int) {
        ended.insert(index)
        guard expanding == 0 else { return }
        if ended.count == players.count { end(failed.count == count ? .failed : .ended) }
    }

    /// Lists of media that have been found by playing them: each is read once, as one may name itself.
    private var expanded: Set<URL> = []
    private var expanding = 0

    /// A list on a server that is called as a stream is gives its place to what it names.
    /// - Returns: false: it is none, or has been read already.
    private func expands(_ item: AVPlayerItem, at index: Int) -> Bool {
        guard let queue, (item.error as? AVError)?.isListOfMedia == true, queue.list.entries.indices.contains(index),
            case let entry = queue.list.entries[index], expanded.insert(entry.url).inserted
        else { return false }
        expanding += 1
        let fetch = PlaySource.fetch(insecure: options.insecure)
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
        var entries = queue.list.entries
        entries.replaceSubrange(index...index, with: found.entries)
        guard !entries.isEmpty else { return end(.failed) }
        // What stands behind it has another place now, and is played anew.
        failed = failed.filter { $0 < index }
        told = told.filter { $0 < index }
        if index > queue.index, !ended.contains(0) {
            // What plays goes on.
            queue.rearrange(MediaList(entries), index: queue.index)
        } else {
            ended.remove(0)
            queue.replace(with: MediaList(entries), at: min(index, entries.count - 1))
        }
    }

    private func itemFailed(_ item: AVPlayerItem, _ index: Int) {
        if expands(item, at: index) { return }
        let message = item.error.map { "\($0)" } ?? "\(item.asset.url.location): cannot be played"
        let place = players.count > 1 ? items.firstIndex { $0 === item } ?? index : index
        failed.insert(place)
        // One that fails in each round of a loop is told of once.
        if told.insert(place).inserted {
            // One alone is what the command ends with.
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

    /// Of a file that is cut off, and played to where it ends, that is told once.
    private func itemEnded(_ item: AVPlayerItem) {
        guard item.status != .failed, let shortfall = item.shortfall, endedEarly.insert(ObjectIdentifier(item)).inserted
        else { return }
        Console.note("\(shortfall)")
        shortfalls.append("\(shortfall)")
    }

    /// A track that cannot be decoded while the rest plays is told once, and is no failure of the whole.
    private func sayTrackErrors(_ item: AVPlayerItem) {
        for error in item.trackErrors where trackErrors.insert("\(error)").inserted {
            Console.note("\(error)")
            shortfalls.append("\(error)")
        }
    }

    /// What a stream lacks and was played without.
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
            // Told to stop, it shows no more than it has been told of.
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
            options.report == .json
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

    /// Nil only when something was shown or heard, and nothing of what was named failed.
    private func failure(played: Bool) -> ToolFailure? {
        if let signal { return ToolFailure(.signal(signal), "interrupted") }
        if let first = failures.first {
            return ToolFailure(
                .failed,
                count + list.problems.count > 1
                    ? "\(failures.count) of \(count + list.problems.count) could not be played (\(first))" : first)
        }
        if played { return nil }
        let item = items.first { $0.status != .readyToPlay } ?? items.first
        let place = item.map { PipedMedia.find($0.asset.url)?.name ?? $0.asset.url.location } ?? "nothing"
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

    /// It plays, or has played to its end, though no frame of it has come: its video begins later.
    private func isHeard(_ item: AVPlayerItem) -> Bool {
        item.hasSounded
            && players.contains { $0.currentItem === item && ($0.timeControlStatus == .playing || $0.isAtEnd) }
    }

    private func hasVideo(_ item: AVPlayerItem) -> Bool { item.presentationSize.width > 0 }
}
