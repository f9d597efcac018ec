import Foundation
import MediaCore
import MediaEngine

/// The observer of a player and its current item, which posts their changes as events. Main actor.
@MainActor
final class ItemWatch {
    /// Called when another item, or none, has become the current one, before the event is posted.
    var onItem: () -> Void = {}
    /// Called when the current item can be played.
    var onReady: () -> Void = {}
    /// Called when the current item has failed, after the event is posted.
    var onFailure: () -> Void = {}
    /// Returns whether the end of the current item is reported. False only in a looped list in which another item
    /// follows.
    var isLast: () -> Bool = { true }

    private let player: AVPlayer
    private let reports: EventReports
    private var playerObservations: [NSKeyValueObservation] = []
    private var itemObservations: [NSKeyValueObservation] = []
    private var endObservation: (any NSObjectProtocol)?
    /// The duration, buffered position and pass of the current item that were posted last.
    private var posted = Posted()
    private struct Posted {
        var duration: CMTime?
        var loadedTo: Double?
        var pass = 0
    }

    init(_ player: AVPlayer, _ reports: EventReports) {
        self.player = player
        self.reports = reports
        playerObservations = [
            player.observeUntracked(\.currentItem) { [weak self] player, _ in self?.itemChanged(player.currentItem) },
            player.observeUntracked(\.timeControlStatus) { [weak self] player, _ in
                self?.statusChanged(player.timeControlStatus)
            },
            player.observeUntracked(\.volume) { [weak self] player, _ in
                self?.reports.post(.volumeChanged(newVolume: player.volume))
            },
        ]
    }

    func close() {
        for observation in playerObservations { observation.invalidate() }
        playerObservations = []
        endItem()
    }

    private func endItem() {
        for observation in itemObservations { observation.invalidate() }
        itemObservations = []
        if let endObservation { NotificationCenter.default.removeObserver(endObservation) }
        endObservation = nil
    }

    private func itemChanged(_ item: AVPlayerItem?) {
        endItem()
        posted = Posted()
        onItem()
        guard let item else { return reports.post(.currentItemRemoved) }
        posted.pass = item.loopCount
        itemObservations = [
            item.observeUntracked(\.status) { [weak self] item, _ in self?.itemStatusChanged(item) },
            item.observeUntracked(\.duration) { [weak self] item, _ in self?.durationChanged(item) },
            item.observeUntracked(\.loopCount) { [weak self] item, _ in self?.passDidStart(item) },
            item.observeUntracked(\.loadedTimeRanges) { [weak self] item, _ in self?.bufferChanged(item) },
        ]
        endObservation = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: nil
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.itemDidEnd() }
        }
        reports.post(.currentItemChanged(newItem: item))
        // An item that has waited in the queue may be ready already.
        itemStatusChanged(item)
    }

    /// Reports the end, unless another pass of the item's loop or another item of a looped list follows.
    private func itemDidEnd() {
        guard let item = player.currentItem, !item.isAtLoopBoundary, isLast() else { return }
        reports.post(.ended)
    }

    /// Reports another pass of a loop. Apple's looper does the same, because it plays another copy of the item.
    private func passDidStart(_ item: AVPlayerItem) {
        guard item.loopCount > posted.pass else { return }
        posted.pass = item.loopCount
        reports.post(.currentItemChanged(newItem: item))
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
        if let last = posted.loadedTo, loaded == last || loaded > last && loaded < last + 0.5 && loaded < length {
            return
        }
        posted.loadedTo = loaded
        reports.post(.bufferChanged(loadedTo: loaded))
    }

    private func statusChanged(_ status: AVPlayer.TimeControlStatus) {
        switch status {
        case .paused: reports.post(.paused)
        case .waitingToPlayAtSpecifiedRate: reports.post(.waitingToPlayAtSpecifiedRate)
        case .playing: reports.post(.playing)
        }
    }

    private func itemStatusChanged(_ item: AVPlayerItem) {
        reports.post(.itemStatusChanged(item.status))
        switch item.status {
        case .unknown: break
        case .readyToPlay:
            onReady()
            durationChanged(item)
            bufferChanged(item)
        case .failed:
            reports.fail(VPErrors(item))
            onFailure()
        }
    }

    /// Posts the duration when the item is ready, once for each value.
    private func durationChanged(_ item: AVPlayerItem) {
        guard item.status == .readyToPlay, item.duration.isNumeric, item.duration != posted.duration else { return }
        posted.duration = item.duration
        reports.post(.duration(item.duration))
    }
}

extension VPErrors {
    /// Creates the error of an item that has failed.
    @MainActor init(_ item: AVPlayerItem) {
        self = item.asset.url.isFileURL ? .failedToLoad(item.error) : .remoteVideoError(item.error)
    }
}
