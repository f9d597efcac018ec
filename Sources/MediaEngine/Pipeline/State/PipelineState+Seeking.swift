import MediaCore

/// Seeking. Every seek is a new `serial`: whoever meets a serial that is not his drops what he has and starts anew, so
/// nothing old is ever shown after a seek, and no thread has to be stopped for one. Seeks that arrive while one runs
/// are coalesced: the newest is carried out when the running one has shown its picture, the others are answered
/// `completed: false`. How one is carried out is decided by `SeekPlan`.
extension PipelineState {
    mutating func seek(_ seek: SeekRequest) {
        guard !isClosed, playlist.contains(seek.entry) else { return answer(seek, false) }
        if let waiting = seeks.pending { answer(waiting, false) }
        // Who goes elsewhere than in a loop has left the part that was repeated.
        if !seek.entry.loops { seek.entry.loopRange = nil }
        ask(seek)
    }

    mutating func answer(_ seek: SeekRequest, _ completed: Bool) {
        if seek.id != 0 { tell(.seekFinished(id: seek.id, completed: completed)) }
    }

    /// None of them comes to its end.
    mutating func answerSeeks() {
        if let seek = seeks.pending { answer(seek, false) }
        if let seek = seeks.running { answer(seek, false) }
        seeks.pending = nil
        seeks.running = nil
    }

    private mutating func ask(_ seek: SeekRequest) {
        seeks.pending = seek
        breakOffJoin()
        if buffering.source != nil { preemptReader() }
        outbox.wake(.feeder)
    }

    /// An exact seek to where we are.
    mutating func reseek() {
        let t = now
        guard let place = timeline.playing(at: t), seeks.pending == nil else { return }
        let segment = place.segment
        ask(.exact(place.mediaTime(at: t), in: segment.entry, holdsAtEnd: segment.holdsAtEnd))
    }

    // MARK: begun by the feeder

    /// The one that waits is under way from now on; nil where its entry is not to be played any more.
    mutating func beginSeek() -> SeekRequest? {
        guard seeks.running == nil, let seek = seeks.pending else { return nil }
        seeks.pending = nil
        interrupt.resume()
        guard playlist.contains(seek.entry) else {
            answer(seek, false)
            // What was left to it, or gave way to it, is taken up.
            if playlist.isOpeningSought {
                playlist.pendingOpen = true
                outbox.wake(.feeder)
            } else if feed.isCut || run.soundIsStale && settings.rate > 0 {
                reseek()
                return seeks.pending.map { playlist.contains($0.entry) } == true ? beginSeek() : nil
            }
            return nil
        }
        playlist.isOpeningSought = false
        seeks.running = seek
        return seek
    }

    /// What the feeder is at.
    struct Reading {
        /// What is being fed.
        var segment: Segment?
        /// Whose packets are read, by which choice of tracks; nil: a decoded clip, or nothing.
        var entry: PlaybackEntry?
        var selection: TrackSelection?
    }

    func situation(of seek: SeekRequest, _ reading: Reading) -> SeekPlan.Situation {
        let old = reading.segment
        let readsIt =
            old?.entry === seek.entry && reading.entry === seek.entry && old?.hasVideo == true && old?.clip == nil
            && seek.entry.loopRange == nil
        let isOnly = timeline.places.count == 1 && timeline.first?.segment === old && old?.mediaLimit == nil
        let stands = settings.rate == 0 && !clock.isRunning
        return SeekPlan.Situation(
            stands: stands,
            feedsOnlyIt: readsIt && isOnly && reading.selection == seek.entry.selection,
            readsIt: readsIt, goesOn: !feed.isDone, duration: old?.description.duration, videoReach: feed.videoReach,
            audioReach: old?.hasAudio == true ? feed.audioReach : nil,
            targetIsAway: stands && readsIt && isAway(seek))
    }

