import Foundation
import MediaCore

/// Time passes: observers are told, seams and the end noticed, the next look scheduled for when something is due.
extension AVPlayer {
    /// The main queue, as time observers are told of it; `nil` is the main queue too.
    public enum MainQueue: Sendable {
        /// The main queue.
        case main
    }

    /// Calls `block` on the main actor at multiples of `interval` of item time while playing, and when time jumps,
    /// playback starts or stops. Returns a token for `removeTimeObserver(_:)`.
    /// - Parameter interval: positive; shorter than 1 ms counts as 1 ms, one that is no number as 1 s.
    public func addPeriodicTimeObserver(
        forInterval interval: CMTime, queue: MainQueue? = nil, using block: @escaping @MainActor (CMTime) -> Void
    ) -> Any {
        add(.periodic(interval), .main(block))
    }

    /// Calls `block` on the main actor each time playback passes one of `times` (`NSValue(time:)`); what is no time is
    /// never passed.
    public func addBoundaryTimeObserver(
        forTimes times: [NSValue], queue: MainQueue? = nil, using block: @escaping @MainActor () -> Void
    ) -> Any {
        addBoundaryTimeObserver(forTimes: times.map(\.timeValue), queue: queue, using: block)
    }
    /// Calls `block` on the main actor each time playback passes one of `times`; a time that is no number is never
    /// passed. Returns a token for `removeTimeObserver(_:)`.
    public func addBoundaryTimeObserver(
        forTimes times: [CMTime], queue: MainQueue? = nil, using block: @escaping @MainActor () -> Void
    ) -> Any {
        add(.boundary(times), .main { _ in block() })
    }
    /// Calls `block` on `queue`, nil: the main one, each time playback passes one of `times` (`NSValue(time:)`).
    /// Returns a token for `removeTimeObserver(_:)`.
    @_disfavoredOverload
    public func addBoundaryTimeObserver(
        forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
    ) -> Any {
        addBoundaryTimeObserver(forTimes: times.map(\.timeValue), queue: queue, using: block)
    }

    /// Calls `block` at multiples of `interval` of item time while playing, and when time jumps, playback
    /// starts or stops. On `queue`, nil: the main one. Returns a token for `removeTimeObserver(_:)`.
    /// - Parameter interval: positive; shorter than 1 ms counts as 1 ms, one that is no number as 1 s.
    @_disfavoredOverload
    public func addPeriodicTimeObserver(
        forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        add(.periodic(interval), .on(queue, block))
    }

    /// Calls `block` each time playback passes one of `times`; a time that is no number is never passed. On `queue`,
    /// nil: the main one.
    @_disfavoredOverload
    public func addBoundaryTimeObserver(
        forTimes times: [CMTime], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
    ) -> Any {
        add(.boundary(times), .on(queue) { _ in block() })
    }

    /// Ends what a token stands for; another player's, one that ended already, and what is no token change nothing.
    public func removeTimeObserver(_ observer: Any) {
        guard let observer = observer as? TimeObserver else { return }
        playhead.remove(observer)
        reschedule()
    }

    private func add(_ kind: TimeObserver.Kind, _ call: TimeObserver.Call) -> Any {
        let observer = TimeObserver(kind, call)
        playhead.add(observer)
        reschedule()
        return observer
    }

    // MARK: time

    /// Looks at where we are: passes times to observers, notices seams, the next item and the end.
    func timePassed() {
        lookAtTime()
        if seeks.target == nil { current?.showCues(at: currentTime()) }
        reschedule()
    }

    /// Whoever is told something may order something else. So each thing is done before it is told, and nothing more of
    /// what was looked at is done after an order.
    private func lookAtTime() {
        guard let position = placeAfterEvents(), let item = current else { return }
        guard position.entry === item.entry else {
            follow(to: position)
            // Of what plays there now, passes may have gone by too.
            if current?.entry === position.entry { lookAtTime() }
            return
        }
        let before = playhead.orders
        while playhead.pass < position.pass { guard passSeam(of: item) else { return } }
        playhead.move(
            to: position, at: position.isAtEnd ? max(position.media, end(of: item) ?? 0) : position.media)
        if playhead.orders == before, position.isAtEnd, !playhead.endIsHandled, desiredRate > 0,
            item.opening.status != .failed
        {
            reachedEnd(item)
        }
    }

    /// Where the pipeline is, once every event before that has been handled: an item that failed before the position was
    /// reached must not be taken for one that has been played. Nil during a seek, and without an item.
    private func placeAfterEvents() -> PlaybackPosition? {
        while seeks.target == nil, current != nil, let position = place {
            let before = playhead.orders
            handleEvents()
            // An event may have moved the player elsewhere.
            if playhead.orders == before, seeks.target == nil, current != nil { return position }
        }
        return nil
    }

