import Foundation
import MediaCore

/// Time passes: observers are told, seams and the end noticed, the next look scheduled for when something is due.
extension AVPlayer {
    /// Calls `block` at multiples of `interval` of item time while playing, and when time jumps, playback
    /// starts or stops. On `queue`, nil: the main one. Returns a token for `removeTimeObserver(_:)`.
    /// - Parameter interval: positive; shorter than 1 ms counts as 1 ms.
    public func addPeriodicTimeObserver(forInterval interval: CMTime, queue: DispatchQueue? = nil, using block: @escaping @Sendable (CMTime) -> Void) -> Any {
        let step = max(interval.nanoseconds ?? 1_000_000_000, 1_000_000)
        return add(TimeObserver(kind: .periodic(step), queue: queue, block: block))
    }

    /// Calls `block` each time playback passes one of `times`.
    public func addBoundaryTimeObserver(forTimes times: [CMTime], queue: DispatchQueue? = nil, using block: @escaping @Sendable () -> Void) -> Any {
        add(TimeObserver(kind: .boundary(times.compactMap(\.nanoseconds).sorted()), queue: queue, block: { _ in block() }))
    }

    public func removeTimeObserver(_ observer: Any) {
        guard let observer = observer as? TimeObserver else { return }
        observer.isRemoved = true
        timeObservers[ObjectIdentifier(observer)] = nil
        reschedule()
    }

    private func add(_ observer: TimeObserver) -> Any {
        timeObservers[ObjectIdentifier(observer)] = observer
        reschedule()
        return observer
    }

    // MARK: time

    /// Looks at where we are: passes times to observers, notices seams, the next item and the end.
    func timePassed() {
        if let position = pipeline.position() {
            if position.entry !== currentItem?.entry, let next = playlist.first(where: { $0.entry === position.entry }), let old = currentItem {
                endOf(old)
                advance(past: old)
                setCurrent(next)
                syncPlaylist()
                lastPass = position.pass
                lastMedia = 0
            } else if position.entry === currentItem?.entry, let item = currentItem {
                if position.pass > lastPass {
                    let seams = position.pass - lastPass
                    for observer in timeObservers.values { observer.passed(from: lastMedia, to: .max) }
                    lastMedia = 0
                    for _ in 0..<seams {
                        item.loopCount += 1
                        endOf(item)
                    }
                    for observer in timeObservers.values { observer.rewound() }
                }
                lastPass = position.pass
                if seekTarget == nil {
                    for observer in timeObservers.values { observer.passed(from: lastMedia, to: position.media) }
                    lastMedia = position.media
                }
            }
            if position.isAtEnd, !endWasHandled, rate > 0, seekTarget == nil { reachedEnd(position.media) }
        }
        if seekTarget == nil { currentItem?.showCues(at: currentTime()) }
        reschedule()
    }

    private func endOf(_ item: AVPlayerItem) {
        NotificationCenter.default.post(name: AVPlayerItem.didPlayToEndTimeNotification, object: item)
    }

    private func reachedEnd(_ media: Int64) {
        guard let item = currentItem else { return }
        endWasHandled = true
        endOf(item)
        switch actionAtItemEnd {
        case .pause: rate = 0
        case .none: break
        case .advance:
            advance(past: item)
            if currentItem !== item { syncPlaylist() } else { rate = 0 }
        }
        refreshStatus()
    }

    /// Asks to be woken when the clock next passes something anybody waits for.
    func reschedule() {
        guard rate > 0 else { relay.scheduler?.cancel(); return }
        var next: Int64?
        func consider(_ host: Int64?) { if let host { next = min(next ?? host, host) } }
        consider(pipeline.hostTime(media: nil))
        let media = lastMedia ?? currentTime().nanoseconds ?? 0
        for observer in timeObservers.values {
            if let due = observer.nextDue(after: media) { consider(pipeline.hostTime(media: due)) }
        }
        if let due = currentItem?.nextCueChange(after: media) { consider(pipeline.hostTime(media: due)) }
        if let next { relay.scheduler?.wake(atHostTime: next) } else { relay.scheduler?.cancel() }
    }

    /// Other cues of `item` are at hand.
    func cuesChanged(of item: AVPlayerItem) {
        guard item === currentItem else { return }
        if seekTarget == nil { item.showCues(at: currentTime()) }
        reschedule()
    }

    func notifyTimeJumped() {
        let now = currentTime().nanoseconds ?? 0
        lastMedia = now
        for observer in timeObservers.values { observer.jumped(to: now) }
        currentItem?.timeJumped()
        if let currentItem { NotificationCenter.default.post(name: AVPlayerItem.timeJumpedNotification, object: currentItem) }
        reschedule()
    }
}
