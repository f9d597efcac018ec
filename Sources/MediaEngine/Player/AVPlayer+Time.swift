import Foundation
import MediaCore

/// Observation of time: calls time observers, detects loop boundaries and the end of an item, and schedules the next
/// check.
extension AVPlayer {
    /// The type of the argument `queue: .main` for time observers. Nil has the same meaning.
    public enum MainQueue: Sendable {
        /// The main queue.
        case main
    }

    /// Calls `block` on the main actor at multiples of `interval` of item time during playback. Also calls it when time
    /// jumps and when playback starts or stops.
    ///
    /// ```swift
    /// let interval = CMTime(value: 1, timescale: 2)
    /// observer = player.addPeriodicTimeObserver(forInterval: interval) { [weak self] time in
    ///     self?.position = time.seconds
    /// }
    /// ```
    ///
    /// - Parameter interval: A positive interval. Less than 1 ms counts as 1 ms, an invalid time as 1 s.
    /// - Returns: A token for `removeTimeObserver(_:)`. The player keeps the observer even if the token is released.
    public func addPeriodicTimeObserver(
        forInterval interval: CMTime, queue: MainQueue? = nil, using block: @escaping @MainActor (CMTime) -> Void
    ) -> Any {
        add(.periodic(interval), .main(block))
    }

    /// Calls `block` on the main actor each time playback passes one of `times`. A seek beyond a time does not count.
    ///
    /// - Parameter times: Values created by `NSValue(time:)`. A value that is not a valid time is ignored.
    /// - Returns: A token for `removeTimeObserver(_:)`.
    public func addBoundaryTimeObserver(
        forTimes times: [NSValue], queue: MainQueue? = nil, using block: @escaping @MainActor () -> Void
    ) -> Any {
        addBoundaryTimeObserver(forTimes: times.map(\.timeValue), queue: queue, using: block)
    }
    /// Calls `block` on the main actor each time playback passes one of `times`. A seek beyond a time does not count.
    /// Invalid times are ignored.
    ///
    /// ```swift
    /// let creditsStart = CMTime(seconds: 5400, preferredTimescale: 1)
    /// observer = player.addBoundaryTimeObserver(forTimes: [creditsStart]) { [weak self] in
    ///     self?.showsNextEpisode = true
    /// }
    /// ```
    ///
    /// - Returns: A token for `removeTimeObserver(_:)`.
    public func addBoundaryTimeObserver(
        forTimes times: [CMTime], queue: MainQueue? = nil, using block: @escaping @MainActor () -> Void
    ) -> Any {
        add(.boundary(times), .main { _ in block() })
    }
    /// Calls `block` on `queue` each time playback passes one of `times`. A seek beyond a time does not count.
    ///
    /// - Parameters:
    ///   - times: Values created by `NSValue(time:)`. A value that is not a valid time is ignored.
    ///   - queue: The queue for the calls; nil is the main queue.
    /// - Returns: A token for `removeTimeObserver(_:)`.
    @_disfavoredOverload
    public func addBoundaryTimeObserver(
        forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
    ) -> Any {
        addBoundaryTimeObserver(forTimes: times.map(\.timeValue), queue: queue, using: block)
    }

    /// Calls `block` on `queue` at multiples of `interval` of item time during playback. Also calls it when time jumps
    /// and when playback starts or stops.
    ///
    /// - Parameters:
    ///   - interval: A positive interval. Less than 1 ms counts as 1 ms, an invalid time as 1 s.
    ///   - queue: The queue for the calls; nil is the main queue.
    /// - Returns: A token for `removeTimeObserver(_:)`.
    @_disfavoredOverload
    public func addPeriodicTimeObserver(
        forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        add(.periodic(interval), .on(queue, block))
    }

    /// Calls `block` on `queue` each time playback passes one of `times`. A seek beyond a time does not count. Invalid
    /// times are ignored.
    ///
    /// - Parameter queue: The queue for the calls; nil is the main queue.
    /// - Returns: A token for `removeTimeObserver(_:)`.
    @_disfavoredOverload
    public func addBoundaryTimeObserver(
        forTimes times: [CMTime], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
    ) -> Any {
        add(.boundary(times), .on(queue) { _ in block() })
    }

