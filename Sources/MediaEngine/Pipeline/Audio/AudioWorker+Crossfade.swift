import MediaCore

/// Crossfades: the end of one item and the beginning of the next play together, at equal power (`CrossfadeTail`).
///
/// The audio thread decodes ahead by the length of the fade and holds back the item's end. The end is therefore known
/// to the sample before the next item begins. When the first samples of the next item arrive, the held samples that
/// remain determine where that item begins on the timeline. Usually all of the end remains. If the samples arrive too
/// late, nothing remains, and the items are joined without a gap and without a fade.
///
/// **Video** changes to the next item where the fade begins. There the next item becomes the playing one: the position
/// and the subtitles change to it, so the frames must too.
extension AudioWorker {
    /// The time before the fade at which the worker begins to hold samples back. It allows for the time of decoding and
    /// for rounded durations.
    private static let headStart: MediaTime = 500_000_000
    /// The shortest segment that fades out.
    private static let leastLength: MediaTime = 1_000_000_000

    /// Returns the media time at which `segment` ends according to its container or its part; `nil` if neither is
    /// known.
    private func expectedEnd(_ segment: Segment) -> MediaTime? {
        guard let limit = segment.mediaLimit else { return segment.description.duration }
        return segment.description.duration.map { min($0, limit) } ?? limit
    }

    /// Returns the number of audio frames of the playing segment to hold back; `nil` if no fade follows, or if the end
    /// is not near enough yet.
    private func framesToKeep() -> Int? {
        guard let segment, segment.hasAudio, segment.clip == nil else { return nil }
        let requestedFade = context.state.withLock { state -> MediaTime in
            guard state.playlist.crossfade > 0, state.playlist.wantsMore(after: segment) else { return 0 }
            return state.playlist.crossfade
        }
        guard requestedFade > 0, let end = expectedEnd(segment), end - segment.mediaStart >= AudioWorker.leastLength
        else { return nil }
        let fade = min(requestedFade, (end - segment.mediaStart) / 2)
        let decodedEnd =
            segment.mediaStart + MediaTime(samples: written.framesInSegment + Int64(tail.heldFrames), rate: sampleRate)
        guard decodedEnd >= end - fade - AudioWorker.headStart else { return nil }
        return Int(fade.samples(at: sampleRate))
    }

    /// Processes decoded samples: mixes them with the end of the previous item, holds them back as the end of this one,
    /// or writes them.
    ///
    /// - Parameter mayHold: Whether samples may be held back. If `false`, samples that are not mixed are written at
    ///   once.
    /// - Returns: `false` if a new serial has begun or no output is open.
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
            // No fade is requested any more. The held samples are older and must be written first.
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

    /// Writes the oldest `frames` held audio frames without mixing them.
    ///
    /// - Returns: `false` if a new serial has begun or no output is open.
    @discardableResult
    func release(_ frames: Int) -> Bool {
        var left = min(frames, tail.frames)
        // After the next item has begun, held frames still belong to the previous item.
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

    /// Starts the next item on the timeline when its first samples arrive. The item overlaps the held end of the
    /// previous one, by at most half of its own length.
    ///
    /// - Returns: `false` if a new serial has begun.
    func beginFade() -> Bool {
        guard case .waiting(let end) = tail.stage, let segment else { return true }
        var frames = tail.frames
        if let last = expectedEnd(segment) {
            frames = min(frames, Int(max(0, (last - segment.mediaStart) / 2).samples(at: sampleRate)))
        }
        let start = end - MediaTime(samples: Int64(frames), rate: sampleRate)
        let continues = context.state.withLock { state -> Bool in
            guard !state.isClosed, state.serial == serial, let slot = state.timeline[segment] else { return false }
            if slot.start == nil { state.settle(segment, at: start) }
            return true
        }
        guard continues, release(tail.frames - frames) else { return false }
        if frames > 0 { tail.stage = .mixing(total: frames, done: 0) } else { tail.reset() }
        return true
    }

    /// Returns whether the ring buffer will soon be empty, so that held samples must be written.
    func isNearlyDry(_ clock: PlaybackClock) -> Bool { clock.isRunning && HostTime.now() >= dryTime(clock) }

    /// Returns the host time at which held samples must be written because the ring buffer is almost empty. This is
    /// earlier than the moment at which a late source stops the clock.
    func dryTime(_ clock: PlaybackClock) -> HostTime {
        let left = (writtenTime - Double(clock.now().nanoseconds)) / max(written.speed, 0.01)
        return HostTime.now() + Int64(saturating: left) - (BufferWatch.starvingMargin + 20_000_000)
    }
}
