import Foundation
import MediaCore

/// A remote source: when to begin, when to stop for want of data, when to go on.
///
/// **Underrun.** Time stops just before sound (or, without sound, the picture) runs out, so nothing is skipped
/// and nothing crackles: `starve`. It goes on when the source is likely to keep up (`BufferStatus`), or at once
/// with whatever there is if the app does not want to wait (`automaticallyWaitsToMinimizeStalling`).
extension PlaybackPipeline {
    /// What the device must still hold when time stops, nanoseconds: more than a server takes at once.
    static let starvingMargin: Int64 = 150_000_000

    /// The source of what is being fed. Feeder thread.
    func attach(_ buffer: (any SourceBuffer)?, of entry: PlaybackEntry) {
        let (former, ahead) = monitor.withLock { () -> ((buffer: any SourceBuffer, entry: PlaybackEntry)?, MediaTime) in
            let old = source
            source = buffer.map { ($0, entry) }
            if isStarved {
                endStarving()
                // What time stood for may have failed, and what follows be at hand.
                updateRunning()
            }
            return (old, forwardDuration)
        }
        former?.buffer.setOnChange(nil)
        former?.buffer.setPlayhead(nil)
        guard let buffer else { return }
        buffer.setForwardDuration(ahead)
        buffer.setPlayhead { [weak self, weak entry] in
            guard let entry else { return nil }
            return self?.shownTime(of: entry)
        }
        buffer.setOnChange { [weak self] in self?.bufferChanged() }
        bufferChanged()
    }

    /// Media time being shown of `entry`; nil while it shows nothing.
    private func shownTime(of entry: PlaybackEntry) -> MediaTime? {
        monitor.withLock {
            guard let playing = playingSegment(), playing.entry === entry else { return nil }
            return mediaTime(in: playing)
        }
    }

    /// Any thread.
    func bufferChanged() {
        monitor.withLock {
            guard !isClosed, let (buffer, entry) = source else { return }
            let status = status(of: buffer, entry)
            onEvent(.buffered(entry, status))
            updateRunning()
        }
    }

    func setForwardDuration(_ ahead: MediaTime) {
        monitor.withLock {
            forwardDuration = ahead
            source?.buffer.setForwardDuration(ahead)
        }
    }

    func setWaitsForBuffer(_ waits: Bool) {
        monitor.withLock {
            waitsForBuffer = waits
            updateRunning()
        }
    }

    /// The next time playing begins it does so with what there is.
    func beginAtOnce() {
        monitor.withLock {
            beginsAtOnce = desiredRate > 0 && !clock.isRunning
            updateRunning()
        }
    }

    /// With the monitor locked.
    private func status(of buffer: any SourceBuffer, _ entry: PlaybackEntry) -> BufferStatus {
        // While the next item is being fed the one playing has come whole.
        guard let playing = playingSegment(), playing.entry === entry else {
            return buffer.status(playhead: timeline.last { $0.entry === entry }?.mediaStart ?? 0)
        }
        var status = buffer.status(playhead: mediaTime(in: playing))
        // Where time stopped nothing was left, whatever was reckoned (a container without an index knows only bytes).
        if isStarved, missing.serial == serial { status.ahead = max(0, status.ahead - missing.ahead) }
        return status
    }

    /// What plays has come whole while the next item is fed; that one counts once time stands for want of it, which may
    /// be before anybody knows where it begins. With the monitor locked.
    var hasEnoughBuffer: Bool {
        let isAwaited = isStarved && missing.serial == serial
        guard let (buffer, entry) = source, !feedDone,
            isAwaited || playingSegment()?.entry === entry || timeline.isEmpty
        else {
            endStarving()
            return true
        }
        if clock.isRunning, !isStarved { return true }
        let status = status(of: buffer, entry)
        let enough = status.isLikelyToKeepUp || (!waitsForBuffer || beginsAtOnce) && status.ahead > 100_000_000
        if enough { endStarving() }
        return enough
    }

    /// With the monitor locked.
    private func endStarving() {
        guard isStarved else { return }
        isStarved = false
        statistics.stallSeconds += Double(HostTime.now() - starvedSince) / 1e9
    }

    /// Time stops: a remote source did not keep up. With the monitor locked.
    func starve() {
        guard clock.isRunning, !isStarved else { return }
        missing = (serial, source.map { status(of: $0.buffer, $0.entry).ahead } ?? 0)
        drySince = nil
        isStarved = true
        starvedSince = .now()
        statistics.stalls += 1
        clock.setRunning(false)
        onEvent(.stalled)
        onEvent(.readinessChanged)
        wakeDisplays()
        videoCondition.broadcast()
        audioCondition.broadcast()
    }

    /// Nothing is at hand, and at `due` what has been handed on is used up: time stops then, if it is the network that
    /// keeps us waiting and not our own threads, which only need a moment. With the monitor locked.
    func wait(on condition: Monitor.Condition, starvingAt due: HostTime) {
        let now = HostTime.now()
        guard now >= due, let (buffer, entry) = source else { return condition.wait(until: due) }
        if buffer.isWaitedFor {
            // What came a moment ago may not have woken the feeder yet; a quarter of a second later it would have.
            let since = drySince ?? now
            drySince = since
            if now >= since + 250_000_000 || !status(of: buffer, entry).isLikelyToKeepUp { return starve() }
        } else {
            drySince = nil
        }
        condition.wait(until: now + 10_000_000)
    }

    /// While time stands for want of data: looks again now and then whether there is enough, so that no missed message
    /// makes it stand for ever. With the monitor locked.
    func waitStarved(on condition: Monitor.Condition) {
        condition.wait(until: HostTime.now() + 100_000_000)
        if isStarved { updateRunning() }
    }

    /// Whether the next packet may be long in coming. With the monitor locked.
    var canStarve: Bool { source != nil && clock.isRunning && !feedDone }

    /// The video thread has no packet: when the last picture has stood its time, time stops. Where there is sound
    /// it may stand a little longer, as sound that comes late shows itself. False when nothing of a remote source
    /// is missing. With the monitor locked.
    func waitStarving() -> Bool {
        if isStarved {
            waitStarved(on: videoCondition)
            return true
        }
        guard canStarve, let segment = playingSegment(), segment.hasVideo, !videoEnded, let newest = frames.newest,
            newest.segment === segment
        else { return false }
        let length =
            max(segment.description.video?.frameDuration ?? 0, 20_000_000)
            + (segment.hasAudio && !audioEnded ? 100_000_000 : 0)
        guard let due = clock.hostTime(for: newest.out + length) else { return false }
        wait(on: videoCondition, starvingAt: due)
        return true
    }

    /// Ready to play, but for what has not come yet.
    var isWaitingForBuffer: Bool {
        monitor.withLock { desiredRate > 0 && !clock.isRunning && source != nil && isPrimed }
    }
}
