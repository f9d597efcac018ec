import Foundation
import MediaCore
import MediaEngine
import PlayerControls

/// The source for an `AVPlayer`, which the desktop shows and controls.
@MainActor
final class PlayerNowPlaying: NowPlayingSource {
    private(set) weak var player: AVPlayer?
    private let changed: @MainActor () -> Void
    private let jumped: @MainActor (any NowPlayingSource) -> Void
    private var observations: [NSKeyValueObservation] = []
    private var itemObservations: [NSKeyValueObservation] = []
    private var jumpObserver: (any NSObjectProtocol)?
    private var metadata: [UInt64: NowPlayingMetadata] = [:]
    /// Whether the player was started since it last had nothing to play. A source is created when its player starts.
    private var hasStarted = true
    /// Whether the player was reported before. It then stays eligible, even if it becomes silent.
    private var wasReported = false
    /// Whether MPRIS has stopped the player, so that its status is "Stopped" until the next start.
    private var isStopped = false

    init(
        _ player: AVPlayer, changed: @escaping @MainActor () -> Void,
        jumped: @escaping @MainActor (any NowPlayingSource) -> Void
    ) {
        self.player = player
        self.changed = changed
        self.jumped = jumped
        func watch<Value>(_ path: KeyPath<AVPlayer, Value>) -> NSKeyValueObservation {
            player.observeUntracked(path) { [weak self] _, _ in self?.changed() }
        }
        observations = [
            player.observeUntracked(\.rate) { [weak self] player, _ in
                if player.rate > 0 { self?.started() }
                self?.changed()
            },
            watch(\.isMuted), watch(\.volume), watch(\.updatesNowPlayingInfoCenter), watch(\.loopsCurrentItem),
            player.observeUntracked(\.currentItem, options: .initial) { [weak self] player, _ in
                self?.follow(player.currentItem)
            },
        ]
    }
    isolated deinit { if let jumpObserver { NotificationCenter.default.removeObserver(jumpObserver) } }

    var isEligible: Bool {
        guard let player, let item = player.currentItem, player.updatesNowPlayingInfoCenter, item.status != .failed
        else { return false }
        // Whether the item has audio is known only after it is open. The player may be paused by then.
        let isEligibleNow =
            item.isOpen && (player.isAudible || !player.isMuted && player.volume > 0 && !player.loopsCurrentItem)
        wasReported = wasReported || isEligibleNow && hasStarted
        return wasReported
    }

    private func started() {
        hasStarted = true
        isStopped = false
    }

    private func follow(_ item: AVPlayerItem?) {
        itemObservations = []
        if let jumpObserver { NotificationCenter.default.removeObserver(jumpObserver) }
        jumpObserver = nil
        guard let item else {
            wasReported = false
            hasStarted = player.map { $0.rate > 0 } ?? false
            return changed()
        }
        func watch<Value>(_ path: KeyPath<AVPlayerItem, Value>) -> NSKeyValueObservation {
            item.observeUntracked(path) { [weak self] _, _ in self?.changed() }
        }
        itemObservations = [
            watch(\.status), watch(\.duration), watch(\.externalMetadata), watch(\.streamTitle),
            watch(\.seekableTimeRanges),
            // Each loop jumps back to the start.
            item.observeUntracked(\.loopCount) { [weak self] _, _ in self?.hasJumped() },
        ]
        jumpObserver = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.timeJumpedNotification, object: item, queue: nil
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.hasJumped() }
        }
        changed()
    }

    private func hasJumped() { withoutObservationTracking { jumped(self) } }

    // MARK: reported values

    private var items: [AVPlayerItem] {
        if let queue = player as? AVQueuePlayer { return withoutObservationTracking { queue.items() } }
        return player?.currentItem.map { [$0] } ?? []
    }

    var nowPlaying: NowPlaying {
        var now = NowPlaying()
        guard let player, let item = player.currentItem else { return now }
        let items = items
        metadata = metadata.filter { number, _ in items.contains { $0.number == number } }
        now.tracks = items.map(track)
        now.playback.track = track(item)
        now.playback.status = player.rate > 0 ? .playing : isStopped ? .stopped : .paused
        now.playback.rate = player.rate > 0 ? Double(player.rate) : Double(player.defaultRate)
        // The range of rates with audio.
        now.playback.rates = 0.25...4
        now.playback.volume = player.isMuted ? 0 : Double(player.volume)
        now.playback.loop = player.loopsCurrentItem ? .track : MPRIS.LoopStatus.none
        let isReady = item.status != .failed
        (now.playback.canPlay, now.playback.canPause) = (isReady, isReady)
        now.playback.canSeek = isReady && (item.duration.isNumeric || !item.seekableTimeRanges.isEmpty)
        now.playback.canGoNext = items.count > 1
        return now
    }

    private func track(_ item: AVPlayerItem) -> MPRISTrack {
        let itemMetadata =
            self.metadata[item.number]
            ?? {
                let new = NowPlayingMetadata(item) { [weak self] in self?.changed() }
                self.metadata[item.number] = new
                return new
            }()
        // An unknown or infinite duration is left out.
        let length = item.duration.isNumeric ? MediaTime(item.duration).map { $0.nanoseconds / 1000 } : nil
        return MPRISTrack(id: "/tv/zoetrope/item/\(item.number)", length: length, words: itemMetadata.table)
    }

    var position: Int64 { player.flatMap { MediaTime($0.currentTime()) }.map { max(0, $0.nanoseconds / 1000) } ?? 0 }

    // MARK: commands

    func perform(_ command: MPRISCommand) -> BusError? {
        guard let player, let item = player.currentItem else { return nil }
        switch command {
        case .play: play(player)
        case .pause: player.pause()
        case .playPause: player.rate > 0 ? player.pause() : play(player)
        case .stop:
            player.pause()
            isStopped = true
            player.seek(to: .zero)
            changed()
        case .next: (player as? AVQueuePlayer)?.advanceToNextItem()
        case .seek(let microseconds): player.seek(to: MediaTime(microseconds: microseconds).exactTime)
        case .setRate(let rate):
            player.defaultRate = Float(rate)
            if player.rate > 0 { player.rate = Float(rate) }
            changed()
        case .setVolume(let volume):
            player.volume = Float(volume)
            if volume > 0 { player.isMuted = false }
        case .setLoop(let status):
            guard status != .playlist else {
                return .unsupported("The list can't be repeated: items that have been played are no longer in it.")
            }
            player.loopsCurrentItem = status == .track
        case .goTo(let id):
            guard let queue = player as? AVQueuePlayer, let index = items.firstIndex(where: { track($0).id == id }),
                index > 0
            else { return nil }
            for passed in queue.items().prefix(index).dropFirst() { queue.remove(passed) }
            if queue.currentItem === item { queue.advanceToNextItem() }
        default: return .unsupported("This player does not support this command.")
        }
        return nil
    }

    private func play(_ player: AVPlayer) { PlaybackControl(player).play() }
}
