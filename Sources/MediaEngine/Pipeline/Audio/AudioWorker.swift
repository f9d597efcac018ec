import Foundation
import MediaCore

/// The audio thread's work: decodes packets, or takes the samples of a decoded clip. Writes them to the ring buffer of
/// the audio device through the time stretcher.
///
/// The worker counts the frames that it writes, so it knows its position on the timeline to the sample. It pads or cuts
/// each pass to end exactly where the next begins (`PassEnd`). AudioWorker+Samples.swift places and writes samples.
/// AudioWorker+Crossfade.swift mixes the end of one item with the next.
final class AudioWorker {
    let context: PipelineContext
    var serial = -1
    var segment: Segment?
    var decoder: AudioDecoder?
    private var decoderEntry: PlaybackEntry?
    private(set) var output: AudioOutput?
    private(set) var stretcher: TimeStretcher?
    var written = WrittenAudio()
    var held = HeldChunk()
    var progress = Progress()
    var silence: [Float] = []
    var tuning = Tuning()
    /// The held end of the item, and a buffer for mixing.
    var tail = CrossfadeTail()
    var mixed: [Float] = []

    /// The progress of decoding in a segment.
    struct Progress {
        var isFirstChunk = true
        /// The number of decoded packets.
        var taken = 0
    }
    /// The gains of the loudness and of the audio mix, and the entry to which they belong.
    struct Tuning {
        var gain = ItemGain()
        var mix = MixGain()
        var entry: PlaybackEntry?
    }

    init(_ context: PipelineContext) { self.context = context }

    var sampleRate: Int { output?.format.sampleRate ?? 48_000 }
    var channels: Int { output?.format.channelCount ?? 1 }
    /// Returns the media time after the last sample that was decoded.
    func reached(_ segment: Segment) -> MediaTime {
        let frames = written.framesInSegment + Int64(held.frames + tail.heldFrames)
        return segment.mediaStart + MediaTime(samples: frames, rate: sampleRate)
    }
    /// The timeline time of the next frame that is written to the ring buffer, in nanoseconds.
    var writtenTime: Double { written.time(at: sampleRate) }

    private enum Task {
        case close, restart
        case unit(UnitQueue.Unit)
        /// No unit is available, and the ring buffer must not become empty.
        case fill
    }

    /// Runs until the pipeline is closed.
    func run() {
        while true {
            let task: Task = context.state.wait(.audio) { state in
                if state.isClosed { return .found(.close) }
                if state.serial != serial {
                    serial = state.serial
                    return .found(.restart)
                }
                if let unit = state.takeAudioUnit() { return .found(.unit(unit)) }
                if isFillingSilence(state) || isReleasing(state) { return .found(.fill) }
                return nextCheck(&state).map { .waitUntil($0) } ?? .wait
            }
            switch task {
            case .close: return
            case .restart: restart()
            case .unit(.start(let segment)): start(segment)
            case .unit(.packet(let packet)): decode(packet)
            case .unit(.audioTrack(let track)): change(to: track)
            case .unit(.videoTrack): continue
            case .unit(.end(let segment)):
                end(segment)
                ifCurrent { $0.didDecodeAllAudio(segment) }
            case .unit(.endOfStream): audioDidEnd()
            case .fill: if tail.isEmpty || tail.isMixing { writeSilence(1024) } else { release(1024) }
            }
        }
    }

    /// Calls `body` with the state locked, unless a new serial has begun.
    func ifCurrent(_ body: (inout PipelineState) -> Void) {
        context.state.withLock { if $0.serial == serial { body(&$0) } }
    }
    var isCurrent: Bool { context.state.withLock { !$0.isClosed && $0.serial == serial } }

    /// Returns whether silence must be written to keep the clock running. An item may have no audio although an audio
    /// output is open, or its audio may have a gap longer than the queue of video packets.
    private func isFillingSilence(_ state: PipelineState) -> Bool {
        guard let segment, output != nil, !state.run.audioEnded, state.timeline[segment]?.start != nil else {
            return false
        }
        if !segment.hasAudio { return true }
        guard segment.clip == nil, state.feed.isMissing(.audio) else { return false }
        return !state.run.hasFirstAudio || isNearlyDry(state.clock)
    }

    /// Returns whether held samples must be written because the ring buffer is almost empty.
    private func isReleasing(_ state: PipelineState) -> Bool {
        !tail.isEmpty && !tail.isMixing && isNearlyDry(state.clock)
    }

    /// Returns the time at which to look for a packet again; `nil` to wait until woken. If a remote source delivers no
    /// packets, this is the time at which the audio in the ring is almost used up. The clock then stops before the
    /// device runs out of data.
    private func nextCheck(_ state: inout PipelineState) -> HostTime? {
        if let time = state.recheckBuffer() { return time }
        if !tail.isEmpty, !tail.isMixing, state.clock.isRunning { return dryTime(state.clock) }
        if output != nil, state.clock.isRunning, state.feed.isMissing(.audio) { return dryTime(state.clock) }
        guard state.canStarve, let segment, segment.hasAudio, !state.run.audioEnded, output != nil else { return nil }
        let left = (writtenTime - Double(state.now.nanoseconds)) / max(state.settings.speed, 0.01)
        return state.waitDry(due: state.clock.host() + Int64(saturating: left) - BufferWatch.starvingMargin)
    }

