import Foundation
import MediaCore

/// The audio thread: packets (or a clip's samples) through the time stretcher into the device's ring.
///
/// Counts what it writes, so it knows to the sample where it is on the timeline; a pass is padded or cut
/// to end exactly where the next begins (`PassEnd`).
extension PlaybackPipeline {
    /// What only the audio thread touches.
    final class AudioWork {
        var serial = -1
        var segment: Segment?
        var decoder: AudioDecoder?
        var decoderEntry: PlaybackEntry?
        var output: AudioOutput?
        var stretcher: TimeStretcher?
        /// Timeline time of the first frame of this serial, and frames (before stretching) since.
        var epoch = TimelineTime.zero
        var framesIn: Int64 = 0
        /// Frames of the current segment, before stretching.
        var framesInSegment: Int64 = 0
        /// Timeline time of the next frame into the ring, when stretched; nil: follows from `framesIn`.
        var stretchedTime: Double?
        var speed: Double = 1
        var silenceDebt = 0.0
        /// The newest chunk is held back: the end of the pass may cut it.
        var held: [Float] = []
        var heldFrames = 0
        var isFirstChunk = true
        var silence: [Float] = []
        /// The gain of the item that plays, and whose it is.
        var gain = ItemGain()
        var tuned: PlaybackEntry?
        /// What is kept back of its end (PipelineCrossfade.swift), and room to mix it in.
        var tail = CrossfadeTail()
        var mixed: [Float] = []

        var sampleRate: Int { output?.format.sampleRate ?? 48_000 }
        var rate: Double { Double(sampleRate) }
        /// Media time of the sample after those counted.
        func reached(_ segment: Segment) -> MediaTime {
            segment.mediaStart
                + MediaTime(samples: framesInSegment + Int64(heldFrames + tail.heldFrames), rate: sampleRate)
        }
        var channels: Int { output?.format.channelCount ?? 1 }
    }

    func audioMain() {
        let work = AudioWork()
        while true {
            monitor.lock()
            while !isClosed, serial == work.serial, audioUnits.isEmpty, !isFillingSilence(work), !isReleasing(work) {
                waitForSound(work)
            }
            if isClosed {
                monitor.unlock()
                return
            }
            if serial != work.serial {
                work.serial = serial
                monitor.unlock()
                reset(work)
                continue
            }
            let unit = audioUnits.popFirst()
            if unit != nil { feederCondition.signal() }
            if case .packet(let packet) = unit { audioReach = max(audioReach, packet.end ?? .min) }
            monitor.unlock()
            switch unit {
            case .start(let segment): startAudio(segment, work)
            case .packet(let packet): decode(packet, work)
            case .audioTrack(let track): changeAudio(track, work)
            case .end(let segment):
                endAudio(segment, work)
                monitor.withLock {
                    guard serial == work.serial else { return }
                    segment.soundIsOver = true
                    reportNothing(segment)
                }
            case .videoTrack: continue
            case .endOfStream: endOfSound(work)
            case nil:
                if work.tail.isEmpty || work.tail.isMixing { writeSilence(1024, work) } else { release(1024, work) }
            }
        }
    }

    /// An item without sound in a player that has a sound stream: silence keeps the clock going.
    private func isFillingSilence(_ work: AudioWork) -> Bool {
        guard let segment = work.segment, work.output != nil, !audioEnded else { return false }
        return !segment.hasAudio && segment.outStart != nil
    }

    /// What is kept back for the next item has to go: the ring would run dry.
    private func isReleasing(_ work: AudioWork) -> Bool {
        !work.tail.isEmpty && !work.tail.isMixing && isNearlyDry(work)
    }

    private func reset(_ work: AudioWork) {
        work.output?.flush()
        work.output?.setDraining(false)
        work.stretcher?.reset()
        work.decoder?.flush()
        work.segment = nil
        work.framesIn = 0
        work.framesInSegment = 0
        work.stretchedTime = nil
        work.silenceDebt = 0
        work.heldFrames = 0
        work.speed = 1
        work.tail.reset()
        work.tuned = nil
    }

    // MARK: a segment begins

