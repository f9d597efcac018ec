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
        return videoUnits.popFirst()
    }
    mutating func takeAudioUnit() -> UnitQueue.Unit? {
        guard let unit = audioUnits.popFirst() else { return nil }
        outbox.wake(.feeder)
        if case .packet(let packet) = unit, let end = packet.end { audioReach = max(audioReach ?? end, end) }
        return unit
    }

    // MARK: the video thread's waits

    /// A paused player has shown its seek's picture, and the next seek may come at once: somebody drags a slider. It
    /// would have to wait for pictures decoded ahead that nobody wants.
    var isResting: Bool { hasFirstPicture && desiredRate == 0 && host() < restsUntil }

    /// When the video thread, which has no packet or no room, is to look again; nil: when it is woken. Pictures nobody
    /// pulls go by meanwhile as time does, so that a hidden player keeps its place without drawing.
    mutating func letPass() -> HostTime? {
        while clock.isRunning, let due = frames.passing.flatMap({ clock.hostTime(for: $0, after: host()) }) {
            let late = due + PipelineState.passingDelay
            let now = host()
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
        guard canStarve, let segment = playing?.segment, segment.hasVideo, !videoEnded, let newest = frames.newest,
            newest.segment === segment
        else { return nil }
        let length =
            max(segment.description.video?.frameDuration ?? 0, 20_000_000)
            + (segment.hasAudio && !audioEnded ? 100_000_000 : 0)
        guard let due = clock.hostTime(for: newest.out + length, after: host()) else { return nil }
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
        if !hasFirstPicture {
            restsUntil = host() + PipelineState.rest
            firstPictureIsThere()
        } else if !clock.isRunning {
            wakeDisplays()
        }
        return arrival == .inTime ? .placed : .late(isFarBehind: isFarBehind)
    }

    /// The first picture is there, or it is known that there is none: displays need wait no longer.
    mutating func firstPictureIsThere() {
        guard !hasFirstPicture else { return }
        hasFirstPicture = true
        updateRunning()
        // Which looks on while data is missing.
        outbox.wake(.feeder)
        wakeDisplays()
    }
    mutating func firstSoundIsThere() {
        guard !hasFirstSound else { return }
        hasFirstSound = true
        updateRunning()
        outbox.wake(.feeder)
    }

    /// A decoder has given out the last of what there will be.
    mutating func endOfPictures() {
        videoEnded = true
        if let end = timeline.last?.end { clock.setCeiling(end) }
        updateRunning()
    }
    mutating func endOfSound() {
        audioEnded = true
        clock.soundIsComplete()
        if let end = timeline.last?.end { clock.setCeiling(end) }
        updateRunning()
    }

    // MARK: the display's side

    mutating func pull(at host: HostTime) -> PulledFrame? {
        let t = clock.now(host)
        let (picture, madeRoom) = frames.pull(
            at: t, now: self.host(), speed: clock.isRunning ? desiredRate : nil, &statistics)
        if madeRoom { outbox.wake(.video) }
        return picture.map { PulledFrame(frame: $0.frame, sequence: $0.sequence) }
    }

    mutating func didPresent(_ sequence: UInt64, at host: HostTime) {
        guard let picture = frames.presented(sequence, &statistics), clock.isRunning else { return }
        let late = Double((clock.now(host) - picture.out).nanoseconds) / 1e6
        if statistics.offsets.count >= 20_000 { statistics.offsets.removeFirst(10_000) }
        statistics.offsets.append(late)
    }

    var isMoving: Bool { clock.isRunning || frames.isTurning }

    /// Another item's picture is on its way. From the order on, while the picture before still stands: the display asks
    /// this first, and pulls then.
    var isChanging: Bool {
        guard !isClosed, let first = playlist.entries.first, first !== abandoned else { return false }
        return playlist.pendingOpen || !hasFirstPicture && frames.current?.segment.entry !== first
    }

    /// `entry` has failed: no picture of it is waited for.
    mutating func abandon(_ entry: PlaybackEntry) {
        abandoned = entry
        wakeDisplays()
    }
}
