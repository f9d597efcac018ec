import CSystem
import Dispatch
import Foundation
import GLibLoop
import GTK
import MediaCore
import MediaEngine
import PlayerApp
import PlayerControls

/// A run of `zoetrope play`, with its players, its display and its report.
@MainActor
final class PlaySession {
    private let options: Play
    private var players: [AVQueuePlayer] = []
    /// The items to play in order; nil for a wall.
    private var queue: MediaQueue?
    private var list = MediaList()
    private let items = PlayedItems()
    private var observations: [NSKeyValueObservation] = []
    private var display: PlayDisplay?
    private var frames = Frames()
    private var status: PlayReport.Status = .stopped
    private var failures = Failures()
    /// The signal that ended the session.
    private var signal: Int32?
    /// The indices of the players that have played all their items.
    private var ended: Set<Int> = []
    private var expansion = Expansion()
    private var isOver = false

    private struct Frames {
        var count = 0
        var first: HostTime?
    }
    private struct Failures {
        /// The errors in the order in which they occurred, one per entry. Errors of unreadable playlists are included.
        var messages: [String] = []
        /// The indices of the entries that failed; in a wall, of the items.
        var failed: Set<Int> = []
        /// The indices of the entries whose errors are in `messages`.
        var reported: Set<Int> = []
    }
    /// Playlists that were found during playback. Each is read only once, because a playlist may contain itself.
    private struct Expansion {
        var read: Set<URL> = []
        /// The URLs of the playlists that are being read. The indices of their entries can change meanwhile.
        var pending: Set<URL> = []
    }

    init(_ options: Play) { self.options = options }

    /// Runs the session until it ends.
    /// - Throws: The reason why playback failed, after the session has printed its report.
    func run() throws(ToolFailure) {
        _ = ProcessFacts.startTime
        // Many players have many threads that allocate little memory. A separate arena for each thread would waste
        // memory.
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
            failures.messages.append("\(problem)")
            // If this error is the only one and nothing can be played, the command reports it as its own error.
            if !list.entries.isEmpty || list.problems.count > 1 { Console.note("\(problem)") }
        }
        guard !list.entries.isEmpty else {
            status = .failed
            return try finish()
        }
        if options.window.wall > 1, list.entries.count > 1 {
            throw ToolFailure(.usage, "--wall shows one file several times. Name only one file.")
        }
        items.onFailure = { [weak self] in self?.itemFailed($0, $1) }
        items.onCutOff = { [weak self] in self?.report($0, of: $1) }
        // An item that failed in an earlier round of a loop may play now.
        items.onReady = { [weak self] in self?.failures.failed.remove($0) }
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