    private func startAudio(_ segment: Segment, _ work: AudioWork) {
        // Where it begins is decided when its sound is there.
        if work.tail.isWaiting { return startFading(segment, work) }
        guard waitForStart(segment, work), let outStart = monitor.withLock({ segment.outStart }) else { return }
        let isFirst = work.segment == nil
        work.segment = segment
        work.framesInSegment = 0
        work.isFirstChunk = true

        guard segment.hasAudio else {
            if isFirst {
                closeOutput(work)
                soundIsReady(work)
            }
            return
        }
        if work.output == nil || isFirst {
            guard openOutput(segment, work, at: isFirst ? outStart : clock.now(), isFirst: isFirst) else { return }
        }
        // Where the ring stands against where this segment begins: equal after a pass with sound.
        let ahead = position(of: outStart, work) - work.framesIn
        if ahead > 0 { writeSilence(Int(ahead), work, mayHold: false) }
        // That was before its beginning.
        work.framesInSegment = 0

        openAudio(segment, work)
    }

    /// The end of the item before is kept back for it.
    private func startFading(_ segment: Segment, _ work: AudioWork) {
        work.segment = segment
        work.framesInSegment = 0
        work.isFirstChunk = true
        if segment.hasAudio { openAudio(segment, work) }
        // No sound will come that it could wait for.
        if !segment.hasAudio || segment.clip == nil && work.decoder == nil { _ = beginFade(work) }
    }

    private func openAudio(_ segment: Segment, _ work: AudioWork) {
        if let clip = segment.clip {
            guard clip.format == work.output?.format else {
                // Of another format than what plays: it is read like any file.
                return monitor.withLock {
                    segment.entry.refusesClip = true
                    reseek()
                }
            }
            return play(clip, segment, work)
        }
        guard let track = segment.description.audio, let output = work.output else { return }
        if let decoder = work.decoder, work.decoderEntry === segment.entry,
            decoder.track.parameters === track.parameters, decoder.format == output.format
        {
            decoder.flush()
        } else {
            work.decoder = nil
            do {
                work.decoder = try AudioDecoder(
                    track: track, format: output.format, startOffset: segment.startOffset,
                    location: segment.entry.url.location)
                work.decoderEntry = segment.entry
            } catch {
                // Video plays on in silence; an item of sound alone has nothing left.
                if !segment.hasVideo { onEvent(.failed(segment.entry, error)) }
            }
        }
    }

    /// A stream goes on in another coding. One that only differs in bit rate keeps its decoder, whose memory of the
    /// sound before (AAC's overlap) makes the join inaudible.
    private func changeAudio(_ track: AudioTrackDescription, _ work: AudioWork) {
        guard let segment = work.segment, let output = work.output, let old = work.decoder else { return }
        if old.track.parameters.codes(sameAs: track.parameters) { return }
        old.decode(nil) { [self] samples, frames, pts in take(samples, frames, pts, segment, work) }
        do {
            work.decoder = try AudioDecoder(
                track: track, format: output.format, startOffset: segment.startOffset,
                location: segment.entry.url.location)
        } catch {
            work.decoder = nil
            if !segment.hasVideo { onEvent(.failed(segment.entry, error)) }
        }
    }

    /// Waits for a packet or news. While a remote source gives none, only until what is in the ring is nearly
    /// heard: then time stops, before the device runs dry. With the monitor locked.
    private func waitForSound(_ work: AudioWork) {
        if isStarved { return waitStarved(on: audioCondition) }
        if !work.tail.isEmpty, !work.tail.isMixing, clock.isRunning { return audioCondition.wait(until: dryTime(work)) }
        guard canStarve, let segment = work.segment, segment.hasAudio, !audioEnded, work.output != nil else {
            return audioCondition.wait()
        }
        let written = work.stretchedTime ?? Double(work.epoch.nanoseconds) + Double(work.framesIn) / work.rate * 1e9
        let left = (written - Double(clock.now().nanoseconds)) / max(speed, 0.01)
        let due = HostTime.now() + Int64(saturating: left) - PlaybackPipeline.starvingMargin
        wait(on: audioCondition, starvingAt: due)
    }

    /// Waits until the segment before knows its end. Only a pass without sound makes us wait.
    private func waitForStart(_ segment: Segment, _ work: AudioWork) -> Bool {
        monitor.withLock {
            while !isClosed, serial == work.serial, segment.outStart == nil { audioCondition.wait() }
            return !isClosed && serial == work.serial
        }
    }

