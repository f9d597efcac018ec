import MediaCore

/// The path of frames from the decoder to a display (`FrameQueue`), and the waits of the video thread.
extension PipelineState {
    /// The time for which a paused player decodes no further frames after it has its first frame, in nanoseconds.
    static let rest: Int64 = 50_000_000
    /// The delay after which a frame that no display requests is discarded, in nanoseconds.
    private static let passingDelay: Int64 = 100_000_000

    /// Returns the next unit for the video thread; `nil` if there is none.
    mutating func takeVideoUnit() -> UnitQueue.Unit? {
        outbox.wake(.feeder)
        return feed.takeVideo()
    }
    mutating func takeAudioUnit() -> UnitQueue.Unit? {
        guard let unit = feed.takeAudio() else { return nil }
        outbox.wake(.feeder)
        return unit
    }

    // MARK: the video thread's waits

    /// Whether the video thread pauses after the first frame of a paused player. While a slider is dragged, the next
    /// seek arrives soon. Without the pause, that seek would wait until frames that are no longer needed are decoded.
    var isResting: Bool { run.hasFirstFrame && settings.rate == 0 && clock.host() < frames.restsUntil }

    /// Returns the time at which the video thread has to check again; `nil` to wait until woken. Discards frames that
    /// are due but not requested by a display, so that a hidden player keeps its position without drawing.
    mutating func letPass() -> HostTime? {
        while clock.isRunning, let due = frames.nextDue.flatMap({ clock.hostTime(for: $0) }) {
            let late = due + PipelineState.passingDelay
            let now = clock.host()
            guard now >= late else { return late }
            guard frames.advance(to: self.now) else { return now + 5_000_000 }
            outbox.wake(.video)
        }
        return nil
    }

    /// Stops the clock when the last frame's duration has passed and no packet has arrived. If there is audio, the
    /// limit is 100 ms later, because the audio thread detects late audio itself.
    ///
    /// - Returns: The time of the next check; `nil` if no data of a remote source is missing.
    mutating func waitForPackets() -> HostTime? {
        if let time = recheckBuffer() { return time }
        guard canStarve, let segment = playing?.segment, segment.hasVideo, !run.videoEnded, let newest = frames.newest,
            newest.segment === segment
        else { return nil }
        let length =
            max(segment.description.video?.frameDuration ?? 0, 20_000_000)
            + (segment.hasAudio && !run.audioEnded ? 100_000_000 : 0)
        guard let due = clock.hostTime(for: newest.out + length) else { return nil }
        return waitDry(due: due)
    }

    // MARK: the decoder's side

    /// Returns whether the queue has space for a frame of `segment`, and the start of `segment` is known.
    func hasSpace(forFrameOf segment: Segment) -> Bool { timeline[segment]?.start != nil && !frames.isFull }

    /// The result of placing a decoded frame.
    enum EnqueueResult: Equatable {
        case enqueued
        /// The frame is late. If `isFarBehind` is `true`, the decoder should skip frames that are not needed.
        case late(isFarBehind: Bool)
        /// The first frame of the next segment replaces this frame. If `isOver` is `true`, no more frames of this
        /// segment are needed.
        case beyondEnd(isOver: Bool)
    }

    /// Appends a frame to the queue, with its time on the timeline.
    mutating func enqueue(_ frame: VideoFrame, media: MediaTime, of segment: Segment) -> EnqueueResult {
        guard let slot = timeline[segment], let start = slot.start else { return .beyondEnd(isOver: false) }
        // A frame after the end (the audio is slightly shorter) is replaced by the first frame of the next pass.
        let out = max(start, segment.timelineTime(of: media, from: start))
        if let end = slot.videoEnd ?? slot.end, out >= end, media > segment.mediaStart {
            return .beyondEnd(isOver: slot.videoEnd != nil)
        }
        let (arrival, isFarBehind) = frames.arrival(due: out, now: now, isRunning: clock.isRunning)
        if arrival == .tooLate {
            frames.didSkip()
            return .late(isFarBehind: isFarBehind)
        }
        frames.append(frame, of: segment, media: media, out: out)
        if !run.hasFirstFrame {
            frames.restsUntil = clock.host() + PipelineState.rest
            firstFrameReady()
        } else if !clock.isRunning {
            wakeDisplays()
        }
        return arrival == .inTime ? .enqueued : .late(isFarBehind: isFarBehind)
    }