    /// Creates and opens the display.
    /// - Returns: An error message if the display can't be opened, otherwise nil.
    private func openDisplay() -> String? {
        let display = PlayDisplay(options, players, queue)
        display.onPresent = { [weak self] in self?.presented($0) }
        display.onClose = { [weak self] in self?.end(.stopped) }
        self.display = display
        return display.open(title: list.entries.first?.displayTitle ?? "Zoetrope")
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
                items.watch(item, at: 0)
                if options.playback.loop {
                    // The item loops even if nothing refers to the looper.
                    _ = AVPlayerLooper(player: player, templateItem: item)
                } else {
                    player.insert(item)
                }
                // At the end, the player stops on the last frame, which stays visible.
                player.actionAtItemEnd = .pause
            }
        }
        guard let player = players.first, players.count == 1 else { return }
        let queue = MediaQueue(list.entries, player: player) { [weak self] entry in
            self?.makeItem(entry) ?? AVPlayerItem(url: entry.url)
        }
        queue.wraps = options.playback.loop
        queue.onItem = { [weak self] item, index in self?.items.watch(item, at: index) }
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
        for player in players {
            observations.append(
                player.observe(\.audioError, options: []) { [weak self] player, _ in self?.items.noteAudio(of: player) }
            )
        }
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
        ExitSignals.setHandler { number in
            DispatchQueue.main.async { MainActor.assumeIsolated { self.interrupted(number) } }
        }
    }

    // MARK: events

    private func presented(_ host: HostTime) {
        if frames.first == nil { frames.first = host }
        frames.count += 1
        if let limit = options.playback.frames, frames.count >= limit { end(.stopped) }
    }

    /// The number of files.
    private var entryCount: Int { queue?.entries.count ?? list.entries.count }
    /// The number of failures after which nothing plays. In a wall, the one file can fail in each player.
    private var failureLimit: Int { max(players.count, entryCount) }

    private func playerEnded(_ index: Int) {
        ended.insert(index)
        guard expansion.pending.isEmpty else { return }
        if ended.count == players.count { end(failures.failed.count == failureLimit ? .failed : .ended) }
    }

    /// Starts to replace an item with the entries of a playlist, if the item's URL looked like that of a stream but the
    /// server returned a playlist.
    /// - Returns: False if the item is not a playlist, or if the playlist contains itself.
    private func expands(_ item: AVPlayerItem) -> Bool {
        guard let queue, (item.error as? AVError)?.isListOfMedia == true else { return false }
        let url = item.asset.url
        guard let entry = queue.entries.first(where: { $0.url == url }), !expansion.pending.contains(url) else {
            // The playlist is being read or has been replaced. When another playlist is replaced, the entries after it
            // are played again, and fail again.
            return expansion.read.contains(url)
        }
        guard expansion.read.insert(url).inserted else { return false }
        expansion.pending.insert(url)
        let fetch = PlaySource.fetch(options.network.access)
        Task { [weak self] in
            let found = await MediaList([entry]).withRemoteLists(fetch, found: url)
            self?.take(found, inPlaceOf: url)
        }
        return true
    }

    private func take(_ found: MediaList, inPlaceOf url: URL) {
        // The pipeline may have moved on to an entry after the list. The list is pending until then, so that an end
        // that this call finds does not end the session.
        queue?.player.followPipeline()
        expansion.pending.remove(url)
        guard let queue, !isOver else { return }
        guard let index = queue.entries.firstIndex(where: { $0.url == url }) else {
            // The user has replaced the list. The new one may have ended during the request.
            if queue.current == nil || queue.player.isAtEnd { playerEnded(0) }
            return
        }
        for problem in found.problems {
            failures.messages.append("\(problem)")
            Console.note("\(problem)")
        }
        var entries = queue.entries
        entries.replaceSubrange(index...index, with: found.entries)
        guard !entries.isEmpty else { return end(.failed) }
        // The entries after `index` get new indices and are played again.
        failures.failed = failures.failed.filter { $0 < index }
        failures.reported = failures.reported.filter { $0 < index }
        if index > queue.index, !ended.contains(0) {
            // The current item keeps playing.
            queue.rearrange(entries, index: queue.index)
        } else {
            ended.remove(0)
            queue.replace(with: entries, at: min(index, entries.count - 1))
        }
    }

    private func itemFailed(_ item: AVPlayerItem, _ index: Int) {
        if expands(item) { return }
        let message = item.error.map { "\($0)" } ?? "\(item.asset.url.location): cannot be played"
        let failedIndex = players.count > 1 ? items.items.firstIndex { $0 === item } ?? index : index
        failures.failed.insert(failedIndex)
        report(message, of: index)
        endIfAllFailed(message)
    }

    /// Adds the error of an entry to those that the command reports. A file that fails in each round of a loop, or in
    /// each player of a wall, is reported only once.
    private func report(_ message: String, of index: Int) {
        guard failures.reported.insert(index).inserted else { return }
        // If there is only one file, the command reports the error as its own.
        if entryCount > 1 { Console.note(message) }
        failures.messages.append(message)
    }

    private func endIfAllFailed(_ message: String) {
        guard failures.failed.count >= failureLimit else { return }
        display?.showError(message)
        end(.failed)
    }

    private func fail(_ message: String) {
        failures.messages.append(message)
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
        if let host = display?.finish(ended: status == .ended) { frames.first = frames.first ?? host }
        // A view may count its last frame only when it closes.
        display?.close()
        let statistics = players.map(\.statistics)
        let played =
            statistics.contains { $0.framesShown > 0 } || items.hasPlayedBefore
            || items.items.contains {
                $0.status == .readyToPlay && (!hasVideo($0) || $0.playsWithoutVideo || isHeard($0))
            }
        let failure = failure(played: played)
        if failure?.kind == .failed { status = .failed }
        let report =
            options.output.report == .json
            ? PlayReport(
                players: statistics, rounds: queue?.rounds ?? 0, items: items.items, itemsEnded: items.endCount,
                firstFrame: frames.first, status: status,
                error: failure?.message ?? items.shortfalls.first
            ) : nil
        items.noteWarnings()
        for player in players { player.replaceCurrentItem(with: nil) }
        players = []
        if let report { try Console.out(report.line) }
        if var failure {
            failure.isReported = true
            throw failure
        }
    }

    /// Returns the reason why the session failed; nil only if a frame was shown or audio was played, and no entry
    /// failed.
    private func failure(played: Bool) -> ToolFailure? {
        if let signal { return ToolFailure(.signal(signal), "Interrupted.") }
        if let first = failures.messages.first {
            return ToolFailure(
                .failed,
                entryCount + list.problems.count > 1
                    ? "Can't play \(failures.messages.count) of \(entryCount + list.problems.count) files completely. The first error: \(first)"
                    : first)
        }
        if played { return nil }
        let item = items.items.first { $0.status != .readyToPlay } ?? items.items.first
        let name = item?.asset.url.mediaName ?? "nothing"
        guard status != .ended else {
            return ToolFailure(
                .failed,
                "\(name): playback ended without a frame or audio. Run `zoetrope probe` to see what the file contains."
            )
        }
        let how =
            options.playback.seconds.map { "within \($0 == $0.rounded() && $0 < 1e9 ? "\(Int64($0))" : "\($0)") s" }
            ?? "before playback was stopped"
        return item?.status == .readyToPlay
            ? ToolFailure(
                .failed,
                "\(name): nothing was shown \(how), although the file is open.\(options.playback.seconds == nil ? "" : " Increase --seconds.")"
            )
            : ToolFailure(
                .failed,
                "\(name): nothing was shown \(how); the file was still being opened. \(options.playback.seconds == nil ? "Check" : "Increase --seconds, or check") that the server responds."
            )
    }

    /// Returns whether audio plays, or played to the end, although no frame was shown. This happens if the video begins
    /// later than the audio.
    private func isHeard(_ item: AVPlayerItem) -> Bool {
        item.hasDecodedAudio
            && players.contains { $0.currentItem === item && ($0.timeControlStatus == .playing || $0.isAtEnd) }
    }

    private func hasVideo(_ item: AVPlayerItem) -> Bool { item.presentationSize.width > 0 }
}
