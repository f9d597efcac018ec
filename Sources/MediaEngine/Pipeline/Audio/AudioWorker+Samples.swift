import MediaCore

/// The path of decoded samples: placing them by their timestamps, applying the gain, stretching, and writing to the
/// ring buffer.
extension AudioWorker {
    /// Returns the number of frames between the epoch and `t`.
    func position(of t: TimelineTime) -> Int64 { (t - written.epoch).samples(at: sampleRate) }

    func decode(_ packet: MediaPacket) {
        guard let segment else { return }
        // Before the target of a seek, the decoder needs only a short run-up.
        if let end = packet.end, end < segment.mediaStart - SeekPlan.audioRunUp { return }
        decoder?.decode(packet) { samples, frames, pts in take(samples, frames, pts, segment) }
        checkForMissingOutput(packet, segment)
    }

    /// The longest time by which the output of a decoder may lag behind the packets that it received.
    private static let longestLag: MediaTime = 1_000_000_000
    /// The number of packets and the length of audio after which a working decoder must have returned a sample.
    private static let mostPackets = 64
    private static let longestSilence: MediaTime = 2_000_000_000
    /// The largest difference between the time of samples and their position in the output that is not corrected.
    static let mostJitter: MediaTime = 60_000_000

    /// Plays silence for packets that cannot be decoded. Reports a track of which no packet can be decoded.
    private func checkForMissingOutput(_ packet: MediaPacket, _ segment: Segment) {
        guard let pts = packet.pts.map({ min($0, segment.mediaLimit ?? .max) }) else { return }
        progress.taken += 1
        if progress.isFirstChunk, progress.taken >= AudioWorker.mostPackets,
            pts - segment.mediaStart >= AudioWorker.longestSilence,
            decoder != nil, !segment.entry.hasDecodedAudio
        {
            progress.taken = .min
            let error = nothingDecoded(segment)
            ifCurrent { $0.trackFailed(.audio, of: segment, error) }
        }
        let lag = pts - reached(segment)
        guard output != nil, lag > (decoder == nil ? 0 : AudioWorker.longestLag) else { return }
        push()
        writeSilence(Int(min(lag.samples(at: sampleRate), Int64(sampleRate) * 30)))
    }

    func play(_ clip: DecodedClip, _ segment: Segment) {
        var position = Int(max(0, segment.mediaStart.samples(at: sampleRate) + written.framesInSegment))
        var buffer: [Float] = []
        while true {
            switch clip.copySamples(from: position, frames: 2048, into: &buffer) {
            case .some(0): return
            case .some(let n):
                buffer.withUnsafeMutableBufferPointer {
                    guard let base = $0.baseAddress else { return }
                    tune(base, n, at: Int64(position), segment.description.audio, segment)
                }
                let succeeded = buffer.withUnsafeBufferPointer { p in p.baseAddress.map { put($0, n) } ?? false }
                if !succeeded { return }
                position += n
            case .none:
                let stays: Bool = context.state.wait(.audio) { state in
                    guard !state.isClosed, state.serial == serial else { return .found(false) }
                    return clip.copySamples(from: position, frames: 1, into: &buffer) == nil ? .wait : .found(true)
                }
                if !stays { return }
            }
        }
    }

    /// Places decoded samples on the timeline: cuts samples before the segment's start, fills gaps with silence and
    /// ignores jitter.
    func take(_ samples: UnsafePointer<Float>, _ frames: Int, _ pts: MediaTime?, _ segment: Segment) {
        // Samples after the end of a part are not played, so the gap before them must not be filled with silence.
        if let limit = segment.mediaLimit, let pts, pts >= limit { return }
        // Samples that are skipped count too: the track can be decoded.
        if progress.isFirstChunk { segment.entry.didDecodeAudio() }
        var samples = samples
        var frames = frames
        if let pts {
            let off = pts - reached(segment)
            // Millisecond timestamps are rounded. Within that tolerance, a pass from the start begins with its first
            // sample.
            let tolerance: MediaTime =
                progress.isFirstChunk ? (segment.mediaStart == 0 ? 2_000_000 : 0) : AudioWorker.mostJitter
            if off.magnitude > tolerance {
                let shift = Int(off.samples(at: sampleRate))
                if shift > 0 {
                    push()
                    writeSilence(min(shift, sampleRate * 30))
                } else if -shift >= frames {
                    return
                } else if shift < 0 {
                    samples += -shift * channels
                    frames += shift
                }
            }
        }
        if let limit = segment.mediaLimit {
            let allowed =
                Int((limit - segment.mediaStart).samples(at: sampleRate)) - Int(written.framesInSegment) - held.frames
                - tail.heldFrames
            frames = min(frames, max(0, allowed))
        }
        guard frames > 0 else { return }
        progress.isFirstChunk = false
        push()
        let first =
            segment.mediaStart.samples(at: sampleRate) + written.framesInSegment + Int64(tail.heldFrames)
        held.hold(samples, frames: frames, channels: channels)
        held.change { tune($0, $1, at: first, decoder?.track, segment) }
    }