    private func openOutput(_ segment: Segment, _ work: AudioWork, at t: TimelineTime, isFirst: Bool) -> Bool {
        let wanted: AudioFormat
        if let clip = segment.clip, let format = clip.format {
            wanted = format
        } else if let track = segment.description.audio {
            wanted = audioDevice().preferredFormat(channelMask: track.channelMask, sampleRate: track.sampleRate)
        } else {
            return false
        }
        if let output = work.output, output.format != wanted { closeOutput(work) }
        if work.output == nil {
            let fresh = AudioOutput(device: audioDevice(), format: wanted, title: title) { [weak self] event in
                self?.onEvent(.audio(event))
            }
            work.output = fresh
            work.stretcher = TimeStretcher(format: wanted)
            monitor.withLock {
                output = fresh
                fresh.setVolume(volume)
                fresh.setMuted(isMuted)
            }
        }
        guard let output = work.output else { return false }
        work.epoch = t
        work.framesIn = 0
        return monitor.withLock {
            guard serial == work.serial, !isClosed else { return false }
            clock.attach(output, sampleRate: output.format.sampleRate, frame: output.writtenFrames, time: t, speed: 1)
            return true
        }
    }

    private func closeOutput(_ work: AudioWork) {
        guard let old = work.output else { return }
        monitor.withLock {
            if serial == work.serial { clock.detach() }
            output = nil
            statistics.underruns += Int(old.underrunCount)
        }
        old.close()
        work.output = nil
        work.stretcher = nil
    }

    private func soundIsReady(_ work: AudioWork) {
        monitor.withLock {
            guard serial == work.serial, !hasFirstSound else { return }
            hasFirstSound = true
            updateRunning()
        }
    }

    // MARK: samples

    /// Frames since the epoch at `t`.
    private func position(of t: TimelineTime, _ work: AudioWork) -> Int64 {
        (t - work.epoch).samples(at: work.sampleRate)
    }

    private func decode(_ packet: MediaPacket, _ work: AudioWork) {
        guard let decoder = work.decoder, let segment = work.segment else { return }
        // On the way to a seek's target: decoders need a little run-up, not the whole way.
        if let end = packet.end, end < segment.mediaStart - 250_000_000 { return }
        decoder.decode(packet) { [self] samples, frames, pts in
            take(samples, frames, pts, segment, work)
        }
    }

    /// Places decoded samples: trims what lies before the segment's start, fills holes, ignores jitter.
    private func take(
        _ samples: UnsafePointer<Float>, _ frames: Int, _ pts: MediaTime?, _ segment: Segment, _ work: AudioWork
    ) {
        // Nothing of what lies beyond a part's end is waited for in silence.
        if let limit = segment.mediaLimit, let pts, pts >= limit { return }
        var samples = samples
        var frames = frames
        if let pts {
            let off = pts - work.reached(segment)
            // Containers with millisecond stamps round; within that a pass from the start just begins.
            let tolerance: MediaTime = work.isFirstChunk ? (segment.mediaStart == 0 ? 2_000_000 : 0) : 60_000_000
            if off.magnitude > tolerance {
                let shift = Int(off.samples(at: work.sampleRate))
                if shift > 0 {
                    push(work)
                    writeSilence(min(shift, Int(work.rate) * 30), work)
                } else if -shift >= frames {
                    return
                } else if shift < 0 {
                    samples += -shift * work.channels
                    frames += shift
                }
            }
        }
        if let limit = segment.mediaLimit {
            let allowed =
                Int((limit - segment.mediaStart).samples(at: work.sampleRate)) - Int(work.framesInSegment)
                - work.heldFrames - work.tail.heldFrames
            frames = min(frames, max(0, allowed))
        }
        guard frames > 0 else { return }
        if work.isFirstChunk { monitor.withLock { segment.entry.hasSounded = true } }
        work.isFirstChunk = false
        push(work)
        hold(samples, frames, work)
        tune(segment, work)
    }

    /// The gain of `segment`'s item over the chunk held.
    private func tune(_ segment: Segment, _ work: AudioWork) {
        lead(segment, work)
        work.held.withUnsafeMutableBufferPointer {
            if let base = $0.baseAddress { work.gain.apply(to: base, frames: work.heldFrames, channels: work.channels) }
        }
    }