    /// Tells of one pass's end and the next one's beginning.
    /// - Returns: false when whoever was told ordered something else.
    private func passSeam(of item: AVPlayerItem) -> Bool {
        let before = playhead.orders
        playhead.finishPass(at: end(of: item))
        guard playhead.orders == before else { return false }
        playhead.beginPass(at: part(of: item)?.lowerBound ?? 0)
        item.beganPass()
        tellEnd(of: item, atSeam: true)
        guard playhead.orders == before else { return false }
        // The pass that has begun has an end of its own, which may be the last.
        playhead.endOfNextPass()
        return true
    }

    /// The pipeline has gone on to the queue's next item, or over several when we were held up: each of them has ended.
    private func follow(to position: PlaybackPosition) {
        while let item = current, item.entry !== position.entry {
            guard let next = playlist.first(where: { $0.entry === position.entry }) else { return }
            // With all of its passes.
            let rounds = pipeline.round(of: item.entry)
            while playhead.round < rounds { guard passSeam(of: item) else { return } }
            var before = playhead.orders
            playhead.finishPass(at: end(of: item))
            tellEnd(of: item)
            guard playhead.orders == before, playlist.contains(where: { $0 === next }) else { return }
            keyPathObservers.together {
                advance(past: item)
                if current === item { setCurrent(next) }
                playhead.itemDidFollow()
                if current === next { syncPlaylist() }
                before = playhead.orders
            }
            // Whoever was told may have ordered something else.
            guard playhead.orders == before else { return }
        }
    }

    /// Before the queue is changed, or something is asked of what plays: what the pipeline has passed is not that any
    /// more.
    package func noticeSeam() {
        // Events of an item that still plays wait for their turn.
        guard seeks.target == nil, let item = current, let now = place, now.entry !== item.entry,
            let position = placeAfterEvents()
        else { return }
        ObservationScope.callOut { follow(to: position) }
    }

    /// Where a pass of `item` ends, media time; nil when nobody knows.
    private func end(of item: AVPlayerItem) -> MediaTime? {
        let length = MediaTime(item.opening.duration)
        guard let limit = part(of: item)?.upperBound else { return length }
        return min(limit, length ?? limit)
    }

    /// As the pipeline has it: a part that begins behind the end is none.
    private func part(of item: AVPlayerItem) -> ClosedRange<MediaTime>? {
        guard let range = item.entry.loopRange,
            range.lowerBound < MediaTime(item.opening.duration) ?? .max
        else { return nil }
        return range
    }

    private func tellEnd(of item: AVPlayerItem, atSeam: Bool = false) {
        // What has failed has not played to its end, though what there was of it has been played.
        guard item.opening.status != .failed, playhead.reportEnd() else { return }
        // A loop goes round what there is.
        if !atSeam, item.endEarly() { return }
        item.reportEnd(atSeam: atSeam)
    }

    private func reachedEnd(_ item: AVPlayerItem) {
        playhead.handleEnd()
        let before = playhead.orders
        if external.device != nil, item.entry.loops {
            tellEnd(of: item, atSeam: true)
            playhead.endOfNextPass()
            if playhead.orders == before { externalGoesRound(item) }
            return
        }
        // As it then is, so it is told: a player that pauses at the end has paused.
        let pauses = settings.actionAtItemEnd == .pause
        if pauses { rate = 0 }
        tellEnd(of: item)
        // Who was told and ordered something else has it; another action is asked for now, unless this end's was
        // carried out.
        guard !pauses, playhead.orders == before else { return }
        switch settings.actionAtItemEnd {
        case .pause: rate = 0
        case .none: break
        case .advance:
            keyPathObservers.together {
                advance(past: item)
                if current !== item { syncPlaylist() } else { rate = 0 }
            }
        }
        refreshStatus()
    }

    /// Asks to be woken when the clock next passes something anybody waits for.
    func reschedule() {
        guard desiredRate > 0 else {
            relay.scheduler.cancel()
            return
        }
        var next: HostTime?
        func consider(_ host: HostTime?) { if let host { next = min(next ?? host, host) } }
        // Not of the pass that plays now: a seam that has been passed since we looked would be missed until the next
        // one.
        if seeks.target == nil, external.device == nil {
            consider(pipeline.hostTime(seamAfter: playhead.pass, of: current?.entry))
        }
        let media = playhead.media ?? MediaTime(currentTime()) ?? 0
        consider(playhead.nextDue(after: media, hostTime: hostTime))
        if let due = current?.nextCueChange(after: media) { consider(hostTime(media: due)) }
        if let next { relay.scheduler.wake(atHostTime: next) } else { relay.scheduler.cancel() }
    }

    /// Other cues of `item` are at hand.
    func cuesChanged(of item: AVPlayerItem) {
        guard item === current else { return }
        if seeks.target == nil { item.showCues(at: currentTime()) }
        reschedule()
    }

    func notifyTimeJumped() {
        let (item, before) = (current, playhead.orders)
        ObservationScope.callOut {
            playhead.jump(to: MediaTime(currentTime()) ?? 0)
            item?.timeJumped()
            if let item { NotificationCenter.default.post(name: AVPlayerItem.timeJumpedNotification, object: item) }
        }
        if playhead.orders == before { reschedule() }
    }
}