    /// Applies the gains of the segment's item to samples of `track`.
    ///
    /// - Parameter first: The number of the first frame, counted from media time zero.
    private func tune(
        _ samples: UnsafeMutablePointer<Float>, _ frames: Int, at first: Int64, _ track: AudioTrackDescription?,
        _ segment: Segment
    ) {
        if tuning.entry !== segment.entry { tuning.mix.restart() }
        lead(segment)
        tuning.gain.apply(to: samples, frames: frames, channels: channels)
        // The samples of a composition are already mixed.
        guard let track, segment.entry.options.composition == nil else { return }
        tuning.mix.apply(
            segment.entry.volumes.value.ramps(of: track.trackID), to: samples, from: first, frames, channels: channels,
            rate: sampleRate)
    }

    /// Sets the target of the gain and the length of the transition to it. The gain changes within 0.5 s while an item
    /// plays, and within 10 ms when the item changes. It is immediate after a restart and in a crossfade.
    private func lead(_ segment: Segment) {
        let targetGain = context.loudnessGain(of: segment.entry)
        let transition =
            tuning.entry === segment.entry ? 0.5 : tuning.entry == nil || tail.isWaiting || tail.isMixing ? 0 : 0.01
        tuning.entry = segment.entry
        tuning.gain.lead(to: targetGain, over: Int(transition * Double(sampleRate)))
    }

    /// Passes the held chunk to `put`, cut to `limit` frames.
    func push(limit: Int64 = .max, mayHold: Bool = true) {
        let frames = Int(min(Int64(held.release()), max(0, limit)))
        guard frames > 0 else { return }
        // A second reference to the array: `put` may change `held` while the samples are read.
        let chunk = held.samples
        chunk.withUnsafeBufferPointer { p in
            if let base = p.baseAddress { put(base, frames, mayHold: mayHold) }
        }
    }

    func writeSilence(_ frames: Int, mayHold: Bool = true) {
        let chunk = 1024
        if silence.count < chunk * channels { silence = [Float](repeating: 0, count: chunk * channels) }
        let quiet = silence
        var left = frames
        while left > 0 {
            let n = min(left, chunk)
            let succeeded = quiet.withUnsafeBufferPointer { p in
                p.baseAddress.map { put($0, n, mayHold: mayHold) } ?? false
            }
            guard succeeded else { return }
            left -= n
        }
    }

    // MARK: into the ring

    /// Writes samples to the ring buffer through the time stretcher. Blocks until the ring has space.
    ///
    /// - Returns: `false` if a new serial has begun or no output is open.
    @discardableResult
    func write(_ samples: UnsafePointer<Float>, _ frames: Int) -> Bool {
        guard let stretcher, output != nil else { return false }
        followSpeed()
        var succeeded = true
        stretcher.process(samples, frames: frames) { p, n in succeeded = succeeded && ring(p, n) }
        written.take(frames)
        return succeeded
    }

    /// Applies a new playback speed from the next sample on.
    private func followSpeed() {
        let newSpeed = context.state.withLock { $0.settings.speed }
        guard newSpeed != written.speed, let stretcher, let output else { return }
        let anchorTime = writtenTime
        // At a speed at which the audio is silent, the clock still follows the written frames.
        stretcher.setSpeed(newSpeed)
        written.follow(newSpeed, at: sampleRate)
        ifCurrent { $0.clock.anchor(frame: output.writtenFrames, time: anchorTime, speed: newSpeed) }
    }

    func ring(_ samples: UnsafePointer<Float>, _ frames: Int) -> Bool {
        guard let output else { return false }
        let rate = Double(sampleRate)
        var done = 0
        while done < frames {
            guard isCurrent else { return false }
            let n = output.write(samples + done * channels, frames: frames - done)
            done += n
            written.ring(n, at: sampleRate)
            if done < frames {
                // A full ring buffer counts as ready, even if it holds less than 80 ms.
                audioIsReady()
                output.waitForSpace(frames: min(frames - done, 256))
            }
        }
        if Double(written.frames) > rate * 0.08 { audioIsReady() }
        return true
    }
}
