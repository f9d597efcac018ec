import Zoetrope

/// A player that never plays: the small version of an item (`Playable.previewAsset`), for pictures of places that are
/// sought.
///
/// It says nothing to the desktop and has no sound. Main actor.
@MainActor
public class PlayerPreviewModel {
    /// Default `.paused(reason: .userInitiated)`; it never plays.
    @Published public private(set) var state: PlayerState = .paused(reason: .userInitiated)
    /// What `load(_:)` was given last; nil: nothing.
    @Published public private(set) var currentItem: (any Playable)?
    /// The preview's, which may differ from the item's by a little; nil while it is not known.
    @Published public private(set) var duration: CMTime?
    /// Where it stands, once it stands there.
    @Published public private(set) var currentTime: CMTime?
    /// Width by height; 16/9 while it is not known.
    @Published public private(set) var aspectRatio: CGFloat = 16 / 9
    /// Muted, and told to nobody.
    public private(set) var player: AVPlayer
    private var watch: PlayerWatch?
    private var opening: Opening?

    /// With a player of its own.
    public init() {
        player = AVPlayer()
        player.isMuted = true
        player.updatesNowPlayingInfoCenter = false
        player.preventsDisplaySleepDuringVideoPlayback = false
        watch = PlayerWatch(player, followsInterruptions: false) { [weak self] in self?.look() }
    }

    /// Returns when the item has opened or failed, or another one was loaded; at once, and without effect, where it has
    /// no `previewAsset`.
    public func load(_ item: any Playable) async {
        guard let url = item.previewAsset else { return }
        opening?.giveUp()
        let playing = AVPlayerItem(asset: AVURLAsset(url: url))
        (duration, currentTime, aspectRatio) = (nil, nil, 16 / 9)
        currentItem = item
        player.replaceCurrentItem(with: playing)
        let opening = Opening(playing)
        self.opening = opening
        await opening.wait()
        look()
    }

    /// Shows the picture at `to`, clamped to the item; only the newest of many waits.
    public func seek(_ to: CMTime) {
        guard to.isNumeric, withoutObservationTracking({ player.currentItem != nil }) else { return }
        var time = max(.zero, to)
        if let duration { time = min(time, duration) }
        player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { [weak self] finished in
            guard let self, finished else { return }
            currentTime = player.currentTime()
        }
    }

    private func look() {
        if let watch { withoutObservationTracking { update(from: watch) } }
    }
    private func update(from watch: PlayerWatch) {
        let new = watch.state
        if !new.isSame(as: state) { state = new }
        if watch.duration != duration { duration = watch.duration }
        if watch.aspectRatio != aspectRatio { aspectRatio = watch.aspectRatio }
    }
}