    /// At an item's first sample its gain is there at once, unless it goes on from another's; while it plays there is
    /// half a second for it, so that it is no jump either.
    private func lead(_ segment: Segment, _ work: AudioWork) {
        let wanted = monitor.withLock { loudnessGain(of: segment.entry) }
        let way =
            work.tuned === segment.entry
            ? 0.5 : work.tuned == nil || work.tail.isWaiting || work.tail.isMixing ? 0 : 0.01
        work.tuned = segment.entry
        work.gain.lead(to: wanted, over: Int(way * work.rate))
    }

    private func hold(_ samples: UnsafePointer<Float>, _ frames: Int, _ work: AudioWork) {
        let count = frames * work.channels
        if work.held.count < count { work.held = [Float](repeating: 0, count: count) }
        work.held.withUnsafeMutableBufferPointer { $0.baseAddress?.update(from: samples, count: count) }
        work.heldFrames = frames
    }

    /// Lets go of the chunk held back, cut to `limit` frames.
    private func push(_ work: AudioWork, limit: Int64 = .max, mayHold: Bool = true) {
        let frames = Int(min(Int64(work.heldFrames), max(0, limit)))
        work.heldFrames = 0
        guard frames > 0 else { return }
        work.held.withUnsafeBufferPointer { p in
            if let base = p.baseAddress { put(base, frames, work, mayHold: mayHold) }
        }
    }

    private func writeSilence(_ frames: Int, _ work: AudioWork, mayHold: Bool = true) {
        let chunk = 1024
        if work.silence.count < chunk * work.channels {
            work.silence = [Float](repeating: 0, count: chunk * work.channels)
        }
        var left = frames
        while left > 0 {
            let n = min(left, chunk)
            let went = work.silence.withUnsafeBufferPointer { p in
                p.baseAddress.map { put($0, n, work, mayHold: mayHold) } ?? false
            }
            guard went else { return }
            left -= n
        }
    }

    /// Through the stretcher into the ring; waits for room. False when the serial is over.
    @discardableResult
    func write(_ samples: UnsafePointer<Float>, _ frames: Int, _ work: AudioWork) -> Bool {
        guard let stretcher = work.stretcher, work.output != nil else { return false }
        guard follow(work) else { return false }
        var went = true
        if !TimeStretcher.range.contains(Float(work.speed)) {
            // No sound at such speeds, but the clock goes on by it.
            work.silenceDebt += Double(frames) / work.speed
            let n = Int(work.silenceDebt)
            work.silenceDebt -= Double(n)
            let zeros = [Float](repeating: 0, count: n * work.channels)
            zeros.withUnsafeBufferPointer { p in
                if let base = p.baseAddress { went = ring(base, n, work) }
            }
        } else if stretcher.isEngaged {
            stretcher.process(samples, frames: frames) { [self] p, n in went = ring(p, n, work) && went }
        } else {
            went = ring(samples, frames, work)
        }
        work.framesIn += Int64(frames)
        work.framesInSegment += Int64(frames)
        return went
    }

    /// Takes up a new speed from the next sample on.
    private func follow(_ work: AudioWork) -> Bool {
        let wanted = monitor.withLock { speed }
        guard wanted != work.speed, let stretcher = work.stretcher, let output = work.output else { return true }
        let here = work.stretchedTime ?? Double(work.epoch.nanoseconds) + Double(work.framesIn) / work.rate * 1e9
        if TimeStretcher.range.contains(Float(wanted)) {
            _ = stretcher.setSpeed(Float(wanted))
        } else {
            stretcher.reset()
        }
        work.speed = wanted
        work.stretchedTime = here
        monitor.withLock {
            if serial == work.serial { clock.anchor(frame: output.writtenFrames, time: here, speed: wanted) }
        }
        return true
    }

    private func ring(_ samples: UnsafePointer<Float>, _ frames: Int, _ work: AudioWork) -> Bool {
        guard let output = work.output else { return false }
        var done = 0
        while done < frames {
            if monitor.withLock({ isClosed || serial != work.serial }) { return false }
            let n = output.write(samples + done * work.channels, frames: frames - done)
            done += n
            if let t = work.stretchedTime { work.stretchedTime = t + Double(n) / work.rate * 1e9 * work.speed }
            if done < frames {
                // A full ring is as primed as sound can be.
                soundIsReady(work)
                output.waitForSpace(frames: min(frames - done, 256))
            }
        }
        if Double(work.framesIn) > work.rate * 0.08 { soundIsReady(work) }
        return true
    }