    private func restart() {
        output?.flush()
        output?.setDraining(false)
        stretcher?.reset()
        decoder?.flush()
        segment = nil
        written.restart()
        _ = held.release()
        tail.reset()
        tuning.entry = nil
    }

    // MARK: a segment begins

    private func start(_ segment: Segment) {
        // The start of this segment is decided when its first samples arrive.
        if tail.isWaiting { return startFading(segment) }
        guard let start = waitForStart(of: segment) else { return }
        let isFirst = self.segment == nil
        self.segment = segment
        written.framesInSegment = 0
        progress = Progress()

        guard segment.hasAudio else {
            if isFirst {
                closeOutput()
                audioIsReady()
            }
            return
        }
        if output == nil || isFirst {
            guard openOutput(segment, at: isFirst ? start : nil) else { return }
        }
        // Usually 0 after a pass with audio. A positive value is a gap before the segment begins. A negative value is
        // the part of the segment that is already over, because its item was opened too late.
        let ahead = position(of: start) - written.frames
        if ahead > 0 { writeSilence(Int(ahead), mayHold: false) }
        // That silence belongs to the time before the segment. The part that is over counts as written, so its samples
        // are skipped and the rest is in sync with the video. A short delay is kept, because a cut is easier to hear.
        written.framesInSegment = -ahead > AudioWorker.mostJitter.samples(at: sampleRate) ? -ahead : 0

        open(segment)
    }

    /// Starts a segment that fades in over the held end of the previous item.
    private func startFading(_ segment: Segment) {
        self.segment = segment
        written.framesInSegment = 0
        progress = Progress()
        if segment.hasAudio { open(segment) }
        // No samples will arrive, so `put` would never start the segment.
        if !segment.hasAudio || segment.clip == nil && decoder == nil { _ = beginFade() }
    }

    /// Waits until the end of the previous segment is known. Only a pass without audio causes a wait.
    ///
    /// - Returns: `nil` if a new serial has begun.
    private func waitForStart(of segment: Segment) -> TimelineTime? {
        context.state.wait(.audio) { state in
            guard !state.isClosed, state.serial == serial, let slot = state.timeline[segment] else {
                return .found(nil)
            }
            return slot.start.map { .found($0) } ?? .wait
        }
    }

    private func open(_ segment: Segment) {
        if let clip = segment.clip {
            // The clip's format differs from that of the output, so the file has to be read and decoded.
            guard clip.format == output?.format else {
                return context.state.withLock { $0.refuseClip(of: segment.entry) }
            }
            return play(clip, segment)
        }
        guard let track = segment.description.audio, let output else { return }
        if let decoder, decoderEntry === segment.entry, decoder.track.parameters === track.parameters,
            decoder.format == output.format
        {
            decoder.flush()
        } else {
            open(track, segment, output.format)
        }
    }

    private func open(_ track: AudioTrackDescription, _ segment: Segment, _ format: AudioFormat) {
        decoder = nil
        do {
            decoder = try AudioDecoder(
                track: track, format: format, startOffset: segment.startOffset, location: segment.entry.url.location)
            decoderEntry = segment.entry
        } catch {
            // Video plays without audio. An item with audio only fails.
            context.state.withLock { $0.trackFailed(.audio, of: segment, error) }
        }
    }

    func nothingDecoded(_ segment: Segment) -> AVError {
        AVError(
            .decodeFailed, at: segment.entry.url.location,
            reason:
                "no sample of the \(segment.description.audio?.parameters.codecName ?? "audio") track could be decoded",
            suggestion: "Copy or download the file again")
    }

    /// Changes the decoder when a stream continues with another coding. If only the bit rate differs, the decoder
    /// stays: it remembers the previous samples (AAC's overlap), so the transition is inaudible.
    private func change(to track: AudioTrackDescription) {
        guard let segment, let output, let old = decoder else { return }
        if old.track.parameters.codes(sameAs: track.parameters) { return }
        old.decode(nil) { samples, frames, pts in take(samples, frames, pts, segment) }
        open(track, segment, output.format)
    }

    // MARK: the device

    /// Opens the output for `segment`, and makes the clock follow it.
    ///
    /// - Parameter start: The timeline time of the first sample; `nil` for the current time.
    private func openOutput(_ segment: Segment, at start: TimelineTime?) -> Bool {
        let requiredFormat: AudioFormat
        if let format = segment.clip?.format {
            requiredFormat = format
        } else if let track = segment.description.audio {
            requiredFormat = context.audioDevice().preferredFormat(
                channelMask: track.channelMask, sampleRate: track.sampleRate)
        } else {
            return false
        }
        if let output, output.format != requiredFormat { closeOutput() }
        let output = self.output ?? newOutput(requiredFormat)
        return context.state.withLock { state in
            written.begin(at: start ?? state.now)
            guard state.serial == serial, !state.isClosed else { return false }
            state.clock.attach(
                output, sampleRate: output.format.sampleRate, frame: output.writtenFrames, time: written.epoch, speed: 1
            )
            return true
        }
    }

