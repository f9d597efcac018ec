import MediaCore

/// Items that overlap: the end of one and the beginning of the next sound together, at equal power (`CrossfadeTail`).
///
/// The audio thread decodes ahead by the length of the fade and keeps the item's end back; its end is then known to the
/// sample before the next begins. Where the next one begins on the timeline is decided by what is left of that end when
/// its first samples are there: all of it as a rule, nothing if it came too late, and then it is the join without a
/// gap.
///
/// **The picture** is cut where the fade begins, for there the next item becomes the one that plays: its time is told,
/// its subtitles are shown, and a picture must be that time's.
extension PlaybackPipeline {
    static let longestCrossfade: MediaTime = 12_000_000_000
    /// So much earlier than it need be the end is held back: decoding ahead takes its time, and durations are rounded.
    private static let headStart: MediaTime = 500_000_000
    /// What is shorter does not fade.
    private static let leastLength: MediaTime = 1_000_000_000

    /// - Parameter length: 0: items are joined without a gap. Of a fade under way nothing changes.
    func setCrossfade(_ length: MediaTime) {
        monitor.withLock {
            guard length != crossfade else { return }
            crossfade = length
            // A decoded clip has no end to hold back.
            if length > 0, timeline.contains(where: { $0.clip != nil }) { reseek() }
            feederCondition.broadcast()
        }
    }

    /// Where `segment` ends as far as its container tells, media time.
    private func expectedEnd(_ segment: Segment) -> MediaTime? {
        guard let limit = segment.mediaLimit else { return segment.description.duration }
        return segment.description.duration.map { min($0, limit) } ?? limit
    }

    /// How many frames are to be kept back of what plays now; nil: none (yet).
    private func held(_ work: AudioWork) -> Int? {
        guard let segment = work.segment, segment.hasAudio, segment.clip == nil else { return nil }
        let wanted = monitor.withLock { wantsMore(after: segment) ? crossfade : 0 }
        guard wanted > 0, let end = expectedEnd(segment), end - segment.mediaStart >= PlaybackPipeline.leastLength
        else { return nil }
        let fade = min(wanted, (end - segment.mediaStart) / 2)
        let here =
            segment.mediaStart
            + MediaTime(samples: work.framesInSegment + Int64(work.tail.heldFrames), rate: work.sampleRate)
        guard here >= end - fade - PlaybackPipeline.headStart else { return nil }
        return Int(fade.samples(at: work.sampleRate))
    }

    /// Samples on their way to the ring: mixed with the end of the item before, kept back as the end of this one, or
    /// neither. False when the serial is over.
    /// - Parameter mayHold: false: what is not mixed goes straight on.
    @discardableResult
    func put(_ samples: UnsafePointer<Float>, _ frames: Int, _ work: AudioWork, mayHold: Bool = true) -> Bool {
        if work.tail.isWaiting { guard beginFade(work) else { return false } }
        var samples = samples
        var frames = frames
        while work.tail.isMixing, frames > 0 {
            let n = work.tail.mix(samples, frames: min(frames, 2048), into: &work.mixed)
            guard n > 0 else {
                work.tail.reset()
                break
            }
            guard writeMixed(n, work) else { return false }
            samples += n * work.channels
            frames -= n
        }
        guard frames > 0 else { return true }
        guard mayHold, let most = held(work) else {
            // No longer wanted: what was kept back goes first.
            if work.tail.stage == .holding {
                guard release(work.tail.frames, work) else { return false }
                work.tail.reset()
            }
            return write(samples, frames, work)
        }
        work.tail.append(samples, frames: frames, channels: work.channels, upTo: most)
        work.tail.stage = .holding
        guard release(max(0, work.tail.frames - most), work) else { return false }
        while isNearlyDry(work), !work.tail.isEmpty { guard release(1024, work) else { return false } }
        return true
    }

    private func writeMixed(_ frames: Int, _ work: AudioWork) -> Bool {
        work.mixed.withUnsafeBufferPointer { p in p.baseAddress.map { write($0, frames, work) } ?? false }
    }

    /// Lets go of the oldest frames kept back, as they are. False when the serial is over.
    @discardableResult
    func release(_ frames: Int, _ work: AudioWork) -> Bool {
        var left = min(frames, work.tail.frames)
        // They are the item's before, once the next one has begun.
        let counted = work.framesInSegment
        let isOthers = work.tail.isWaiting
        while left > 0 {
            let n = work.tail.take(min(left, 2048), into: &work.mixed)
            guard n > 0, writeMixed(n, work) else { return false }
            left -= n
        }
        if isOthers { work.framesInSegment = counted }
        return true
    }

    /// The next item's first samples are there: it begins so far before the end of the one before as there is left of
    /// that.
    func beginFade(_ work: AudioWork) -> Bool {
        guard case .waiting(let end) = work.tail.stage, let segment = work.segment else { return true }
        var frames = work.tail.frames
        if let last = expectedEnd(segment) {
            frames = min(frames, Int(max(0, (last - segment.mediaStart) / 2).samples(at: work.sampleRate)))
        }
        let start = end - MediaTime(samples: Int64(frames), rate: work.sampleRate)
        let goesOn = monitor.withLock { () -> Bool in
            guard !isClosed, serial == work.serial else { return false }
            if segment.outStart == nil { settle(segment, at: start) }
            return true
        }
        guard goesOn, release(work.tail.frames - frames, work) else { return false }
        if frames > 0 { work.tail.stage = .mixing(total: frames, done: 0) } else { work.tail.reset() }
        return true
    }

    /// `segment` begins at `start`, and the pictures of the one before end there. With the monitor locked.
    private func settle(_ segment: Segment, at start: TimelineTime) {
        segment.outStart = start
        if let index = timeline.firstIndex(where: { $0 === segment }), index > 0 {
            timeline[index - 1].pictureEnd = start
        }
        // Those decoded ahead, too.
        frames.cut(at: start, before: segment)
        if !segment.hasAudio, let videoEnd = segment.packetVideoEnd { resolve(segment, mediaEnd: videoEnd) }
        videoCondition.broadcast()
        audioCondition.broadcast()
        onEvent(.timelineChanged)
    }

    /// Something is kept back, and would be missing soon. Any thread that reads `work`.
    func isNearlyDry(_ work: AudioWork) -> Bool { clock.isRunning && HostTime.now() >= dryTime(work) }

    /// Host time at which the ring has so little left that it is time to let go of what is kept back: earlier than a
    /// source that does not keep up stops time.
    func dryTime(_ work: AudioWork) -> HostTime {
        let written = work.stretchedTime ?? Double(work.epoch.nanoseconds) + Double(work.framesIn) / work.rate * 1e9
        let left = (written - Double(clock.now().nanoseconds)) / max(work.speed, 0.01)
        return HostTime.now() + Int64(saturating: left) - (PlaybackPipeline.starvingMargin + 20_000_000)
    }
}