    // MARK: a segment ends

    private func endAudio(_ segment: Segment, _ work: AudioWork) {
        guard segment.hasAudio else {
            monitor.withLock {
                if segment.outEnd == nil { resolve(segment, mediaEnd: segment.packetVideoEnd ?? segment.mediaStart) }
            }
            return
        }
        if segment.clip == nil, let decoder = work.decoder {
            decoder.decode(nil) { [self] samples, frames, pts in take(samples, frames, nil, segment, work) }
            decoder.flush()
        }
        // Not one sample has come.
        if work.tail.isWaiting { guard beginFade(work) else { return } }
        // What was counted, cut where the packets say the padding begins.
        let counted = work.framesInSegment + Int64(work.heldFrames + work.tail.heldFrames)
        let (byPackets, videoEnd) = monitor.withLock { (segment.packetAudioEnd, segment.packetVideoEnd) }
        let audioEnd = max(
            segment.mediaStart,
            PassEnd.sound(counted: work.reached(segment), packets: byPackets, segment.description.audio))
        let end: TimelineTime = monitor.withLock {
            let frameDuration = segment.description.video?.frameDuration ?? 0
            let video = segment.hasVideo ? videoEnd : nil
            segment.fadesOut = work.tail.stage == .holding
            if segment.outEnd == nil {
                resolve(
                    segment,
                    mediaEnd: max(
                        segment.mediaStart,
                        PassEnd.of(sound: counted == 0 ? nil : audioEnd, picture: video, frameDuration: frameDuration)))
            }
            return segment.outEnd ?? segment.outStart ?? .zero
        }
        // Cut or pad to exactly there. Where nothing has been kept back by now the next one's beginning is settled, and
        // nothing may be kept back any more: sound that ends long before its picture leaves no more than silence to
        // fade.
        let target = position(of: end, work)
        push(work, limit: target - work.framesIn - Int64(work.tail.heldFrames), mayHold: segment.fadesOut)
        let reached = work.framesIn + Int64(work.tail.heldFrames)
        if target > reached { writeSilence(Int(target - reached), work, mayHold: segment.fadesOut) }
        guard segment.fadesOut, monitor.withLock({ serial == work.serial }) else { return }
        if target < reached { work.tail.cut(to: work.tail.frames - Int(reached - target)) }
        work.tail.stage = .waiting(end: end)
        soundIsReady(work)
    }

    private func endOfSound(_ work: AudioWork) {
        // Nothing follows after all.
        if !work.tail.isMixing { release(work.tail.frames, work) }
        work.tail.reset()
        if let stretcher = work.stretcher, stretcher.isEngaged {
            stretcher.process(nil, frames: 0) { [self] p, n in _ = ring(p, n, work) }
        }
        monitor.withLock {
            guard serial == work.serial else { return }
            audioEnded = true
            clock.soundIsComplete()
            if let end = timeline.last?.outEnd { clock.setCeiling(end) }
            updateRunning()
        }
        work.output?.setDraining(true)
    }

    // MARK: a decoded clip

    private func play(_ clip: DecodedClip, _ segment: Segment, _ work: AudioWork) {
        var position = Int(max(0, segment.mediaStart.samples(at: work.sampleRate)))
        var buffer: [Float] = []
        while true {
            switch clip.copySamples(from: position, frames: 2048, into: &buffer) {
            case .some(0): return
            case .some(let n):
                lead(segment, work)
                buffer.withUnsafeMutableBufferPointer {
                    if let base = $0.baseAddress { work.gain.apply(to: base, frames: n, channels: work.channels) }
                }
                let went = buffer.withUnsafeBufferPointer { p in p.baseAddress.map { put($0, n, work) } ?? false }
                if !went { return }
                position += n
            case .none:
                let stays = monitor.withLock { () -> Bool in
                    if isClosed || serial != work.serial { return false }
                    if clip.copySamples(from: position, frames: 1, into: &buffer) == nil { audioCondition.wait() }
                    return !isClosed && serial == work.serial
                }
                if !stays { return }
            }
        }
    }
}
