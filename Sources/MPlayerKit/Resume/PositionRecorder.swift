import Zoetrope

/// The position of a model's item, which is stored during playback. Main actor.
@MainActor
final class PositionRecorder {
    private let store: ResumeStore
    private weak var player: AVPlayer?
    /// The asset of the item whose positions are stored, and the URL for the store; nil for none.
    private var stored: (asset: AVURLAsset, source: URL)?
    private var lastStored = DispatchTime(uptimeNanoseconds: 0)
    /// The time between two positions that are stored during playback, in seconds.
    static let interval = 5.0

    /// Creates the object; nil if no positions are stored.
    init?(_ resume: PlaybackResume, of player: AVPlayer) {
        guard let store = resume.store else { return nil }
        (self.store, self.player) = (store, player)
    }

    /// Returns the position at which the user left the item; nil for none.
    func position(of item: any Playable) async -> CMTime? {
        guard !item.isLive else { return nil }
        // In a task of its own, because a canceled load plays its item, too.
        let seconds = await Task { [store] in await store.position(of: item.asset) }.value
        return seconds.map { CMTime(seconds: $0, preferredTimescale: 600) }
    }

    /// Begins to store positions of an item, also after a retry has replaced it. Positions of live items are not
    /// stored.
    func enter(_ item: any Playable, _ playing: AVPlayerItem) {
        guard !item.isLive else { return }
        (stored, lastStored) = ((playing.asset, item.asset), .now())
    }

    func leave() {
        record(now: true)
        stored = nil
    }

    /// Deletes the stored position, because the item has been played to its end.
    func itemDidEnd() {
        guard let stored else { return }
        store.store(nil, duration: 0, of: stored.source)
    }

    func record(now: Bool) { withoutObservationTracking { storePosition(now: now) } }

    private func storePosition(now: Bool) {
        guard let stored, let playing = player?.currentItem, playing.asset === stored.asset,
            playing.status == .readyToPlay, playing.duration.isNumeric
        else { return }
        guard
            now
                || DispatchTime.now().uptimeNanoseconds &- lastStored.uptimeNanoseconds
                    >= UInt64(PositionRecorder.interval * 1e9)
        else { return }
        lastStored = .now()
        let time = playing.currentTime().seconds
        let duration = playing.duration.seconds
        guard time.isFinite else { return }
        store.store(time, duration: duration, of: stored.source)
    }
}