    /// Removes a time observer. Ignores a token of another player, a token that is already removed, and any other
    /// value.
    ///
    /// ```swift
    /// if let observer { player.removeTimeObserver(observer) }
    /// observer = nil
    /// ```
    public func removeTimeObserver(_ observer: Any) {
        guard let observer = observer as? TimeObserver else { return }
        playhead.remove(observer)
        reschedule()
    }

    private func add(_ kind: TimeObserver.Kind, _ call: TimeObserver.Call) -> Any {
        let observer = TimeObserver(kind, call, from: reachedTime)
        playhead.add(observer)
        reschedule()
        return observer
    }

    /// The media time that playback has reached since the last check of the position; nil if there was no check yet, or
    /// during a seek. An observer that is added now does not count times up to it as passed.
    private var reachedTime: MediaTime? {
        guard playhead.media != nil, seeks.target == nil, let position else { return nil }
        // Playback has reached the next item or pass. All times of the former one were passed before.
        guard position.entry === current?.entry, position.pass <= playhead.pass else { return .max }
        return position.media
    }

    // MARK: Time

    /// Checks the current position: calls time observers, and detects loop boundaries, the next item and the end.
    func timePassed() {
        checkPosition()
        if seeks.target == nil { current?.showCues(at: currentTime()) }
        reschedule()
    }

    /// Compares the position with the last check, and reports the differences.
    ///
    /// An observer can seek or change the item. Therefore each change is made before it is reported. The check stops as
    /// soon as an observer has started a seek or changed the item.
    private func checkPosition() {
        guard let position = positionAfterEvents(), let item = current else { return }
        guard position.entry === item.entry else {
            follow(to: position)
            // The next item may also have completed passes already.
            if current?.entry === position.entry { checkPosition() }
            return
        }
        let before = playhead.generation
        while playhead.pass < position.pass { guard finishLoopPass(of: item) else { return } }
        playhead.move(
            to: position, at: position.isAtEnd ? max(position.media, end(of: item) ?? 0) : position.media)
        if playhead.generation == before, position.isAtEnd, !playhead.endIsHandled, desiredRate > 0,
            item.opening.status != .failed
        {
            reachedEnd(item)
        }
    }

    /// Returns the pipeline's position after all earlier events are handled; nil during a seek and without an item.
    ///
    /// Without this order, an item that failed before this position would count as played to its end.
    private func positionAfterEvents() -> PlaybackPosition? {
        while seeks.target == nil, current != nil, let position {
            let before = playhead.generation
            handleEvents()
            // An event handler can seek or change the item.
            if playhead.generation == before, seeks.target == nil, current != nil { return position }
        }
        return nil
    }

    /// Reports the end of a loop's pass and the beginning of the next.
    /// - Returns: False if an observer has started a seek or changed the item.
    private func finishLoopPass(of item: AVPlayerItem) -> Bool {
        let before = playhead.generation
        playhead.finishPass(at: end(of: item))
        guard playhead.generation == before else { return false }
        playhead.beginPass(at: loopRange(of: item)?.lowerBound ?? 0)
        item.beganPass()
        reportEnd(of: item, atLoopBoundary: true)
        guard playhead.generation == before else { return false }
        // The new pass has its own end, which must be reported too.
        playhead.endOfNextPass()
        return true
    }

    /// Follows the pipeline to the item at `position`. If the main actor was late, this can pass several items; each of
    /// them is reported as ended.
    private func follow(to position: PlaybackPosition) {
        while let item = current, item.entry !== position.entry {
            guard let next = playlist.first(where: { $0.entry === position.entry }) else { return }
            // First report all remaining passes of the item.
            let loopNumber = pipeline.loopNumber(of: item.entry)
            while playhead.loopNumber < loopNumber { guard finishLoopPass(of: item) else { return } }
            var before = playhead.generation
            playhead.finishPass(at: end(of: item))
            reportEnd(of: item)
            guard playhead.generation == before, playlist.contains(where: { $0 === next }) else { return }
            keyPathObservers.performChanges {
                advance(past: item)
                if current === item { setCurrent(next) }
                playhead.itemDidFollow()
                if current === next { syncPlaylist() }
                before = playhead.generation
            }
            // Stop if an observer has started a seek or changed the item.
            guard playhead.generation == before else { return }
        }
    }

    /// Makes the item that the pipeline already plays the current item. Called before the queue is changed or the
    /// current item is used.
    package func followPipeline() {
        // If the current item still plays, nothing needs to be done now: its events are handled later, in their normal
        // order.
        guard seeks.target == nil, let item = current, let now = position, now.entry !== item.entry,
            let position = positionAfterEvents()
        else { return }
        ObservationScope.callOut { follow(to: position) }
    }

