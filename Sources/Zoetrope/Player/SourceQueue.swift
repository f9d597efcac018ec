import Foundation
import MediaCore
import MediaEngine
import PlayerControls

/// The sources that a player plays one after the other, and their loop. Main actor.
///
/// The next source waits in the player's queue, so that it follows without a gap. Sources that are missing or can't be
/// played are skipped.
@MainActor
final class SourceQueue {
    /// Returns a new item for the URL of a source.
    var makeItem: (URL) -> AVPlayerItem = { AVPlayerItem(url: $0) }
    /// Called when another source has become the current one.
    var onMove: () -> Void = {}
    /// Called when a source is skipped.
    var onError: (VPErrors) -> Void = { _ in }
    /// Called with an item that waited in the player's queue and was removed from it.
    var onWithdraw: (AVPlayerItem) -> Void = { _ in }

    private(set) var isLooping = false
    /// The number of successive sources that could not be played.
    private(set) var failures = 0
    private let player: AVQueuePlayer
    private let resolver: SourceResolver
    private var ext = VideoSettings.defaultExt
    /// The loop of a single source. A list of several sources loops through the queue instead.
    private var looper: AVPlayerLooper?
    private var loopRange: CMTimeRange?
    /// The number of passes of the loop; nil without a limit.
    private var loopLimit: Int?
    /// Whether the current source was opened on the way back in the list.
    private var goesBack = false
    private var nextStatus: NSKeyValueObservation?
    private lazy var queue = makeQueue()

    init(_ player: AVQueuePlayer, _ resolver: SourceResolver) {
        self.player = player
        self.resolver = resolver
    }

    private func makeQueue() -> PlayQueue<String> {
        let queue = PlayQueue<String>(player: player, lookahead: 1) { [weak self] name in
            guard let self, let url = url(of: name) else { return nil }
            return makeItem(url)
        }
        queue.keepsLastFrame = true
        queue.onItem = { [weak self] item, _ in
            self?.nextStatus = item.observeUntracked(\.status) { [weak self] item, _ in self?.nextStatusDidChange(item)
            }
        }
        queue.onMove = { [weak self] in self?.sourceDidChange() }
        queue.onMissing = { [weak self] index in
            guard let self else { return }
            onError(.sourceNotFound(sources[index]))
        }
        queue.onWithdraw = { [weak self] in self?.onWithdraw($0) }
        return queue
    }

    // MARK: state

    var sources: [String] { queue.entries }
    /// The index of the current source.
    var index: Int { queue.index }
    /// The current source; nil if nothing is open.
    var url: URL? { queue.current?.asset.url }
    /// The item that waits in the player's queue.
    var next: AVPlayerItem? { queue.upcoming.first }
    /// The start of the looped part of a single source.
    var loopStart: CMTime { looper == nil ? .zero : loopRange?.start ?? .zero }
    /// Returns the next sources, at most `count`.
    func following(_ count: Int) -> [String] { queue.following(count).map { queue.entries[$0] } }
    /// Returns the URL of a source; nil if it is missing now.
    func url(of name: String) -> URL? { try? resolver.url(for: name, ext: ext) }

    // MARK: settings

    /// A list of sources, with the index and the URL of the first one that exists.
    struct Start {
        var sources: [String]
        var index: Int
        var url: URL
    }

    /// Returns the list of sources in the settings. Playback begins at the current source if the list contains it.
    /// - Throws: `VPErrors.sourceNotFound(_:)` if neither the source at which playback begins nor a later one exists.
    func start(of new: VideoSettings, after old: VideoSettings?) throws(VPErrors) -> Start {
        var list = new.playlist
        if list.isEmpty || !new.name.isEmpty && !list.contains(new.name) { list.insert(new.name, at: 0) }
        var index = list.firstIndex(of: new.name) ?? 0
        if new.name == old?.name, let playing = queue.entry {
            // A source may be in the list more than once.
            let stays = list.indices.contains(self.index) && list[self.index] == playing
            if let newIndex = stays ? self.index : list.firstIndex(of: playing) { index = newIndex }
        }
        let firstError: VPErrors
        do {
            return Start(sources: list, index: index, url: try resolver.url(for: list[index], ext: new.ext))
        } catch { firstError = error }
        for later in list.indices where later > index {
            guard let url = try? resolver.url(for: list[later], ext: new.ext) else { continue }
            onError(firstError)
            return Start(sources: list, index: later, url: url)
        }
        throw firstError
    }

