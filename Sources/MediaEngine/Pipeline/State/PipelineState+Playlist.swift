import MediaCore

/// What plays and what follows it, and what becomes of what was fed when that changes.
extension PipelineState {
    /// Makes `new` the playlist. When its first entry is the one that plays, it plays on and only what follows changes;
    /// otherwise the first entry is opened and shown from its start. An entry that was the first before, too, has been
    /// passed when what plays stands behind it: the player has not noticed yet.
    mutating func setPlaylist(_ new: [PlaybackEntry], feedsNext: Bool) {
        // What plays, or is on its way to.
        let present = playlist.pendingOpen ? playlist.entries.first : playing?.segment.entry ?? playlist.opening
        let isPassed =
            !playlist.pendingOpen && new.first === playlist.entries.first
            && present.map { present in new.contains { $0 === present } } ?? false
        playlist.entries = new
        playlist.feedsNext = feedsNext
        if let first = new.first, first === present || isPassed {
            if !playlist.pendingOpen { replanIfStale() }
        } else {
            answerSeeks()
            playlist.pendingOpen = true
            interruptReader()
            if let first = new.first { showPrepared(first) }
        }
        outbox.wake(.feeder)
    }

    /// The first picture of `entry`, which comes next, stands from now on: its segment begins when the feeder has got
    /// there.
    private mutating func showPrepared(_ entry: PlaybackEntry) {
        guard entry.loopRange == nil, let (frame, media, description) = entry.firstPreparedPicture else { return }
        let place = Segment(index: -1, entry: entry, pass: 0, round: 0, mediaStart: media, description: description)
        frames.stand(frame, of: place, media: media, out: now, isFirst: false)
        wakeDisplays()
    }

    /// What the feeder is to open.
    struct Opening {
        /// Nil: nothing plays.
        var entry: PlaybackEntry?
        /// A seek that came before it was begun opens it at its target.
        var isSought: Bool
    }
    /// The first entry is being opened from now on; nil where none is to be.
    mutating func beginOpening() -> Opening? {
        guard playlist.pendingOpen else { return nil }
        playlist.pendingOpen = false
        interrupt.reset()
        let first = playlist.entries.first
        playlist.opening = first
        beginSerial()
        first?.restartRounds()
        let isSought = first != nil && seeks.pending?.entry === first
        playlist.isOpeningSought = isSought
        if !isSought { interrupt.resume() }
        return Opening(entry: first, isSought: isSought)
    }

    /// Another item's picture does not stand while `entry` is opened.
    mutating func forgetPicture(of entry: PlaybackEntry?) {
        if frames.current?.segment.entry !== entry { frames.forget() }
    }
    mutating func showNothing() {
        frames.forget()
        wakeDisplays()
    }

    /// What follows the playing segment changed. If the feeder has not passed the seam yet it will see for itself; if
    /// it has, what lies beyond the seam is wrong and is fed anew from where we are.
    mutating func replanIfStale() {
        if let joining = playlist.joining, let last = timeline.last, playlist.follower(of: last.segment) !== joining {
            breakOffJoin()
        }
        guard let playing = playing?.segment, let last = timeline.last?.segment else { return }
        if last === playing {
            // The feeder may stand at the end with nothing to follow, where now something does.
            if feed.isDone, playlist.wantsMore(after: playing) { reseek() }
            return
        }
        // Several short passes may have been fed.
        let fed = timeline.places.map(\.segment).drop { $0 !== playing }
        if zip(fed, fed.dropFirst()).contains(where: { playlist.follower(of: $0) !== $1.entry }) { reseek() }
    }

    /// What is being opened to follow does not follow, or not now, and is not waited for.
    mutating func breakOffJoin() {
        guard playlist.joining != nil else { return }
        playlist.joining = nil
        interruptReader()
    }

    /// What is to be done once everything of `segment` has been read.
    enum Next {
        /// Another pass of it, from here.
        case pass(from: MediaTime)
        /// What follows it, another pass of it included, has to be opened.
        case open(PlaybackEntry, isPass: Bool)
        case nothing
    }
    /// - Parameter reads: the feeder has it open.
    mutating func next(after segment: Segment, reads: Bool) -> Next {
        let loops = segment.entry.goesRound(after: segment.round) && !segment.holdsAtEnd
        if loops, reads {
            playlist.joining = nil
            return .pass(from: segment.entry.part(of: segment.description)?.lowerBound ?? 0)
        }
        playlist.joining = segment.holdsAtEnd ? nil : playlist.follower(of: segment)
        return playlist.joining.map { .open($0, isPass: loops) } ?? .nothing
    }

    /// What became of an opening that was to follow.
    enum Joining {
        case wanted
        /// Something else follows now: looked at again.
        case stale
        /// A seek goes first, in what plays.
        case sought
    }
    /// It has been opened, or not. That it was given up is no failure of its own.
    mutating func endJoining() -> Joining {
        defer { playlist.joining = nil }
        guard playlist.joining == nil, !isClosed, !playlist.pendingOpen else { return .wanted }
        interrupt.reset()
        guard seeks.pending != nil else { return .stale }
        cutFeed()
        return .sought
    }

    /// A seek goes before what follows is opened: when it has been carried out, this end is reached again.
    mutating func cutFeed() {
        feed.isDone = true
        feed.isCut = true
        giveWay()
    }

    /// - Parameter range: the part that is repeated; nil: the whole. Of an item that plays already it counts at once:
    ///   what stands outside of it goes to its start. The last pass of a part goes to the part's end.
    /// - Parameter passes: how many it plays in all, the present one among them; nil: no end.
    mutating func setLoops(
        _ entry: PlaybackEntry, _ loops: Bool, in range: ClosedRange<MediaTime>? = nil, passes: Int? = nil
    ) {
        let former = entry.loopRange
        let range = loops ? range : former
        let playing = playing?.segment
        let plays = playing?.entry === entry
        entry.setLoops(loops, in: range, passes: passes, from: plays ? playing?.round : nil)
        guard former != range, plays else { return replanIfStale() }
        // What is fed reaches over the part's end.
        reseek()
        if loops, let range, let seek = seeks.pending, seek.id == 0,
            seek.target < range.lowerBound || seek.target >= range.upperBound
        {
            seeks.pending = .exact(range.lowerBound, in: entry)
        }
    }

    mutating func setSelection(_ entry: PlaybackEntry, _ selection: TrackSelection) {
        guard entry.selection != selection else { return }
        entry.selection = selection
        if playing?.segment.entry === entry { reseek() }
    }

    /// - Parameter length: 0: items are joined without a gap. Of a fade under way nothing changes.
    mutating func setCrossfade(_ length: MediaTime) {
        guard length != playlist.crossfade else { return }
        playlist.crossfade = length
        // A decoded clip has no end to hold back.
        if length > 0, timeline.places.contains(where: { $0.segment.clip != nil }) { reseek() }
        outbox.wake(.feeder)
    }

    /// Its decoded pictures do not do: from here on it is read like any file, from where we are or were going to.
    mutating func refuseClip(of entry: PlaybackEntry) {
        entry.refusesClip = true
        if seeks.pending == nil { readAgain() } else { giveWay() }
        outbox.wake(.feeder)
    }
}
