import Zoetrope

/// A player, told as a `PlayerState`; and of its item what a model says. Main actor.
@MainActor
final class PlayerWatch {
    private let player: AVPlayer
    /// - Parameter changed: something may be another.
    private let changed: @MainActor () -> Void
    private var observations: [NSKeyValueObservation] = []
    private var tokens: [any NSObjectProtocol] = []
    /// The item that has been played to its end, and stands there.
    private weak var ended: AVPlayerItem?
    /// What is wrong with the item although it opened; until it plays.
    var problem: (any Error)? { didSet { changed() } }
    /// Between an interruption's begin and its end.
    private(set) var isInterrupted = false

    init(_ player: AVPlayer, followsInterruptions: Bool, changed: @escaping @MainActor () -> Void) {
        self.player = player
        self.changed = changed
        observations = [
            player.observe(\.timeControlStatus) { [weak self] player, _ in
                if player.timeControlStatus != .paused { self?.begins() }
                self?.toldOrEnds()
            },
            player.observe(\.reasonForWaitingToPlay) { [weak self] _, _ in self?.changed() },
            player.observe(\.currentItem) { [weak self] _, _ in self?.changed() },
            player.observe(\.currentItem?.status) { [weak self] _, _ in self?.changed() },
            player.observe(\.currentItem?.duration) { [weak self] _, _ in self?.changed() },
            player.observe(\.currentItem?.presentationSize) { [weak self] _, _ in self?.changed() },
        ]
        listen(AVPlayerItem.didPlayToEndTimeNotification) { $0.ends() }
        listen(AVPlayerItem.failedToPlayToEndTimeNotification) { $0.changed() }
        // It was sought: it stands at its end no more.
        listen(AVPlayerItem.timeJumpedNotification) { $0.jumped() }
        if followsInterruptions { listenForInterruptions() }
    }

    isolated deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        for observation in observations { observation.invalidate() }
    }

    /// Notifications of players are posted on the main thread.
    private func listen(_ name: Notification.Name, _ told: @escaping @MainActor (PlayerWatch) -> Void) {
        tokens.append(
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] note in
                let item = (note.object as? AVPlayerItem).map { ObjectIdentifier($0) }
                OnMain.run {
                    if let self, item != nil, item == self.player.currentItem.map({ ObjectIdentifier($0) }) {
                        told(self)
                    }
                }
            })
    }

    private func listenForInterruptions() {
        tokens.append(
            NotificationCenter.default.addObserver(
                forName: AVAudioSession.interruptionNotification, object: AVAudioSession.sharedInstance(), queue: nil
            ) { [weak self] note in
                let type = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
                let options = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt
                OnMain.run { self?.interruption(type, options) }
            })
    }

    /// A player pauses at an item's end before it tells the end: one that pauses about there (sound and picture need
    /// not end together) is looked at once that may have been told, lest it were paused by its user for a moment.
    private func toldOrEnds() {
        guard player.timeControlStatus == .paused, ended == nil, isAtEndTime(within: 1) else { return changed() }
        // The end may be on its way to the main queue itself: after that.
        DispatchQueue.main.async { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.changed() } }
        }
    }
    private func isAtEndTime(within seconds: Double) -> Bool {
        guard let duration else { return false }
        return player.currentTime().seconds >= duration.seconds - seconds
    }

    private func ends() {
        // At a loop's seam another pass has begun.
        guard player.timeControlStatus == .paused || player.rate == 0 || player.actionAtItemEnd == .pause
        else { return }
        ended = player.currentItem
        changed()
    }
    private func jumped() {
        guard ended != nil, player.timeControlStatus == .paused else { return }
        if isAtEndTime(within: 0.05) { return }
        ended = nil
        changed()
    }
    private func begins() {
        ended = nil
        problem = nil
    }

    /// Told of an interruption once this knows of it. - Parameter resumes: with the end, whether playing may go on.
    var onInterruption: (@MainActor (_ began: Bool, _ resumes: Bool) -> Void)?
    private func interruption(_ type: UInt?, _ options: UInt?) {
        guard let type = type.flatMap({ AVAudioSession.InterruptionType(rawValue: $0) }) else { return }
        let options = AVAudioSession.InterruptionOptions(rawValue: options ?? 0)
        isInterrupted = type == .began
        onInterruption?(type == .began, options.contains(.shouldResume))
        changed()
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
            if let item = player.currentItem, item === ended {
                return .paused(reason: item.error.map { .error($0) } ?? .endOfMedia)
            }
            if isInterrupted { return .paused(reason: .interrupted) }
            if let problem { return .paused(reason: .error(problem)) }
            return .paused(reason: .userInitiated)
        }
    }
    /// The item has been played to its end, and nobody has moved it since.
    var isAtEnd: Bool { player.timeControlStatus == .paused && ended != nil && ended === player.currentItem }

    var duration: CMTime? { player.currentItem.flatMap { $0.duration.isNumeric ? $0.duration : nil } }
    /// 16/9 while there is no picture.
    var aspectRatio: CGFloat {
        let size = player.currentItem?.presentationSize ?? .zero
        return size.width > 0 && size.height > 0 ? size.width / size.height : 16 / 9
    }
}

/// Waits for an item to open or to fail. Main actor.
@MainActor
final class Opening {
    private let item: AVPlayerItem
    private var observation: NSKeyValueObservation?
    private var waiting: CheckedContinuation<Void, Never>?
    init(_ item: AVPlayerItem) { self.item = item }

    /// Once. Returns when the item has opened or failed, or nobody wants it any more.
    func wait() async {
        guard item.status == .unknown else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting = continuation
                if Task.isCancelled { return giveUp() }
                observation = item.observe(\.status) { [weak self] item, _ in
                    if item.status != .unknown { self?.giveUp() }
                }
            }
        } onCancel: {
            OnMain.run { self.giveUp() }
        }
    }
    /// Who waits goes on: an item that has been replaced never opens.
    func giveUp() {
        observation?.invalidate()
        observation = nil
        waiting?.resume()
        waiting = nil
    }
}
