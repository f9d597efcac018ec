import MediaCore

/// The seeks of a pipeline. Every seek begins a new `serial`. A thread whose own serial is older discards its data and
/// restarts. After a seek, no more frames of the old position are displayed, and no thread has to be stopped.
///
/// Seeks that arrive while one runs are coalesced. The newest starts when the running one has shown its frame, or
/// replaces it if decoding reaches the newest target first (`nearerSeek`). All others finish with `completed: false`.
/// `SeekPlan` decides how a seek is carried out.
extension PipelineState {
    mutating func seek(_ seek: SeekRequest) {
        guard !isClosed, playlist.contains(seek.entry) else { return complete(seek, false) }
        var seek = seek
        if let waiting = seeks.pending {
            complete(waiting, false)
            // The seek that was about to begin another pass of the loop is replaced, but the pass counts.
            if waiting.entry === seek.entry { seek.loopNumber = seek.loopNumber ?? waiting.loopNumber }
        }
        // If the item no longer loops, the seek removes its loop range, so the whole item can play.
        if !seek.entry.loops { seek.entry.loopRange = nil }
        request(seek)
    }

    mutating func complete(_ seek: SeekRequest, _ completed: Bool) {
        if seek.id != 0 { report(.seekFinished(id: seek.id, completed: completed)) }
    }

    /// Reports all seeks as not completed.
    mutating func failSeeks() {
        if let seek = seeks.pending { complete(seek, false) }
        if let seek = seeks.running { complete(seek, false) }
        seeks.pending = nil
        seeks.running = nil
    }

    private mutating func request(_ seek: SeekRequest) {
        seeks.pending = seek
        breakOffJoin()
        if buffering.source != nil { preemptReader() }
        outbox.wake(.feeder)
    }

    /// Seeks exactly to the current position, unless a seek is pending or another item replaces the playing one.
    mutating func reseek() {
        let t = now
        guard let slot = playing(at: t), seeks.pending == nil else { return }
        let segment = slot.segment
        request(.exact(slot.mediaTime(at: t), in: segment.entry, holdsAtEnd: segment.holdsAtEnd))
    }

    // MARK: on the feeder thread

    /// Starts the pending seek.
    ///
    /// - Returns: The seek; `nil` if there is none, or if its entry is no longer in the playlist.
    mutating func beginSeek() -> SeekRequest? {
        guard seeks.running == nil, let seek = seeks.pending else { return nil }
        seeks.pending = nil
        interrupt.resume()
        guard playlist.contains(seek.entry) else {
            complete(seek, false)
            // The dropped seek was to open the first entry or to restart the feed. This now happens without it.
            if playlist.isOpeningSought {
                playlist.pendingOpen = true
                outbox.wake(.feeder)
            } else if feed.isCut || run.audioIsStale && settings.rate > 0 {
                reseek()
                return seeks.pending.map { playlist.contains($0.entry) } == true ? beginSeek() : nil
            }
            return nil
        }
        playlist.isOpeningSought = false
        seeks.running = seek
        return seek
    }

    /// The feeder's current segment and reader.
    struct Reading {
        /// The segment being fed.
        var segment: Segment?
        /// The entry of the open reader; `nil` if a decoded clip or nothing is open.
        var entry: PlaybackEntry?
        /// The tracks of the open reader.
        var selection: TrackSelection?
        /// Whether the reader can read on from its position.
        var canReadOn = true
    }

    /// The pending seek if decoding reaches its target before it reaches the frame of the running one, in the same
    /// entry. While a slider is dragged backward, this is usual.
    var nearerSeek: SeekRequest? {
        guard let running = seeks.running, let pending = seeks.pending, pending.entry === running.entry,
            let segment = timeline.first?.segment, let available = feed.videoStart,
            pending.target >= available, pending.target < segment.mediaStart
        else { return nil }
        return pending
    }

    func situation(of seek: SeekRequest, _ reading: Reading) -> SeekPlan.Situation {
        let old = reading.segment
        let readsIt =
            old?.entry === seek.entry && reading.entry === seek.entry && old?.hasVideo == true && old?.clip == nil
            && seek.entry.loopRange == nil
        let isOnly = timeline.slots.count == 1 && timeline.first?.segment === old && old?.mediaLimit == nil
        let isPaused = settings.rate == 0 && !clock.isRunning
        return SeekPlan.Situation(
            isPaused: isPaused,
            feedsOnlyIt: readsIt && isOnly && reading.selection == seek.entry.selection,
            readsIt: readsIt, isFeeding: !feed.isDone && reading.canReadOn, duration: old?.description.duration,
            videoStart: feed.videoStart,
            audioStart: old?.hasAudio == true ? feed.audioStart : nil,
            targetIsUnloaded: isPaused && readsIt && isUnloaded(seek))
    }