    /// Records that the first frame is available, or that there is none, so that displays and the clock stop waiting
    /// for it.
    mutating func firstFrameReady() {
        guard !run.hasFirstFrame else { return }
        run.hasFirstFrame = true
        updateRunning()
        // The feeder checks regularly while data is missing.
        outbox.wake(.feeder)
        wakeDisplays()
    }
    mutating func firstAudioReady() {
        guard !run.hasFirstAudio else { return }
        run.hasFirstAudio = true
        updateRunning()
        outbox.wake(.feeder)
    }

    /// Records that all frames have been decoded.
    mutating func videoDidEnd() {
        run.videoEnded = true
        if let end = timeline.last?.end { clock.setCeiling(end) }
        updateRunning()
    }
    /// Records that all audio has been decoded.
    mutating func audioDidEnd() {
        run.audioEnded = true
        clock.audioIsComplete()
        if let end = timeline.last?.end { clock.setCeiling(end) }
        updateRunning()
    }

    // MARK: the display's side

    mutating func tick(at host: HostTime, presented: PresentedFrame?, refreshInterval: Int64? = nil) -> DisplayTick {
        if let presented { didPresent(presented.sequence, at: presented.time) }
        if let refreshInterval { frames.displayRefreshes(every: refreshInterval) }
        let (isMoving, isChanging) = (isMoving, isChanging)
        let pulled = pull(at: host)
        // Read after the frame, so that the position is never before the frame's.
        return DisplayTick(
            isMoving: isMoving, isChanging: isChanging, pulled: pulled, position: position(),
            nextDue: frames.next.flatMap { clock.hostTime(near: $0, from: host) })
    }

    mutating func pull(at host: HostTime) -> PulledFrame? {
        let t = clock.now(at: host)
        removeFormerFrame(at: t)
        let former = frames.current
        let dropped = statistics.framesDropped
        let (frame, freedSpace) = frames.pull(
            at: t, now: clock.host(), speed: clock.isRunning ? settings.rate : nil, &statistics)
        if statistics.framesDropped > dropped {
            (former ?? frame)?.segment.entry.didDropFrames(statistics.framesDropped - dropped)
        }
        if freedSpace { outbox.wake(.video) }
        return frame.map(pulled)
    }

    /// Removes the frames of earlier items if the item at `t` has no frames.
    mutating func removeFormerFrame(at t: TimelineTime) {
        guard let slot = playing(at: t), !slot.hasFrames, !frames.contains(frameOf: slot.segment.entry) else { return }
        if frames.showNone(since: slot.start ?? t) { outbox.wake(.video) }
    }

    /// Returns the frame at `host` if it belongs to `entry`. If no decoded frame does, changes nothing.
    ///
    /// A time in the future moves neither the clock nor the displayed frame. The result is then the newest decoded frame
    /// that is due by that time.
    mutating func pull(at host: HostTime, of entry: PlaybackEntry) -> PulledFrame? {
        guard frames.contains(frameOf: entry) else { return nil }
        let present = clock.host()
        _ = pull(at: min(host, present))
        let frame = host > present ? frames.preview(at: clock.time(at: host)) : frames.current
        return frame.flatMap { $0.segment.entry === entry ? pulled($0) : nil }
    }

    private func pulled(_ frame: FrameQueue.Frame) -> PulledFrame {
        PulledFrame(frame: frame.frame, sequence: frame.sequence, composition: frame.segment.entry.composition)
    }

    mutating func didPresent(_ sequence: UInt64, at host: HostTime) {
        guard let frame = frames.presented(sequence, &statistics), clock.isRunning else { return }
        // The clock may have returned later times since. `time(at:)` still returns the time at `host`; `now(at:)` would
        // not.
        let late = Double((clock.time(at: host) - frame.out).nanoseconds) / 1e6
        if statistics.offsets.count >= 20_000 { statistics.offsets.removeFirst(10_000) }
        statistics.offsets.append(late)
    }

    var isMoving: Bool { clock.isRunning || frames.hasNext(dueAt: now) }

    /// Whether a frame of another item is expected. This is `true` from the request on, while the previous frame is
    /// still displayed, because a display checks it before it pulls a frame.
    var isChanging: Bool {
        guard !isClosed, let first = playlist.entries.first, first !== playlist.abandoned else { return false }
        return playlist.pendingOpen || !run.hasFirstFrame && frames.current?.segment.entry !== first
    }

    /// Marks `entry` as failed, so that displays stop waiting for a frame of it.
    mutating func abandon(_ entry: PlaybackEntry) {
        playlist.abandoned = entry
        wakeDisplays()
    }
}
