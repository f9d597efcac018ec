import MediaCore

/// What plays and what follows it: the entries, and what becomes of what was fed when they change.
extension PlaybackPipeline {
    /// Makes `new` the playlist. When its first entry is the one that plays, it plays on and only what
    /// follows changes; otherwise the first entry is opened and shown from its start. An entry that was the first
    /// before, too, has been passed when what plays stands behind it: the player has not noticed yet.
    func setPlaylist(_ new: [PlaybackEntry], feedsNext: Bool) {
        monitor.lock()
        // What plays, or is on its way to.
        let present = pendingOpen ? entries.first : playingSegment()?.entry ?? opening
        let isPassed =
            !pendingOpen && new.first === entries.first
            && present.map { present in new.contains { $0 === present } } ?? false
        entries = new
        feedsNextEntry = feedsNext
        if let first = new.first, first === present || isPassed {
            if !pendingOpen { replanIfStale() }
        } else {
            if let seek = pendingSeek { answer(seek.id, false) }
            if let seek = runningSeek { answer(seek.id, false) }
            pendingSeek = nil
            runningSeek = nil
            pendingOpen = true
            interrupt.interrupt()
            if let first = new.first { showPrepared(first) }
        }
        feederCondition.broadcast()
        monitor.unlock()
        measureLoudness()
    }

    /// What follows the playing segment changed. If the feeder has not passed the seam yet it will see
    /// for itself; if it has, what lies beyond the seam is wrong and is fed anew from where we are.
    /// With the monitor locked.
    func replanIfStale() {
        if let joining, let last = timeline.last, follower(of: last) !== joining { breakOffJoin() }
        guard let playing = playingSegment(), let last = timeline.last else { return }
        if last === playing {
            // The feeder may stand at the end with nothing to follow, where now something does.
            if feedDone, wantsMore(after: playing) { reseek() }
            return
        }
        // Several short passes may have been fed.
        let fed = timeline.drop { $0 !== playing }
        if zip(fed, fed.dropFirst()).contains(where: { follower(of: $0) !== $1.entry }) { reseek() }
    }

    /// What is being opened to follow does not follow, or not now, and is not waited for. With the monitor locked.
    func breakOffJoin() {
        guard joining != nil else { return }
        joining = nil
        interrupt.interrupt()
    }

    /// Which of its passes it has come to, or ended with.
    func round(of entry: PlaybackEntry) -> Int {
        monitor.withLock {
            let now = clock.now()
            return timeline.last { $0.entry === entry && $0.outStart.map { $0 <= now } ?? false }?.round ?? entry.round
        }
    }

    func follower(of segment: Segment) -> PlaybackEntry? {
        if segment.entry.goesRound(after: segment.round) { return segment.entry }
        return feedsNextEntry ? entry(after: segment.entry) : nil
    }

    func wantsMore(after segment: Segment) -> Bool {
        if segment.holdsAtEnd { return false }
        return follower(of: segment) != nil
    }

    func entry(after entry: PlaybackEntry) -> PlaybackEntry? {
        guard let index = entries.firstIndex(where: { $0 === entry }) else { return nil }
        return index + 1 < entries.count ? entries[index + 1] : nil
    }

    /// - Parameter range: the part that is repeated; nil: the whole. Of an item that plays already it counts at once:
    ///   what stands outside of it goes to its start. The last pass of a part goes to the part's end.
    /// - Parameter passes: how many it plays in all, the present one among them; nil: no end.
    func setLoops(_ entry: PlaybackEntry, _ loops: Bool, in range: ClosedRange<MediaTime>? = nil, passes: Int? = nil) {
        monitor.withLock {
            let range = loops ? range : entry.loopRange
            let isOther = entry.loopRange != range
            let playing = playingSegment()
            entry.loops = loops
            entry.loopRange = range
            entry.passes = passes
            entry.firstRound = playing?.entry === entry ? playing?.round ?? 0 : entry.round
            guard isOther, playing?.entry === entry else { return replanIfStale() }
            // What is fed reaches over the part's end.
            reseek()
            if loops, let range, let seek = pendingSeek, seek.id == 0,
                seek.target < range.lowerBound || seek.target >= range.upperBound
            {
                pendingSeek = Seek(id: 0, target: range.lowerBound, toleranceBefore: 0, toleranceAfter: 0, entry: entry)
            }
        }
    }

    /// The part of `entry` that plays, in a loop or for its last pass: one that begins behind the end is none. With the
    /// monitor locked.
    func part(of entry: PlaybackEntry, _ description: ItemDescription?) -> ClosedRange<MediaTime>? {
        guard let range = entry.loopRange, range.lowerBound < description?.duration ?? .max else { return nil }
        return range
    }

    func setSelection(_ entry: PlaybackEntry, _ selection: TrackSelection) {
        monitor.withLock {
            guard entry.selection != selection else { return }
            entry.selection = selection
            if playingSegment()?.entry === entry { reseek() }
        }
    }
}