    private func isAway(_ seek: SeekRequest) -> Bool {
        guard let (buffer, entry) = buffering.source, entry === seek.entry else { return false }
        let status = buffer.status(playhead: seek.target)
        return status.ahead == 0 && !status.loaded.contains { $0.contains(seek.target) }
    }

    /// Carries out the running seek by decoding on in `old`. - Returns: the segment that goes on from there.
    mutating func decodeOn(_ seek: SeekRequest, from start: MediaTime, in old: Segment) -> Segment {
        restartSerial(decodesOn: true)
        let segment = Segment(
            index: timeline.newSegmentIndex(), entry: seek.entry, pass: 0, round: seek.entry.round, mediaStart: start,
            description: old.description, startOffset: old.startOffset, continuesDecoding: true)
        timeline.append(segment, at: now)
        feed.goOn(in: segment)
        tell(.timelineChanged)
        return segment
    }

    // MARK: a single picture

    /// `picture` answers the running seek; nil: there is none. - Returns: whether the seek is answered, or called away.
    mutating func showKeyPicture(_ picture: VideoFrame?, in old: Segment) -> Bool {
        seeks.isScrubbing = false
        guard let seek = seeks.running, !isClosed, !playlist.pendingOpen else { return true }
        guard let picture, let media = MediaTime(picture.presentationTime) else { return false }
        beginSerial()
        let start = now
        let segment = Segment(
            index: timeline.newSegmentIndex(), entry: seek.entry, pass: 0, round: seek.entry.round, mediaStart: media,
            description: old.description, startOffset: old.startOffset)
        timeline.append(segment, at: start)
        frames.stand(picture, of: segment, media: media, out: start, isFirst: true)
        run.hasFirstPicture = true
        // Nothing is there to play from here: playing on seeks to where the picture stands.
        run.soundIsStale = true
        seeks.running = nil
        answer(seek, true)
        tell(.readinessChanged)
        tell(.timelineChanged)
        wakeDisplays()
        if settings.rate > 0 { reseek() }
        return true
    }

    /// The picture was not waited for. - Returns: whether that was for a cause that is still there, so that the seek is
    /// over.
    mutating func keyPictureBrokeOff() -> Bool {
        seeks.isScrubbing = false
        guard seeks.running != nil else { return true }
        guard seeks.pending != nil || playlist.pendingOpen || isClosed else { return false }
        giveWay()
        return true
    }

    // MARK: what goes wrong

    /// A seek that is under way gives way to the one that waits.
    mutating func giveWay() {
        guard let running = seeks.running else { return }
        seeks.running = nil
        answer(running, false)
    }

    /// The reader broke off for nothing: where we are, or on our way to, is sought once more.
    mutating func readAgain() {
        guard seeks.pending == nil else { return }
        if let running = seeks.running {
            seeks.running = nil
            seeks.pending = running
        } else {
            reseek()
        }
    }

    /// What comes next of `segment` is gone: playing goes on at `time`. What a seek under way was going to show is gone
    /// too: it ends where the jump does, or gives way to a newer one.
    mutating func jump(to time: MediaTime, in segment: Segment) {
        feed.isDone = true
        feed.isCut = true
        guard seeks.pending == nil else { return giveWay() }
        seeks.pending = SeekRequest(
            id: seeks.running?.id ?? 0, target: time, toleranceBefore: 0, toleranceAfter: 0, entry: segment.entry,
            isJump: true)
        seeks.running = nil
    }

    /// `entry` cannot be played. Seeks in it would fail as it did.
    mutating func failed(_ entry: PlaybackEntry, _ error: AVError) {
        tell(.failed(entry, error))
        guard let seek = seeks.pending, seek.entry === entry else { return }
        seeks.pending = nil
        interrupt.resume()
        answer(seek, false)
    }

    /// What made reading or opening break off, if it did not fail by itself.
    enum Want { case seek, item }

    /// A preemption is set by seeks and taken back by the feeder alone, when it begins one: while it stands, one waits.
    /// - Parameter error: of an opening; only one that was given up gives way to a seek.
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
