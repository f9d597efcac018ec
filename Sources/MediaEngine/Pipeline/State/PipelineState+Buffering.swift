import MediaCore

/// A remote source, as it bears on whether time runs (`BufferWatch`).
extension PipelineState {
    /// What is fed comes from `buffer` from now on; nil: it is all at hand. - Returns: what it came from before.
    mutating func attach(_ buffer: (any SourceBuffer)?, of entry: PlaybackEntry) -> (any SourceBuffer)? {
        let former = buffering.source?.buffer
        buffering.attach(buffer.map { ($0, entry) })
        if buffering.isStarved {
            endStarving()
            // What time stood for may have failed, and what follows be at hand.
            updateRunning()
        }
        return former
    }

    /// The source has told that more has come, or that nothing does.
    mutating func bufferChanged() {
        guard !isClosed, let (buffer, entry) = buffering.source else { return }
        tell(.buffered(entry, status(of: buffer, entry)))
        updateRunning()
    }

    mutating func setWaitsForBuffer(_ waits: Bool) {
        buffering.waits = waits
        updateRunning()
    }

    /// What the source says, and what is known here: nothing of what has been read needs the network any more.
    private func status(of buffer: any SourceBuffer, _ entry: PlaybackEntry) -> BufferStatus {
        let shown = shownTime(of: entry)
        // While the next item is being fed the one playing has come whole.
        let playhead = shown ?? timeline.places.last { $0.segment.entry === entry }?.segment.mediaStart ?? 0
        var status = buffer.status(playhead: playhead)
        let read = max(0, (feed.packets.reach(of: entry) ?? playhead) - playhead)
        status.ahead = max(status.ahead, read + status.unread)
        if shown != nil { status = buffering.corrected(status, in: serial) }
        status.ahead = max(status.ahead, read)
        return status
    }

    /// What plays has come whole while the next item is fed; that one counts once time stands for want of it, which may
    /// be before anybody knows where it begins.
    mutating func hasEnoughBuffer() -> Bool {
        guard let (buffer, entry) = buffering.source, !feed.isDone,
            buffering.isAwaited(in: serial) || timeline.isEmpty || playing?.segment.entry === entry
        else {
            endStarving()
            return true
        }
        if clock.isRunning, !buffering.isStarved { return true }
        let enough = buffering.isEnough(status(of: buffer, entry))
        if enough { endStarving() }
        return enough
    }

    private mutating func endStarving() {
        guard let stood = buffering.endStarving(at: clock.host()) else { return }
        statistics.stallSeconds += Double(stood) / 1e9
    }

    /// Time stops: a remote source did not keep up.
    private mutating func starve() {
        guard clock.isRunning, !buffering.isStarved else { return }
        let ahead = buffering.source.map { status(of: $0.buffer, $0.entry).ahead } ?? 0
        buffering.starve(at: clock.host(), serial: serial, ahead: ahead)
        statistics.stalls += 1
        clock.setRunning(false)
        tell(.stalled)
        tell(.readinessChanged)
        wakeDisplays()
        wakeThreads()
    }

    // MARK: waits

    /// Whether the next packet may be long in coming.
    var canStarve: Bool { buffering.source != nil && clock.isRunning && !feed.isDone }

    /// While time stands for want of data: looks again now and then whether there is enough, so that no missed message
    /// makes it stand for ever. - Returns: when to look again; nil: it does not stand for that.
    mutating func lookWhileWaitingForData() -> HostTime? {
        guard waitReason == .data else { return nil }
        updateRunning()
        return waitReason == .data ? clock.host() + 100_000_000 : nil
    }

    /// Nothing is at hand, and at `due` what has been handed on is used up: time stops then.
    /// - Returns: when to look again.
    mutating func waitDry(due: HostTime) -> HostTime {
        guard let (buffer, entry) = buffering.source else { return due }
        let now = clock.host()
        var watch = buffering
        let dryness = watch.dry(at: now, due: due, isWaitedFor: now >= due && buffer.isWaitedFor) {
            status(of: buffer, entry)
        }
        buffering = watch
        switch dryness {
        case .until(let time): return time
        case .starves:
            starve()
            return now + 10_000_000
        }
    }
}
