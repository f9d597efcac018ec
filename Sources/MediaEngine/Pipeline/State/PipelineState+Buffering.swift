import MediaCore

/// Decisions about the buffer of a remote source, which start and stop the clock (`BufferWatch`).
extension PipelineState {
    /// Makes `buffer` the remote source of `entry`.
    ///
    /// - Parameter buffer: `nil` if all of the item is available locally.
    /// - Returns: The previous source.
    mutating func attach(_ buffer: (any SourceBuffer)?, of entry: PlaybackEntry) -> (any SourceBuffer)? {
        replaceSource(buffer.map { ($0, entry) })
    }

    /// Removes the remote source, because nothing is open.
    ///
    /// - Returns: The previous source.
    mutating func detachSource() -> (any SourceBuffer)? { replaceSource(nil) }

    private mutating func replaceSource(
        _ new: (buffer: any SourceBuffer, entry: PlaybackEntry)?
    ) -> (any SourceBuffer)? {
        let former = buffering.source?.buffer
        buffering.attach(new)
        if buffering.isStarved {
            endStarving()
            // The clock may have waited for an item that has failed. The next item may be available.
            updateRunning()
        }
        return former
    }

    /// Reports the new status of the source, and starts or stops the clock. Called when data arrived or loading
    /// stopped.
    mutating func bufferChanged() {
        guard !isClosed, let (buffer, entry) = buffering.source else { return }
        report(.buffered(entry, status(of: buffer, entry)))
        updateRunning()
    }

    mutating func setWaitsForBuffer(_ waits: Bool) {
        buffering.waits = waits
        updateRunning()
    }

    /// Returns the status of the source. Packets that have been read count as loaded, because they no longer need the
    /// network.
    private func status(of buffer: any SourceBuffer, _ entry: PlaybackEntry) -> BufferStatus {
        let shown = shownTime(of: entry)
        // While the next item is fed, the playing one is completely loaded.
        let playhead = shown ?? timeline.slots.last { $0.segment.entry === entry }?.segment.mediaStart ?? 0
        var status = buffer.status(playhead: playhead)
        let read = max(0, (feed.packets.reach(of: entry) ?? playhead) - playhead)
        status.ahead = max(status.ahead, read + status.unread)
        if shown != nil { status = buffering.corrected(status, in: serial) }
        status.ahead = max(status.ahead, read)
        return status
    }

    /// Returns whether enough data is available to play. If so, ends a stop for lack of data. While the next item is
    /// fed, the playing one is completely loaded. The data of the next item counts only after the clock has stopped for
    /// it, possibly before its start is known.
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
        guard let stopDuration = buffering.endStarving(at: clock.host()) else { return }
        statistics.stallSeconds += Double(stopDuration) / 1e9
    }

    /// Stops the clock because a remote source did not deliver data in time.
    private mutating func starve() {
        guard clock.isRunning, !buffering.isStarved else { return }
        let ahead = buffering.source.map { status(of: $0.buffer, $0.entry).ahead } ?? 0
        buffering.starve(at: clock.host(), serial: serial, ahead: ahead)
        statistics.stalls += 1
        clock.setRunning(false)
        report(.stalled)
        report(.readinessChanged)
        wakeDisplays()
        wakeThreads()
    }

    // MARK: waits

    /// Whether the clock runs and the next packet depends on a remote source.
    var canStarve: Bool { buffering.source != nil && clock.isRunning && !feed.isDone }

    /// Checks again whether enough data is available, if the clock is stopped for lack of data. The regular check
    /// prevents an endless stop after a missed notification.
    ///
    /// - Returns: The time of the next check; `nil` if the clock is not stopped for lack of data.
    mutating func recheckBuffer() -> HostTime? {
        guard waitReason == .data else { return nil }
        updateRunning()
        return waitReason == .data ? clock.host() + 100_000_000 : nil
    }

    /// Stops the clock if no packet has arrived by `due`, when the delivered packets are used up.
    ///
    /// - Returns: The time of the next check.
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
        case .starved:
            starve()
            return now + 10_000_000
        }
    }
}
