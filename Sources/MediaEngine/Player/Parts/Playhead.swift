import MediaCore

/// How far the time observers of a player have followed its current item, and what the item's end has caused so far.
///
/// An observer may seek, or replace the item. Whoever calls observers compares `orders` before and after the call, and
/// drops the older position when they differ.
@MainActor
final class Playhead {
    /// The time up to which observers have been called, in the current item and pass; nil: not called yet.
    private(set) var media: MediaTime?
    private(set) var pass = 0
    /// Counts passes over seeks too, as `Segment.round` does.
    private(set) var round = 0
    /// Incremented by every seek and item change, so that results of older ones can be discarded.
    private(set) var orders = 0
    /// Whether the player has done what follows the end of the item. False again when it plays on from there.
    private(set) var endIsHandled = false
    private var endIsReported = false
    private var observers: [ObjectIdentifier: TimeObserver] = [:]

    // MARK: observers

    func add(_ observer: TimeObserver) { observers[ObjectIdentifier(observer)] = observer }

    /// Removes `observer`, which is not called any more. An observer of another player stays.
    func remove(_ observer: TimeObserver) { observers.removeValue(forKey: ObjectIdentifier(observer))?.remove() }

    func removeObservers() {
        for observer in observers.values { observer.remove() }
        observers.removeAll()
    }

    /// Returns the earliest host time at which an observer is due.
    func nextDue(after media: MediaTime, hostTime: (MediaTime) -> HostTime?) -> HostTime? {
        observers.values.compactMap { $0.nextDue(after: media).flatMap(hostTime) }.min()
    }

    // MARK: orders

    func itemDidChange() {
        orders += 1
        (media, pass, round) = (nil, 0, 0)
        resetEnd()
    }

    /// The current item follows the one before without a gap, and plays from its beginning.
    func itemDidFollow() { media = -1 }

    func seekDidBegin() {
        orders += 1
        resetEnd()
    }

    func seekDidFinish() { pass = 0 }

    func stepDidBegin() { orders += 1 }

    func stepDidFinish() { resetEnd() }

    func rateDidChange() { endIsHandled = false }

    /// Drops positions that are being reported, and all observers.
    func close() {
        orders += 1
        removeObservers()
    }

    private func resetEnd() { (endIsHandled, endIsReported) = (false, false) }

    // MARK: time

    /// Calls the observers that are due between the last position and `position`.
    func move(to position: PlaybackPosition, at to: MediaTime) {
        (pass, round) = (position.pass, position.round)
        let (from, before) = (media, orders)
        media = to
        for observer in observers.values {
            // A boundary was passed whatever another observer ordered meanwhile; the present time is another one.
            if orders == before { observer.passed(from: from, to: to) } else { observer.ended(from: from, at: to) }
        }
    }

    /// Calls the observers of what was passed up to the end of a pass.
    /// - Parameter end: nil when nobody knows it.
    func finishPass(at end: MediaTime?) {
        guard let end else { return }
        let from = media
        media = end
        for observer in observers.values { observer.ended(from: from, at: end) }
    }

    /// Another pass of the same item has begun, without a seek.
    func beginPass(at start: MediaTime) {
        pass += 1
        round += 1
        media = start - 1
        endIsReported = false
        rewind()
    }

    /// The external device plays the item from its start again.
    func beginAgain() {
        media = -1
        endIsHandled = false
        rewind()
    }

    private func rewind() { for observer in observers.values { observer.rewound() } }

    /// Time jumped to `media`.
    func jump(to media: MediaTime) {
        self.media = media
        report(media)
    }

    /// Calls the periodic observers: time begins to pass, or stops, at `media`.
    func report(_ media: MediaTime) { for observer in observers.values { observer.jumped(to: media) } }

    // MARK: end of the item

    /// Returns whether the end of the pass is to be reported: once until the item plays on from there.
    func reportEnd() -> Bool {
        defer { endIsReported = true }
        return !endIsReported
    }

    /// The item goes round: its next end is another one.
    func endOfNextPass() { endIsReported = false }

    func handleEnd() { endIsHandled = true }
}
