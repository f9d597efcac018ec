import MediaCore

/// Changes of the playlist, and the continuation of the feed after a change.
extension PipelineState {
    /// Sets the playlist. If its first entry is the playing one, playback continues and only the following entries
    /// change. Playback also continues if the first entry is unchanged and a later entry of the playlist already plays,
    /// of which the player has not been notified yet. Otherwise the first entry is opened and shown from its start.
    mutating func setPlaylist(_ new: [PlaybackEntry], feedsNext: Bool) {
        // The entry that is playing or being opened.
        let present = playlist.pendingOpen ? playlist.entries.first : playing?.segment.entry ?? playlist.opening
        let isPassed =
            !playlist.pendingOpen && new.first === playlist.entries.first
            && present.map { present in new.contains { $0 === present } } ?? false
        playlist.entries = new
        playlist.feedsNext = feedsNext
        if let first = new.first, first === present || isPassed {
            if !playlist.pendingOpen { replanIfStale() }
        } else {
            failSeeks()
            playlist.pendingOpen = true
            interruptReader()
            if let first = new.first { showPrepared(first) }
        }
        outbox.wake(.feeder)
    }

    /// Displays the prepared first frame of `entry` at once. Its segment begins when the feeder has opened the entry.
    private mutating func showPrepared(_ entry: PlaybackEntry) {
        guard !isClosed, entry.loopRange == nil, let (frame, media, description) = entry.firstPreparedFrame else {
            return
        }
        let segment = Segment(
            index: -1, entry: entry, pass: 0, loopNumber: 0, mediaStart: media, description: description)
        frames.hold(frame, of: segment, media: media, out: now)
        wakeDisplays()
    }

    /// The entry that the feeder has to open.
    struct Opening {
        /// The entry; `nil` to show nothing.
        var entry: PlaybackEntry?
        /// Whether a pending seek opens the entry at its target.
        var isSought: Bool
    }
    /// Starts opening the first entry.
    ///
    /// - Returns: `nil` if no entry has to be opened.
    mutating func beginOpening() -> Opening? {
        guard playlist.pendingOpen else { return nil }
        playlist.pendingOpen = false
        interrupt.reset()
        let first = playlist.entries.first
        playlist.opening = first
        beginSerial()
        first?.restartLoopNumbers()
        let isSought = first != nil && seeks.pending?.entry === first
        playlist.isOpeningSought = isSought
        if !isSought { interrupt.resume() }
        return Opening(entry: first, isSought: isSought)
    }

    /// Removes the displayed frame if it belongs to another entry than `entry`, which is being opened.
    mutating func clearFrame(of entry: PlaybackEntry?) {
        if frames.current?.segment.entry !== entry { frames.clearCurrent() }
    }
    mutating func showNothing() {
        frames.clearCurrent()
        wakeDisplays()
    }

    /// Seeks to the current position if the segments that were fed no longer match the playlist. If the feeder has not
    /// reached the end of the playing segment yet, it uses the new playlist anyway.
    mutating func replanIfStale() {
        if let joining = playlist.joining, let last = timeline.last, playlist.follower(of: last.segment) !== joining {
            breakOffJoin()
        }
        guard let playing = playing?.segment, let last = timeline.last?.segment else { return }
        if last === playing {
            // The feed may have ended because nothing followed, but now an entry follows.
            if feed.isDone, playlist.wantsMore(after: playing) { reseek() }
            return
        }
        // Several short passes may have been fed.
        let fed = timeline.slots.map(\.segment).drop { $0 !== playing }
        if zip(fed, fed.dropFirst()).contains(where: { playlist.follower(of: $0) !== $1.entry }) { reseek() }
    }

    /// Cancels the opening of the next entry, because another entry follows or a seek comes first.
    mutating func breakOffJoin() {
        guard playlist.joining != nil else { return }
        playlist.joining = nil
        interruptReader()
    }

