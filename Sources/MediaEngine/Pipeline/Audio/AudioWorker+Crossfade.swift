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
extension AudioWorker {
    /// So much earlier than it need be the end is held back: decoding ahead takes its time, and durations are rounded.
    private static let headStart: MediaTime = 500_000_000
    /// What is shorter does not fade.
    private static let leastLength: MediaTime = 1_000_000_000

    /// Where `segment` ends as far as its container tells, media time.
    private func expectedEnd(_ segment: Segment) -> MediaTime? {
        guard let limit = segment.mediaLimit else { return segment.description.duration }
        return segment.description.duration.map { min($0, limit) } ?? limit
    }

    /// How many frames are to be kept back of what plays now; nil: none (yet).
    private func framesToKeep() -> Int? {
        guard let segment, segment.hasAudio, segment.clip == nil else { return nil }
        let wanted = context.state.withLock { state -> MediaTime in
            guard state.playlist.crossfade > 0, state.playlist.wantsMore(after: segment) else { return 0 }
            return state.playlist.crossfade
        }
        guard wanted > 0, let end = expectedEnd(segment), end - segment.mediaStart >= AudioWorker.leastLength
        else { return nil }
        let fade = min(wanted, (end - segment.mediaStart) / 2)
        let here =
            segment.mediaStart + MediaTime(samples: written.framesInSegment + Int64(tail.heldFrames), rate: sampleRate)
        guard here >= end - fade - AudioWorker.headStart else { return nil }
        return Int(fade.samples(at: sampleRate))
    }

    /// Samples on their way to the ring: mixed with the end of the item before, kept back as the end of this one, or
    /// neither. False when the serial is over.
    /// - Parameter mayHold: false: what is not mixed goes straight on.
    @discardableResult
    func put(_ samples: UnsafePointer<Float>, _ frames: Int, mayHold: Bool = true) -> Bool {
        if tail.isWaiting { guard beginFade() else { return false } }
        var samples = samples
        var frames = frames
        while tail.isMixing, frames > 0 {
            let n = tail.mix(samples, frames: min(frames, 2048), into: &mixed)
            guard n > 0 else {
                tail.reset()
                break
            }
            guard writeMixed(n) else { return false }
            samples += n * channels
            frames -= n
        }
        guard frames > 0 else { return true }
        guard mayHold, let most = framesToKeep() else {
            // No longer wanted: what was kept back goes first.
            if tail.stage == .holding {
                guard release(tail.frames) else { return false }
                tail.reset()
            }
            return write(samples, frames)
        }
        tail.append(samples, frames: frames, channels: channels, upTo: most)
        tail.stage = .holding
        guard release(max(0, tail.frames - most)) else { return false }
        while !tail.isEmpty, context.state.withLock({ isNearlyDry($0.clock) }) {
            guard release(1024) else { return false }
        }
        return true
    }

    private func writeMixed(_ frames: Int) -> Bool {
        let chunk = mixed
        return chunk.withUnsafeBufferPointer { p in p.baseAddress.map { write($0, frames) } ?? false }
    }

    /// Lets go of the oldest frames kept back, as they are. False when the serial is over.
    @discardableResult
    func release(_ frames: Int) -> Bool {
        var left = min(frames, tail.frames)
        // They are the item's before, once the next one has begun.
        let counted = written.framesInSegment
        let isOthers = tail.isWaiting
        while left > 0 {
            let n = tail.take(min(left, 2048), into: &mixed)
            guard n > 0, writeMixed(n) else { return false }
            left -= n
        }
        if isOthers { written.framesInSegment = counted }
        return true
    }

    /// The next item's first samples are there: it begins so far before the end of the one before as there is left of
    /// that.
    func beginFade() -> Bool {
        guard case .waiting(let end) = tail.stage, let segment else { return true }
        var frames = tail.frames
        if let last = expectedEnd(segment) {
            frames = min(frames, Int(max(0, (last - segment.mediaStart) / 2).samples(at: sampleRate)))
        }
        let start = end - MediaTime(samples: Int64(frames), rate: sampleRate)
        let goesOn = context.state.withLock { state -> Bool in
            guard !state.isClosed, state.serial == serial, let place = state.timeline[segment] else { return false }
            if place.start == nil { state.settle(segment, at: start) }
            return true
        }
        guard goesOn, release(tail.frames - frames) else { return false }
        if frames > 0 { tail.stage = .mixing(total: frames, done: 0) } else { tail.reset() }
        return true
    }

    /// Something is kept back, and would be missing soon.
    func isNearlyDry(_ clock: PlaybackClock) -> Bool { clock.isRunning && HostTime.now() >= dryTime(clock) }

    /// Host time at which the ring has so little left that it is time to let go of what is kept back: earlier than a
    /// source that does not keep up stops time.
    func dryTime(_ clock: PlaybackClock) -> HostTime {
        let left = (writtenTime - Double(clock.now().nanoseconds)) / max(written.speed, 0.01)
        return HostTime.now() + Int64(saturating: left) - (BufferWatch.starvingMargin + 20_000_000)
    }
}
