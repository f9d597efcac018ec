import Zoetrope

/// A model of a player for previews of positions. The player never plays by itself, and shows the small version of an
/// item (`Playable.previewAsset`).
///
/// ```swift
/// let preview = PlayerPreviewModel()
/// await preview.load(item)
/// preview.seek(CMTime(seconds: 90, preferredTimescale: 600))
/// ```
/// The player is muted and does not appear in the desktop's media controls.
@MainActor
public class PlayerPreviewModel {
    /// The state of the player. Default: `.paused(reason: .userInitiated)`. The model never plays.
    @Published public private(set) var state: PlayerState = .paused(reason: .userInitiated)
    /// The item of the last `load(_:)`; nil before the first.
    @Published public private(set) var currentItem: (any Playable)?
    /// The duration of the preview, which may differ a little from that of the item; nil while it is unknown.
    @Published public private(set) var duration: CMTime?
    /// The position of the preview, which changes when the frame of a seek is displayed; nil before the first seek.
    @Published public private(set) var currentTime: CMTime?
    /// The aspect ratio, the width divided by the height; 16/9 while it is unknown.
    @Published public private(set) var aspectRatio: CGFloat = 16 / 9
    /// The player. It is muted, and does not appear in the desktop's media controls.
    public private(set) var player: AVPlayer
    private var watch: PlayerWatch?
    private var opening: Opening?

    /// Creates a model with its own player.
    public init() {
        player = AVPlayer()
        player.isMuted = true
        player.updatesNowPlayingInfoCenter = false
        player.preventsDisplaySleepDuringVideoPlayback = false
        watch = PlayerWatch(player) { [weak self] in self?.update() }
    }

    /// Opens the preview of an item.
    ///
    /// The method returns when the preview is open or has failed, or when another load has begun. An item without a
    /// `previewAsset` is ignored: the earlier preview stays.
    public func load(_ item: any Playable) async {
        guard let url = item.previewAsset else { return }
        opening?.finish()
        let playing = AVPlayerItem(asset: AVURLAsset(url: url))
        (duration, currentTime, aspectRatio) = (nil, nil, 16 / 9)
        currentItem = item
        player.replaceCurrentItem(with: playing)
        let opening = Opening(playing)
        self.opening = opening
        await opening.wait()
        update()
    }

    /// Shows exactly the frame at a time, which is clamped to the item. Only the newest of several pending seeks is
    /// carried out. A time that is not a number or is infinite is ignored, and so is a call without an item.
    public func seek(_ to: CMTime) {
        guard to.isNumeric, withoutObservationTracking({ player.currentItem != nil }) else { return }
        var time = max(.zero, to)
        if let duration { time = min(time, duration) }
        player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { [weak self] finished in
            guard let self, finished else { return }
            currentTime = player.currentTime()
        }
    }

    private func update() {
        if let watch { withoutObservationTracking { update(from: watch) } }
    }
    private func update(from watch: PlayerWatch) {
        let new = watch.state
        if !new.isSame(as: state) { state = new }
        if watch.duration != duration { duration = watch.duration }
        if watch.aspectRatio != aspectRatio { aspectRatio = watch.aspectRatio }
    }
}
