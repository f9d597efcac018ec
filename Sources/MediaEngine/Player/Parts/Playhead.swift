import MediaCore

/// The position up to which a player's time observers have been called, and the state of the item's end.
///
/// An observer may seek or replace the item. Callers compare `generation` before and after they call observers. If it
/// differs, they discard the older position.
@MainActor
final class Playhead {
    /// The time up to which observers have been called, in the current item and pass; nil before the first call.
    private(set) var media: MediaTime?
    private(set) var pass = 0
    /// The number of the current pass, from 0. Unlike `pass`, it is not reset by seeks; see `Segment.loopNumber`.
    private(set) var loopNumber = 0
    /// Incremented by every seek and item change, so that results of older ones can be discarded.
    private(set) var generation = 0
    /// Whether the action at the end of the item has been carried out. Reset by a new rate, a seek, a step or another
    /// item.
    private(set) var endIsHandled = false
    private var endIsReported = false
    private var observers: [ObjectIdentifier: TimeObserver] = [:]

    // MARK: Observers

    func add(_ observer: TimeObserver) { observers[ObjectIdentifier(observer)] = observer }

    /// Removes `observer`, which is not called any more. Ignores an observer of another player.
    func remove(_ observer: TimeObserver) { observers.removeValue(forKey: ObjectIdentifier(observer))?.remove() }

    func removeObservers() {
        for observer in observers.values { observer.remove() }
        observers.removeAll()
    }

    /// Returns the earliest host time at which an observer is due.
    func nextDue(after media: MediaTime, hostTime: (MediaTime) -> HostTime?) -> HostTime? {
        observers.values.compactMap { $0.nextDue(after: media).flatMap(hostTime) }.min()
    }

    // MARK: Item, seek, step and rate

    func itemDidChange() {
        generation += 1
        (media, pass, loopNumber) = (nil, 0, 0)
        for observer in observers.values { observer.positionWasReset() }
        resetEnd()
    }

    /// Starts at the beginning of an item that follows the former item without a gap.
    func itemDidFollow() { media = -1 }

    func seekDidBegin() {
        generation += 1
        resetEnd()
    }

    func seekDidFinish() { pass = 0 }

    func stepDidBegin() { generation += 1 }

    func stepDidFinish() { resetEnd() }

    func rateDidChange() { endIsHandled = false }

    /// Discards positions that are being reported, and removes all observers.
    func close() {
        generation += 1
        removeObservers()
    }

    private func resetEnd() { (endIsHandled, endIsReported) = (false, false) }

    // MARK: Time

    /// Calls the observers that are due between the last position and `position`.
    func move(to position: PlaybackPosition, at to: MediaTime) {
        (pass, loopNumber) = (position.pass, position.loopNumber)
        let (from, before) = (media, generation)
        media = to
        for observer in observers.values {
            // If an observer has started a seek, playback has still passed the boundaries, but `to` is no longer the
            // current time. Therefore only boundary observers are called.
            if generation == before {
                observer.didPass(from: from, to: to)
            } else {
                observer.didEndPass(from: from, at: to)
            }
        }
    }

    /// Calls the boundary observers that are due before the end of a pass.
    /// - Parameter end: The end of the pass in media time; nil if it is unknown.
    func finishPass(at end: MediaTime?) {
        guard let end else { return }
        let from = media
        media = end
        for observer in observers.values { observer.didEndPass(from: from, at: end) }
    }

    /// Begins another pass of the same item, without a seek.
    func beginPass(at start: MediaTime) {
        pass += 1
        loopNumber += 1
        media = start - 1
        endIsReported = false
        rewind()
    }

    /// Begins the next pass at the start of the item, for an external device that loops.
    func beginAgain() {
        loopNumber += 1
        media = -1
        endIsHandled = false
        rewind()
    }

    private func rewind() { for observer in observers.values { observer.didRestart() } }

    /// Moves to `media` after a jump in time, and calls the periodic observers.
    func jump(to media: MediaTime) {
        self.media = media
        for observer in observers.values { observer.positionWasReset() }
        report(media)
    }

    /// Calls the periodic observers, because time starts or stops at `media`, or has jumped there.
    func report(_ media: MediaTime) { for observer in observers.values { observer.didJump(to: media) } }

    // MARK: End of the item

    /// Returns whether the caller should report the end of the pass. True only for the first call in a pass, and for
    /// the first call after a seek, a step or a change of the item.
    func reportEnd() -> Bool {
        defer { endIsReported = true }
        return !endIsReported
    }

    /// Allows the end to be reported again, because a loop's next pass has its own end.
    func endOfNextPass() { endIsReported = false }

    func handleEnd() { endIsHandled = true }

    /// Counts the end as reported and handled, because an external device has reached it.
    func endIsKnown() { (endIsHandled, endIsReported) = (true, true) }
}
