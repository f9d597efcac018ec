import MediaCore

/// Pictures on their way from the decoder to a display (`FrameQueue`), and the video thread's waits.
extension PipelineState {
    /// A paused player that has shown its picture decodes nothing more for so long, nanoseconds.
    static let rest: Int64 = 50_000_000
    /// Pictures that nobody pulls go by so long after their time, nanoseconds.
    private static let passingDelay: Int64 = 100_000_000

    /// The next unit for the video thread; nil: none.
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

    /// A paused player has shown its seek's picture, and the next seek may come at once: somebody drags a slider. It
    /// would have to wait for pictures decoded ahead that nobody wants.
    var isResting: Bool { run.hasFirstPicture && settings.rate == 0 && clock.host() < frames.restsUntil }

    /// When the video thread, which has no packet or no room, is to look again; nil: when it is woken. Pictures nobody
    /// pulls go by meanwhile as time does, so that a hidden player keeps its place without drawing.
    mutating func letPass() -> HostTime? {
        while clock.isRunning, let due = frames.passing.flatMap({ clock.hostTime(for: $0) }) {
            let late = due + PipelineState.passingDelay
            let now = clock.host()
            guard now >= late else { return late }
            guard frames.advance(to: self.now, &statistics) else { return now + 5_000_000 }
            outbox.wake(.video)
        }
        return nil
    }

    /// The video thread has no packet: when the last picture has stood its time, time stops. Where there is sound it
    /// may stand a little longer, as sound that comes late shows itself. - Returns: when to look again; nil when
    /// nothing of a remote source is missing.
    mutating func waitForPackets() -> HostTime? {
        if let time = lookWhileWaitingForData() { return time }
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

    /// There is room for a picture of `segment`, and a time for it.
    func hasRoom(forPictureOf segment: Segment) -> Bool { timeline[segment]?.start != nil && !frames.isFull }

    /// What became of a decoded picture.
    enum Placing: Equatable {
        case placed
        /// It comes after its time. `isFarBehind`: the decoder should leave out what nobody needs.
        case late(isFarBehind: Bool)
        /// The next segment's first picture takes over before it. `isOver`: no more of this one's are wanted.
        case beyondEnd(isOver: Bool)
    }

    /// Puts a picture at the end of the queue.
    mutating func place(_ frame: VideoFrame, media: MediaTime, of segment: Segment) -> Placing {
        guard let place = timeline[segment], let start = place.start else { return .beyondEnd(isOver: false) }
        // Beyond the seam (sound is a little shorter): the next pass's first picture takes over.
        let out = max(start, segment.timelineTime(of: media, from: start))
        if let end = place.pictureEnd ?? place.end, out >= end, media > segment.mediaStart {
            return .beyondEnd(isOver: place.pictureEnd != nil)
        }
        let (arrival, isFarBehind) = frames.arrival(due: out, now: now, isRunning: clock.isRunning)
        if arrival == .tooLate {
            frames.leftOut()
            return .late(isFarBehind: isFarBehind)
        }
        frames.append(frame, of: segment, media: media, out: out)
        if !run.hasFirstPicture {
            frames.restsUntil = clock.host() + PipelineState.rest
            firstPictureIsThere()
        } else if !clock.isRunning {
            wakeDisplays()
        }
        return arrival == .inTime ? .placed : .late(isFarBehind: isFarBehind)
    }

    /// The first picture is there, or it is known that there is none: displays need wait no longer.
    mutating func firstPictureIsThere() {
        guard !run.hasFirstPicture else { return }
        run.hasFirstPicture = true
        updateRunning()
        // Which looks on while data is missing.
        outbox.wake(.feeder)
        wakeDisplays()
    }
    mutating func firstSoundIsThere() {
        guard !run.hasFirstSound else { return }
        run.hasFirstSound = true
        updateRunning()
        outbox.wake(.feeder)
    }

    /// A decoder has given out the last of what there will be.
    mutating func endOfPictures() {
        run.videoEnded = true
        if let end = timeline.last?.end { clock.setCeiling(end) }
        updateRunning()
    }
    mutating func endOfSound() {
        run.audioEnded = true
        clock.soundIsComplete()
        if let end = timeline.last?.end { clock.setCeiling(end) }
        updateRunning()
    }

    // MARK: the display's side

    mutating func tick(at host: HostTime, presented: PresentedFrame?) -> DisplayTick {
        if let presented { didPresent(presented.sequence, at: presented.time) }
        let (isMoving, isChanging) = (isMoving, isChanging)
        let pulled = pull(at: host)
        // After the frame: the position is never before the frame's.
        return DisplayTick(
            isMoving: isMoving, isChanging: isChanging, pulled: pulled, position: position(at: clock.host()))
    }

    mutating func pull(at host: HostTime) -> PulledFrame? {
        let t = clock.now(at: host)
        let (picture, madeRoom) = frames.pull(
            at: t, now: clock.host(), speed: clock.isRunning ? settings.rate : nil, &statistics)
        if madeRoom { outbox.wake(.video) }
        return picture.map { PulledFrame(frame: $0.frame, sequence: $0.sequence) }
    }

    mutating func didPresent(_ sequence: UInt64, at host: HostTime) {
        guard let picture = frames.presented(sequence, &statistics), clock.isRunning else { return }
        // Later frames may have been placed since: time as it was, not as it has been told.
        let late = Double((clock.time(at: host) - picture.out).nanoseconds) / 1e6
        if statistics.offsets.count >= 20_000 { statistics.offsets.removeFirst(10_000) }
        statistics.offsets.append(late)
    }

    var isMoving: Bool { clock.isRunning || frames.isTurning }

    /// Another item's picture is on its way. From the order on, while the picture before still stands: the display asks
    /// this first, and pulls then.
    var isChanging: Bool {
        guard !isClosed, let first = playlist.entries.first, first !== playlist.abandoned else { return false }
        return playlist.pendingOpen || !run.hasFirstPicture && frames.current?.segment.entry !== first
    }

    /// `entry` has failed: no picture of it is waited for.
    mutating func abandon(_ entry: PlaybackEntry) {
        playlist.abandoned = entry
        wakeDisplays()
    }
}