    private func newOutput(_ format: AudioFormat) -> AudioOutput {
        let title = context.state.withLock { $0.settings.title }
        let fresh = AudioOutput(device: context.audioDevice(), format: format, title: title) {
            // libpulse calls this with its lock held. `setRate` takes that lock while it holds the state's lock, so
            // waiting for the state here could deadlock.
            [weak context] event in DispatchQueue.main.async { context?.report(.audio(event)) }
        }
        output = fresh
        stretcher = TimeStretcher(format: format)
        context.state.withLock { $0.setOutput(fresh) }
        return fresh
    }

    private func closeOutput() {
        guard let old = output else { return }
        context.state.withLock { state in
            if state.serial == serial { state.clock.detach() }
            state.setOutput(nil)
        }
        old.close()
        output = nil
        stretcher = nil
    }

    func audioIsReady() { ifCurrent { $0.firstAudioReady() } }

    // MARK: a segment ends

    private func end(_ segment: Segment) {
        guard segment.hasAudio else { return endWithoutAudio(segment) }
        if segment.clip == nil, let decoder {
            decoder.decode(nil) { samples, frames, _ in take(samples, frames, nil, segment) }
            if segment.hasVideo, segment.pass == 0, decoder.failedPackets > 0, !segment.entry.hasDecodedAudio {
                let error = nothingDecoded(segment)
                ifCurrent { $0.trackFailed(.audio, of: segment, error) }
            }
            decoder.flush()
        }
        // The item returned no samples, so `put` has not started the segment.
        if tail.isWaiting { guard beginFade() else { return } }
        guard let (end, fadesOut) = decideEnd(of: segment) else { return }
        // If nothing has been held back, the start of the next segment is already settled, so nothing may be held back
        // now. An audio track that ends long before its video leaves only silence to fade.
        let target = position(of: end)
        push(limit: target - written.frames - Int64(tail.heldFrames), mayHold: fadesOut)
        let reached = written.frames + Int64(tail.heldFrames)
        if target > reached { writeSilence(Int(target - reached), mayHold: fadesOut) }
        guard fadesOut, isCurrent else { return }
        if target < reached { tail.cut(to: tail.frames - Int(reached - target)) }
        tail.stage = .waiting(end: end)
        audioIsReady()
    }

    /// Ends a segment without audio. If an output is open, silence fills the segment up to its end. The end of the
    /// written samples is the end of the timeline, so the clock would otherwise skip the rest of the last segment.
    private func endWithoutAudio(_ segment: Segment) {
        let end = context.state.withLock { state -> TimelineTime? in
            guard let slot = state.timeline[segment] else { return nil }
            if slot.end == nil { state.resolve(segment, mediaEnd: slot.packetVideoEnd ?? segment.mediaStart) }
            return state.timeline[segment]?.end
        }
        guard let end, output != nil else { return }
        let missing = position(of: end) - written.frames
        if missing > 0 { writeSilence(Int(missing), mayHold: false) }
    }

    /// Decides where `segment` ends, from the end of its audio and of its video. The end of the audio is counted in
    /// samples, without the padding that the packets reveal.
    private func decideEnd(of segment: Segment) -> (end: TimelineTime, fadesOut: Bool)? {
        let counted = written.framesInSegment + Int64(held.frames + tail.heldFrames)
        let reached = reached(segment)
        let fadesOut = tail.stage == .holding
        return context.state.withLock { state in
            guard !state.isClosed, state.serial == serial, let slot = state.timeline[segment] else { return nil }
            state.timeline.change(segment) { $0.fadesOut = fadesOut }
            if slot.end == nil {
                let audioEnd = max(
                    segment.mediaStart,
                    PassEnd.audioEnd(counted: reached, packets: slot.packetAudioEnd, segment.description.audio))
                let end = PassEnd.of(
                    audio: counted == 0 ? nil : audioEnd, video: segment.hasVideo ? slot.packetVideoEnd : nil,
                    frameDuration: segment.description.video?.frameDuration ?? 0)
                state.resolve(segment, mediaEnd: max(segment.mediaStart, end))
            }
            let decided = state.timeline[segment]
            return (decided?.end ?? decided?.start ?? .zero, fadesOut)
        }
    }

    private func audioDidEnd() {
        // No segment follows to fade into.
        if !tail.isMixing { release(tail.frames) }
        tail.reset()
        stretcher?.process(nil, frames: 0) { p, n in _ = ring(p, n) }
        ifCurrent { $0.audioDidEnd() }
        output?.setDraining(true)
    }
}