    /// Returns the media time at which a pass of `item` ends; nil if it is unknown.
    private func end(of item: AVPlayerItem) -> MediaTime? {
        let length = MediaTime(item.opening.duration)
        guard let limit = loopRange(of: item)?.upperBound else { return length }
        return min(limit, length ?? limit)
    }

    /// Returns the loop range of `item`. As in the pipeline, a range that begins after the end of the item is ignored.
    private func loopRange(of item: AVPlayerItem) -> ClosedRange<MediaTime>? {
        guard let range = item.entry.loopRange,
            range.lowerBound < MediaTime(item.opening.duration) ?? .max
        else { return nil }
        return range
    }

    private func reportEnd(of item: AVPlayerItem, atLoopBoundary: Bool = false) {
        if recordEnd(of: item) { postEnd(of: item, atLoopBoundary: atLoopBoundary) }
    }

    /// Records the end of `item`.
    /// - Returns: False if this end must not be posted: it was recorded before, or the item has failed.
    private func recordEnd(of item: AVPlayerItem) -> Bool {
        // An item that fails has not played to its end, even if all data before the failure was played.
        item.opening.status != .failed && playhead.reportEnd()
    }

    private func postEnd(of item: AVPlayerItem, atLoopBoundary: Bool = false) {
        // A loop of a truncated file repeats the part that exists.
        if !atLoopBoundary, item.endEarly() { return }
        item.reportEnd(atLoopBoundary: atLoopBoundary)
    }

    private func reachedEnd(_ item: AVPlayerItem) {
        playhead.handleEnd()
        let before = playhead.generation
        if external.device != nil, item.entry.hasNextPass(after: playhead.loopNumber) {
            reportEnd(of: item, atLoopBoundary: true)
            playhead.endOfNextPass()
            if playhead.generation == before { externalDidReachLoopEnd(item) }
            return
        }
        // The state changes before observers are called. A player that pauses at the end is already paused then. The end
        // is recorded before the pause, because an observer of the pause can restart the item, which has another end.
        let pauses = settings.actionAtItemEnd == .pause
        let isNewEnd = recordEnd(of: item)
        if pauses { rate = 0 }
        if isNewEnd { postEnd(of: item) }
        // If an observer has started a seek or changed the item, the end has no further effect. Otherwise
        // `actionAtItemEnd` is read again, because an observer may have changed it. `.pause` is already carried out.
        guard !pauses, playhead.generation == before else { return }
        switch settings.actionAtItemEnd {
        case .pause: rate = 0
        case .none: break
        case .advance:
            keyPathObservers.performChanges {
                advance(past: item)
                if current !== item { syncPlaylist() } else { rate = 0 }
            }
        }
        refreshStatus()
    }

    /// Schedules the next check for the earliest time at which an observer, a loop boundary or a cue is due.
    func reschedule() {
        guard desiredRate > 0 else {
            relay.scheduler.cancel()
            return
        }
        var next: HostTime?
        func consider(_ host: HostTime?) { if let host { next = min(next ?? host, host) } }
        // Use the last checked pass, not the pass that plays now. Otherwise a boundary passed since the last check
        // would go unnoticed until the next one.
        if seeks.target == nil, external.device == nil {
            consider(pipeline.hostTime(endOfPass: playhead.pass, of: current?.entry))
        }
        let media = playhead.media ?? MediaTime(currentTime()) ?? 0
        consider(playhead.nextDue(after: media, hostTime: hostTime))
        if let due = current?.nextCueChange(after: media) { consider(hostTime(media: due)) }
        if let next { relay.scheduler.wake(atHostTime: next) } else { relay.scheduler.cancel() }
    }

    /// Updates the visible cues after the cues of `item` have changed.
    func cuesChanged(of item: AVPlayerItem) {
        guard item === current else { return }
        if seeks.target == nil { item.showCues(at: currentTime()) }
        reschedule()
    }

    func notifyTimeJumped() {
        let (item, before) = (current, playhead.generation)
        ObservationScope.callOut {
            playhead.jump(to: MediaTime(currentTime()) ?? 0)
            item?.timeJumped()
            if let item { NotificationCenter.default.post(name: AVPlayerItem.timeJumpedNotification, object: item) }
        }
        if playhead.generation == before { reschedule() }
    }
}