    /// Sets the extension of sources without one.
    func use(ext: String) { self.ext = ext }

    /// Sets the loop, which `open`, `rearrange` or `restartLoop` then starts.
    func setLoop(_ loops: Bool, limit: Int?, range: CMTimeRange?) {
        (isLooping, loopLimit, loopRange) = (loops, limit, range)
        resetRounds()
    }

    /// Loops without a limit, or ends after the current pass.
    func loop(_ loops: Bool) {
        setLoop(loops, limit: nil, range: loopRange)
        restartLoop()
    }

    private func resetRounds() { queue.setRounds(wraps: isLooping, left: loopLimit.map { $0 - 1 }) }

    /// Opens a list of sources in place of the current one.
    func open(_ start: Start, plays: Bool) {
        resetRounds()
        failures = 0
        reopen(start.url, start, plays: plays)
    }

    /// Opens the current source again, and plays it. A source that has failed continues at the position at which it
    /// failed. Returns false if nothing is open.
    func retry() -> Bool {
        guard let url else { return false }
        failures = 0
        func reopen() { self.reopen(url, Start(sources: sources, index: index, url: url), plays: true) }
        if !player.retryCurrentItem({ _ in reopen() }) { reopen() }
        return true
    }

    private func reopen(_ url: URL, _ start: Start, plays: Bool) {
        // The item that waits may be the requested one.
        queue.withdrawUpcoming()
        let item = makeItem(url)
        if !plays { player.pause() }
        queue.open(start.sources, at: start.index, with: item)
        if plays { player.play() }
    }

    /// Replaces the sources around the current one, which continues.
    func rearrange(_ start: Start, hasOtherLoop: Bool) {
        let keepsLoop = !hasOtherLoop && start.sources.count == 1 && looper != nil
        queue.rearrange(start.sources, index: start.index)
        if !keepsLoop { updateLooper() }
    }

    /// Applies the loop to the current pass.
    func restartLoop() {
        updateLooper()
        queue.rearrange(sources, index: index)
    }

    /// Removes all sources.
    func clear() {
        looper = nil
        nextStatus = nil
        queue.clear()
    }

    /// Removes the item that waits in the player's queue.
    func withdrawNext() { queue.withdrawUpcoming() }

    /// Starts or ends the loop of a single source, whose passes are counted from the current one. In a list, the queue
    /// loops.
    private func updateLooper() {
        if isLooping, sources.count == 1, queue.roundsLeft != 0, let item = queue.current {
            looper = AVPlayerLooper(
                player: player, templateItem: item, timeRange: loopRange ?? .invalid,
                passes: queue.roundsLeft.map { $0 + 1 })
        } else {
            looper?.disableLooping()
            looper = nil
        }
    }

    // MARK: moving

    /// Goes to the nearest source that exists. A step back from the first source restarts it.
    func step(by step: Int) {
        failures = 0
        if !go(by: step), step < 0 { queue.jump(to: index) }
    }

    func jump(to index: Int) {
        failures = 0
        queue.jump(to: index)
    }

    private func go(by step: Int) -> Bool {
        guard queue.go(by: step) else { return false }
        goesBack = step < 0
        return true
    }

    /// Follows the player to the item that waited in the queue.
    func noticeMove() { queue.noticeMove() }

    private func sourceDidChange() {
        goesBack = false
        // The looper of the previous source ends with its item.
        looper = nil
        updateLooper()
        onMove()
    }

    // MARK: failures

    /// Resets the number of failures, because the current source can be played.
    func didOpen() { failures = 0 }

    /// Handles a current source that can't be played. The player continues with the waiting source, unless all sources
    /// have failed. After a step back in the list, the source before the failed one is opened.
    func didFail() {
        failures += 1
        guard failures < sources.count else { return queue.withdrawUpcoming() }
        if goesBack { _ = go(by: -1) }
    }

    /// Replaces a waiting item that can't be played with the item of the next source.
    private func nextStatusDidChange(_ item: AVPlayerItem) {
        guard item.status == .failed else { return }
        // The player may already play this item. In that case, the item fails as the current one.
        player.followPipeline()
        guard next === item else { return }
        onError(VPErrors(item))
        failures += 1
        if failures < sources.count { queue.skip(item) } else { queue.withdrawUpcoming() }
    }
}