    private func isUnloaded(_ seek: SeekRequest) -> Bool {
        guard let (buffer, entry) = buffering.source, entry === seek.entry else { return false }
        let status = buffer.status(playhead: seek.target)
        return status.ahead == 0 && !status.loaded.contains { $0.contains(seek.target) }
    }

    /// Carries out the running seek by decoding further in `old`.
    ///
    /// - Returns: The segment that continues at `start`.
    mutating func decodeOn(_ seek: SeekRequest, from start: MediaTime, in old: Segment) -> Segment {
        restartSerial(decodesOn: true)
        let segment = Segment(
            index: timeline.newSegmentIndex(), entry: seek.entry, pass: 0,
            loopNumber: seek.loopNumber ?? seek.entry.loopNumber,
            mediaStart: start,
            description: old.description, startOffset: old.startOffset, continuesDecoding: true)
        timeline.append(segment, at: now)
        feed.assign(to: segment)
        report(.timelineChanged)
        return segment
    }

    // MARK: single frames

    /// Completes the running seek with `frame`.
    ///
    /// - Parameter frame: The frame; `nil` if the index has none for the seek.
    /// - Returns: Whether the seek is completed or no longer running.
    mutating func showKeyFrame(_ frame: VideoFrame?, in old: Segment) -> Bool {
        seeks.isScrubbing = false
        guard let seek = seeks.running, !isClosed, !playlist.pendingOpen else { return true }
        guard let frame, let media = MediaTime(frame.presentationTime) else { return false }
        beginSerial()
        let start = now
        let segment = Segment(
            index: timeline.newSegmentIndex(), entry: seek.entry, pass: 0,
            loopNumber: seek.loopNumber ?? seek.entry.loopNumber,
            mediaStart: media,
            description: old.description, startOffset: old.startOffset)
        timeline.append(segment, at: start)
        frames.show(frame, of: segment, media: media, out: start, isFirst: true)
        run.hasFirstFrame = true
        // No audio or packets are available from here on. When playback starts, it seeks to this frame.
        run.audioIsStale = true
        seeks.running = nil
        complete(seek, true)
        report(.readinessChanged)
        report(.timelineChanged)
        wakeDisplays()
        if settings.rate > 0 { reseek() }
        return true
    }

    /// Handles an interrupted wait for a keyframe.
    ///
    /// - Returns: Whether the cause of the interruption remains, so that the seek is over.
    mutating func keyFrameInterrupted() -> Bool {
        seeks.isScrubbing = false
        guard seeks.running != nil else { return true }
        guard seeks.pending != nil || playlist.pendingOpen || isClosed else { return false }
        giveWay()
        return true
    }

    // MARK: failures

    /// Ends the running seek as not completed, in favor of the pending one.
    mutating func giveWay() {
        guard let running = seeks.running else { return }
        seeks.running = nil
        complete(running, false)
    }

    /// Repeats the running seek, or seeks to the current position, after the reader stopped without a reason.
    mutating func readAgain() {
        guard seeks.pending == nil else { return }
        if let running = seeks.running {
            seeks.running = nil
            seeks.pending = running
        } else {
            reseek()
        }
    }

    /// Continues at `time`, because the media that follows in `segment` is no longer available. A running seek
    /// completes at `time`, or is replaced by a pending one.
    mutating func jump(to time: MediaTime, in segment: Segment) {
        feed.isDone = true
        feed.isCut = true
        guard seeks.pending == nil else { return giveWay() }
        seeks.pending = SeekRequest(
            id: seeks.running?.id ?? 0, target: time, toleranceBefore: 0, toleranceAfter: 0, entry: segment.entry,
            isJump: true)
        seeks.running = nil
    }

    /// Reports `entry` as failed, and a pending seek in it as not completed.
    mutating func failed(_ entry: PlaybackEntry, _ error: AVError) {
        report(.failed(entry, error))
        guard let seek = seeks.pending, seek.entry === entry else { return }
        seeks.pending = nil
        interrupt.resume()
        complete(seek, false)
    }

    /// The reason why reading or opening was interrupted, if it did not fail by itself.
    enum Want { case seek, item }

    /// Returns why reading or opening was interrupted; `nil` if it failed by itself. Only seeks request a preemption,
    /// and the feeder resets it when it begins a seek. A preempted reader thus means that a seek is pending.
    ///
    /// - Parameter error: The error of an opening. Only a canceled opening gives way to a seek.
    mutating func wantedInstead(of error: AVError? = nil) -> Want? {
        if isClosed || playlist.pendingOpen || interrupt.isInterrupted { return .item }
        guard interrupt.isPreempted, error.map({ $0.code == .cancelled }) ?? true else { return nil }
        guard seeks.pending != nil else {
            interrupt.resume()
            return nil
        }
        return .seek
    }
}
