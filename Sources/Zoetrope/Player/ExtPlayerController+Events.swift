import Foundation
import MediaCore
import MediaEngine
import Overlays

extension ExtPlayerController {
    func post(_ event: PlayerEvent) { batcher.post(event) }

    func observePlayer() {
        playerObservations = [
            player.observe(\.currentItem) { [weak self] player, _ in self?.itemChanged(player.currentItem) },
            player.observe(\.timeControlStatus) { [weak self] player, _ in self?.statusChanged(player.timeControlStatus)
            },
            player.observe(\.volume) { [weak self] player, _ in self?.post(.volumeChanged(newVolume: player.volume)) },
        ]
    }

    private func itemChanged(_ item: AVPlayerItem?) {
        for observation in itemObservations { observation.invalidate() }
        itemObservations = []
        if let endObservation { NotificationCenter.default.removeObserver(endObservation) }
        endObservation = nil
        for choice in choices.values { choice.cancel() }
        choices = [:]
        (toldDuration, toldBuffer) = (nil, nil)
        guard let item else { return post(.currentItemRemoved) }
        followQueue(to: item)
        toldPass = item.loopCount
        itemObservations = [
            item.observe(\.status) { [weak self] item, _ in self?.itemStatusChanged(item) },
            item.observe(\.duration) { [weak self] item, _ in self?.durationChanged(item) },
            item.observe(\.loopCount) { [weak self] item, _ in self?.passed(item) },
            item.observe(\.loadedTimeRanges) { [weak self] item, _ in self?.bufferChanged(item) },
        ]
        endObservation = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: nil
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.ended() }
        }
        post(.currentItemChanged(newItem: item))
        // What waited its turn may be ready long since.
        itemStatusChanged(item)
    }

    /// The item has played to an end. That of a loop's pass, be it the item's or the list's, is none unless it is the
    /// last.
    private func ended() {
        guard let item = player.currentItem, !item.isAtSeam, !isLooping || queued == nil else { return }
        post(.ended)
    }

    /// A seam of the loop: as Apple's looper, which puts another copy of the item there.
    private func passed(_ item: AVPlayerItem) {
        guard item.loopCount > toldPass else { return }
        toldPass = item.loopCount
        post(.currentItemChanged(newItem: item))
    }

    private func bufferChanged(_ item: AVPlayerItem) {
        let now = player.currentTime()
        guard item.status == .readyToPlay, now.isNumeric,
            let range = item.loadedTimeRanges.map(\.timeRangeValue).last(where: {
                $0.containsTime(now) || $0.end == now
            }), range.end.isNumeric
        else { return }
        let loaded = range.end.seconds
        let length = item.duration.isNumeric ? item.duration.seconds : .infinity
        if let told = toldBuffer, loaded == told || loaded > told && loaded < told + 0.5 && loaded < length { return }
        toldBuffer = loaded
        post(.bufferChanged(loadedTo: loaded))
    }

    private func statusChanged(_ status: AVPlayer.TimeControlStatus) {
        switch status {
        case .paused: post(.paused)
        case .waitingToPlayAtSpecifiedRate: post(.waitingToPlayAtSpecifiedRate)
        case .playing: post(.playing)
        }
    }

    private func itemStatusChanged(_ item: AVPlayerItem) {
        post(.itemStatusChanged(item.status))
        switch item.status {
        case .unknown: break
        case .readyToPlay:
            failuresInRow = 0
            durationChanged(item)
            bufferChanged(item)
        case .failed:
            let reason = reason(of: item)
            post(.error(reason))
            error = reason
            passOver()
        }
    }

    /// Why it failed.
    func reason(of item: AVPlayerItem) -> VPErrors {
        item.asset.url.isFileURL ? .failedToLoad(item.error) : .remoteVideoError(item.error)
    }

    /// Told when the item is ready, not before, and once for each length.
    private func durationChanged(_ item: AVPlayerItem) {
        guard item.status == .readyToPlay, item.duration.isNumeric, item.duration != toldDuration else { return }
        toldDuration = item.duration
        post(.duration(item.duration))
    }

    // MARK: from the view

    /// Says where the video is now, points. An empty, infinite or unchanged rectangle is ignored.
    public func boundsChanged(_ rect: CGRect) {
        guard !isClosed, rect.width > 0, rect.height > 0, rect.width.isFinite, rect.height.isFinite, rect != bounds
        else { return }
        let old = bounds?.size
        bounds = rect
        updateVectors()
        // Where it lies is the view's affair: scrolling is no change of bounds.
        if rect.size != old { post(.boundsChanged(CGRect(origin: .zero, size: rect.size))) }
    }

    /// Builders are called when there is a size, and again when it is another one.
    func updateVectors() {
        guard let bounds, !isClosed else { return }
        composition.viewSize = bounds.size
        vectors.update(vectors: picture.vectors, frame: bounds, bounds: CGRect(origin: .zero, size: bounds.size))
    }

    /// Says that the picture floats now, or does no longer.
    public func pictureInPictureChanged(_ isActive: Bool) {
        guard !isClosed, isActive != isPictureInPictureActive else { return }
        isPictureInPictureActive = isActive
        post(isActive ? .startedPiP : .stoppedPiP)
    }

    /// Says that the video fills the screen now, or does no longer.
    public func fullScreenChanged(_ isActive: Bool) {
        guard !isClosed, isActive != isFullScreenActive else { return }
        isFullScreenActive = isActive
        post(.fullScreenChanged(isActive))
    }

    func startPictureInPicture() {
        guard settings?.pictureInPicture == true else { return }
        guard let onPictureInPicture else { return post(.error(.notSupportedPiP)) }
        if !isPictureInPictureActive { onPictureInPicture(true) }
    }
}