    /// The next step after all of a segment has been read.
    enum Next {
        /// Read another pass, from this media time.
        case pass(from: MediaTime)
        /// Open this entry: the next one, or the same one for another pass.
        case open(PlaybackEntry, isPass: Bool)
        case nothing
    }
    /// Returns the next step after `segment`.
    ///
    /// - Parameter reads: Whether the feeder has the entry of `segment` open.
    mutating func next(after segment: Segment, reads: Bool) -> Next {
        let loops = segment.entry.hasNextPass(after: segment.loopNumber) && !segment.holdsAtEnd
        if loops, reads {
            playlist.joining = nil
            return .pass(from: segment.entry.part(of: segment.description)?.lowerBound ?? 0)
        }
        playlist.joining = segment.holdsAtEnd ? nil : playlist.follower(of: segment)
        return playlist.joining.map { .open($0, isPass: loops) } ?? .nothing
    }

    /// The result of opening the next entry.
    enum Joining {
        case wanted
        /// Another entry follows now. Determine the next step again.
        case stale
        /// A seek comes first.
        case sought
    }
    /// Ends the opening of the next entry, whether it succeeded or not. A canceled opening is not an error.
    mutating func endJoining() -> Joining {
        defer { playlist.joining = nil }
        guard playlist.joining == nil, !isClosed, !playlist.pendingOpen else { return .wanted }
        interrupt.reset()
        guard seeks.pending != nil else { return .stale }
        cutFeed()
        return .sought
    }

    /// Stops feeding for a pending seek. After the seek, the feeder reaches the end of the segment again.
    mutating func cutFeed() {
        feed.isDone = true
        feed.isCut = true
        giveWay()
    }

    /// Sets whether `entry` loops. If `entry` is playing, the change applies at once: a position outside `range` moves
    /// to the start of `range`. The last pass of a part ends at the end of the part.
    ///
    /// - Parameters:
    ///   - range: The repeated part in media time; `nil` for the whole item.
    ///   - passes: The total number of passes, including the current one; `nil` for no limit.
    mutating func setLoops(
        _ entry: PlaybackEntry, _ loops: Bool, in range: ClosedRange<MediaTime>? = nil, passes: Int? = nil
    ) {
        let former = entry.loopRange
        let range = loops ? range : former
        let playing = playing?.segment
        let plays = playing?.entry === entry
        entry.setLoops(loops, in: range, passes: passes, from: plays ? playing?.loopNumber : nil)
        guard former != range, plays else { return replanIfStale() }
        // The packets that were fed may extend beyond the end of the part.
        reseek()
        if loops, let range, let seek = seeks.pending, seek.id == 0,
            seek.target < range.lowerBound || seek.target >= range.upperBound
        {
            seeks.pending = .exact(range.lowerBound, in: entry)
        }
    }

    /// Sets the tracks to play. Applies at once to segments of `entry` that play or were fed to follow. For an entry
    /// that is being opened, `begin(_:)` applies the selection.
    mutating func setSelection(_ entry: PlaybackEntry, _ selection: TrackSelection) {
        guard entry.selection != selection else { return }
        entry.selection = selection
        let playing = playing?.segment
        let fed = timeline.slots.map(\.segment).drop { $0 !== playing }
        if fed.contains(where: { $0.entry === entry }) { reseek() }
    }

    /// Sets the length of crossfades.
    ///
    /// - Parameter length: The overlap of two items. 0 joins items without a gap. A running crossfade keeps its length.
    mutating func setCrossfade(_ length: MediaTime) {
        guard length != playlist.crossfade else { return }
        playlist.crossfade = length
        // The end of a decoded clip cannot be held back.
        if length > 0, timeline.slots.contains(where: { $0.segment.clip != nil }) { reseek() }
        outbox.wake(.feeder)
    }

    /// Stops the use of a decoded clip for `entry`. The file is read and decoded from the current position, or from the
    /// target of a seek.
    mutating func refuseClip(of entry: PlaybackEntry) {
        entry.refusesClip = true
        if seeks.pending == nil { readAgain() } else { giveWay() }
        outbox.wake(.feeder)
    }
}
