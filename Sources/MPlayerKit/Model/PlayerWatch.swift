import Zoetrope

/// An observer that describes a player as a `PlayerState`, and provides the duration and aspect ratio of its item. Main
/// actor.
@MainActor
final class PlayerWatch {
    private let player: AVPlayer
    /// Called when the state or a value may have changed.
    private let changed: @MainActor () -> Void
    private var observations: [NSKeyValueObservation] = []
    private var tokens: [any NSObjectProtocol] = []
    /// The item that was played to its end; nil again after a seek or when playback starts.
    private weak var endedItem: AVPlayerItem?
    /// A problem of an item that has opened; nil again when the item plays.
    var problem: (any Error)? { didSet { changed() } }

    init(_ player: AVPlayer, changed: @escaping @MainActor () -> Void) {
        self.player = player
        self.changed = changed
        observations = [
            player.observe(\.timeControlStatus) { [weak self] player, _ in
                if player.timeControlStatus != .paused { self?.playbackDidStart() }
                self?.reportPlaybackChange()
            },
            player.observe(\.reasonForWaitingToPlay) { [weak self] _, _ in self?.changed() },
            player.observe(\.isInterrupted) { [weak self] _, _ in self?.changed() },
            player.observe(\.currentItem) { [weak self] _, _ in self?.changed() },
            player.observe(\.currentItem?.status) { [weak self] _, _ in self?.changed() },
            player.observe(\.currentItem?.duration) { [weak self] _, _ in self?.changed() },
            player.observe(\.currentItem?.presentationSize) { [weak self] _, _ in self?.changed() },
        ]
        observe(AVPlayerItem.didPlayToEndTimeNotification) { $0.itemDidEnd() }
        observe(AVPlayerItem.failedToPlayToEndTimeNotification) { $0.changed() }
        // After a seek, the item is no longer at its end.
        observe(AVPlayerItem.timeJumpedNotification) { $0.timeDidJump() }
    }

    isolated deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        for observation in observations { observation.invalidate() }
    }

    /// Observes a notification of the current item. Such notifications are posted on the main thread.
    private func observe(_ name: Notification.Name, _ handler: @escaping @MainActor (PlayerWatch) -> Void) {
        tokens.append(
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] note in
                let item = (note.object as? AVPlayerItem).map { ObjectIdentifier($0) }
                OnMain.run {
                    if let self, item != nil, item == self.player.currentItem.map({ ObjectIdentifier($0) }) {
                        handler(self)
                    }
                }
            })
    }

    /// Reports a change of the playback state.
    ///
    /// A player pauses at the end of an item before it posts the end, without returning to the main queue in between. A
    /// pause near the end is therefore reported from the main queue, so that the state is not `.userInitiated` for a
    /// moment. Near means within a second, because audio and video need not end together.
    private func reportPlaybackChange() {
        guard player.timeControlStatus == .paused, endedItem == nil, isAtEndTime(within: 1) else { return changed() }
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.changed() } }
    }
    private func isAtEndTime(within seconds: Double) -> Bool {
        guard let duration else { return false }
        return player.currentTime().seconds >= duration.seconds - seconds
    }

    private func itemDidEnd() {
        // Each pass of a loop posts its end too. The player then continues with the next pass, or has just been paused
        // in it.
        guard player.timeControlStatus == .paused, PlaybackControl(player).isAtEnd else { return }
        endedItem = player.currentItem
        changed()
    }
    private func timeDidJump() {
        guard endedItem != nil, player.timeControlStatus == .paused else { return }
        if isAtEndTime(within: PlaybackControl.endTolerance) { return }
        endedItem = nil
        changed()
    }
    private func playbackDidStart() {
        endedItem = nil
        problem = nil
    }

    var state: PlayerState {
        if let item = player.currentItem, item.status == .failed {
            return .paused(reason: .error(item.error ?? PlayerError.notAvailable))
        }
        switch player.timeControlStatus {
        case .playing: return .playing
        case .waitingToPlayAtSpecifiedRate:
            return .buffering(reason: PlayerBufferingReason(player.reasonForWaitingToPlay))
        case .paused:
            if let item = player.currentItem, item === endedItem {
                return .paused(reason: item.error.map { .error($0) } ?? .endOfMedia)
            }
            if player.isInterrupted { return .paused(reason: .interrupted) }
            if let problem { return .paused(reason: .error(problem)) }
            return .paused(reason: .userInitiated)
        }
    }
    var duration: CMTime? { player.currentItem.flatMap { $0.duration.isNumeric ? $0.duration : nil } }
    /// The aspect ratio of the video; 16/9 without video.
    var aspectRatio: CGFloat {
        let size = player.currentItem?.presentationSize ?? .zero
        return size.width > 0 && size.height > 0 ? size.width / size.height : 16 / 9
    }
}

/// A wait for an item to open or to fail. Main actor.
@MainActor
final class Opening {
    private let item: AVPlayerItem
    private var observation: NSKeyValueObservation?
    private var waiting: CheckedContinuation<Void, Never>?
    init(_ item: AVPlayerItem) { self.item = item }

    /// Waits until the item has opened or failed, or until `finish()`. Call it once only.
    func wait() async {
        guard item.status == .unknown else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting = continuation
                if Task.isCancelled { return finish() }
                observation = item.observe(\.status) { [weak self] item, _ in
                    if item.status != .unknown { self?.finish() }
                }
            }
        } onCancel: {
            OnMain.run { self.finish() }
        }
    }
    /// Ends the wait, because an item that has been replaced never opens.
    func finish() {
        observation?.invalidate()
        observation = nil
        waiting?.resume()
        waiting = nil
    }
}
