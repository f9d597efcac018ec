import Foundation
import MediaCore

/// The audio thread: packets (or a clip's samples) through the time stretcher into the device's ring.
///
/// Counts what it writes, so it knows to the sample where it is on the timeline; a pass is padded or cut to end exactly
/// where the next begins (`PassEnd`). How samples are placed and written stands in AudioWorker+Samples.swift, how the
/// end of one item is mixed with the next in AudioWorker+Crossfade.swift.
final class AudioWorker {
    let context: PipelineContext
    var serial = -1
    var segment: Segment?
    var decoder: AudioDecoder?
    private var decoderEntry: PlaybackEntry?
    private(set) var output: AudioOutput?
    private(set) var stretcher: TimeStretcher?
    var written = WrittenSound()
    var silenceDebt = 0.0
    var held = HeldChunk()
    var progress = Progress()
    var silence: [Float] = []
    var tuning = Tuning()
    /// What is kept back of its end, and room to mix it in.
    var tail = CrossfadeTail()
    var mixed: [Float] = []

    /// How far a segment has come.
    struct Progress {
        var isFirstChunk = true
        /// Packets that have been decoded.
        var taken = 0
    }
    /// The gain of the item that plays, and whose it is.
    struct Tuning {
        var gain = ItemGain()
        var entry: PlaybackEntry?
    }

    init(_ context: PipelineContext) { self.context = context }

    var sampleRate: Int { output?.format.sampleRate ?? 48_000 }
    var channels: Int { output?.format.channelCount ?? 1 }
    /// Media time of the sample after those counted.
    func reached(_ segment: Segment) -> MediaTime {
        let frames = written.framesInSegment + Int64(held.frames + tail.heldFrames)
        return segment.mediaStart + MediaTime(samples: frames, rate: sampleRate)
    }
    /// Timeline time of the next frame into the ring, nanoseconds.
    var writtenTime: Double { written.time(at: sampleRate) }

    private enum Task {
        case close, restart
        case unit(UnitQueue.Unit)
        /// Nothing is there, and the ring must not run dry.
        case fill
    }

    /// Until the pipeline is closed.
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
                return whenToLook(&state).map { .waitUntil($0) } ?? .wait
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
                ifCurrent { $0.soundIsOver(segment) }
            case .unit(.endOfStream): endOfSound()
            case .fill: if tail.isEmpty || tail.isMixing { writeSilence(1024) } else { release(1024) }
            }
        }
    }

    /// Does nothing once another serial has begun.
    func ifCurrent(_ body: (inout PipelineState) -> Void) {
        context.state.withLock { if $0.serial == serial { body(&$0) } }
    }
    var isCurrent: Bool { context.state.withLock { !$0.isClosed && $0.serial == serial } }

    /// An item without sound in a player that has a sound stream: silence keeps the clock going.
    /// The same where an item's audio has a gap that is longer than what may wait of its video.
    private func isFillingSilence(_ state: PipelineState) -> Bool {
        guard let segment, output != nil, !state.run.audioEnded, state.timeline[segment]?.start != nil else {
            return false
        }
        if !segment.hasAudio { return true }
        guard segment.clip == nil, state.feed.isMissing(.audio) else { return false }
        return !state.run.hasFirstSound || isNearlyDry(state.clock)
    }

    /// What is kept back for the next item has to go: the ring would run dry.
    private func isReleasing(_ state: PipelineState) -> Bool {
        !tail.isEmpty && !tail.isMixing && isNearlyDry(state.clock)
    }

    /// When to look again for a packet; nil: when woken. While a remote source gives none, only until what is in the
    /// ring is nearly heard: then time stops, before the device runs dry.
    private func whenToLook(_ state: inout PipelineState) -> HostTime? {
        if let time = state.lookWhileWaitingForData() { return time }
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
        silenceDebt = 0
        _ = held.letGo()
        tail.reset()
        tuning.entry = nil
    }

    // MARK: a segment begins

    private func start(_ segment: Segment) {
        // Where it begins is decided when its sound is there.
        if tail.isWaiting { return startFading(segment) }
        guard let start = waitForStart(of: segment) else { return }
        let isFirst = self.segment == nil
        self.segment = segment
        written.framesInSegment = 0
        progress = Progress()

        guard segment.hasAudio else {
            if isFirst {
                closeOutput()
                soundIsReady()
            }
            return
        }
        if output == nil || isFirst {
            guard openOutput(segment, at: isFirst ? start : nil) else { return }
        }
        // Where the ring stands against where this segment begins: equal after a pass with sound.
        let ahead = position(of: start) - written.frames
        if ahead > 0 { writeSilence(Int(ahead), mayHold: false) }
        // That was before its beginning.
        written.framesInSegment = 0

        open(segment)
    }

    /// The end of the item before is kept back for it.
    private func startFading(_ segment: Segment) {
        self.segment = segment
        written.framesInSegment = 0
        progress = Progress()
        if segment.hasAudio { open(segment) }
        // No sound will come that it could wait for.
        if !segment.hasAudio || segment.clip == nil && decoder == nil { _ = beginFade() }
    }

    /// Waits until the segment before knows its end. Only a pass without sound makes us wait.
    /// - Returns: nil when the serial is over.
    private func waitForStart(of segment: Segment) -> TimelineTime? {
        context.state.wait(.audio) { state in
            guard !state.isClosed, state.serial == serial, let place = state.timeline[segment] else {
                return .found(nil)
            }
            return place.start.map { .found($0) } ?? .wait
        }
    }

    private func open(_ segment: Segment) {
        if let clip = segment.clip {
            // Of another format than what plays: it is read like any file.
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
            // Video plays on in silence; an item of sound alone has nothing left.
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

    /// A stream goes on in another coding. One that only differs in bit rate keeps its decoder, whose memory of the
    /// sound before (AAC's overlap) makes the join inaudible.
    private func change(to track: AudioTrackDescription) {
        guard let segment, let output, let old = decoder else { return }
        if old.track.parameters.codes(sameAs: track.parameters) { return }
        old.decode(nil) { samples, frames, pts in take(samples, frames, pts, segment) }
        open(track, segment, output.format)
    }

    // MARK: the device

    /// - Parameter start: timeline time of the first sample; nil: now.
    private func openOutput(_ segment: Segment, at start: TimelineTime?) -> Bool {
        let wanted: AudioFormat
        if let format = segment.clip?.format {
            wanted = format
        } else if let track = segment.description.audio {
            wanted = context.audioDevice().preferredFormat(
                channelMask: track.channelMask, sampleRate: track.sampleRate)
        } else {
            return false
        }
        if let output, output.format != wanted { closeOutput() }
        let output = self.output ?? newOutput(wanted)
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
            // libpulse calls this with its lock held. Play and pause take that lock while they hold the state's lock, so
            // waiting for the state here could be a deadlock.
            [weak context] event in DispatchQueue.main.async { context?.tell(.audio(event)) }
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

    func soundIsReady() { ifCurrent { $0.firstSoundIsThere() } }

    // MARK: a segment ends

    private func end(_ segment: Segment) {
        guard segment.hasAudio else {
            return context.state.withLock { state in
                guard let place = state.timeline[segment], place.end == nil else { return }
                state.resolve(segment, mediaEnd: place.packetVideoEnd ?? segment.mediaStart)
            }
        }
        if segment.clip == nil, let decoder {
            decoder.decode(nil) { samples, frames, _ in take(samples, frames, nil, segment) }
            if segment.hasVideo, segment.pass == 0, decoder.failedPackets > 0, !segment.entry.hasEverSounded {
                let error = nothingDecoded(segment)
                ifCurrent { $0.trackFailed(.audio, of: segment, error) }
            }
            decoder.flush()
        }
        // Not one sample has come.
        if tail.isWaiting { guard beginFade() else { return } }
        guard let (end, fadesOut) = decideEnd(of: segment) else { return }
        // Cut or pad to exactly there. Where nothing has been kept back by now the next one's beginning is settled, and
        // nothing may be kept back any more: sound that ends long before its picture leaves no more than silence to
        // fade.
        let target = position(of: end)
        push(limit: target - written.frames - Int64(tail.heldFrames), mayHold: fadesOut)
        let reached = written.frames + Int64(tail.heldFrames)
        if target > reached { writeSilence(Int(target - reached), mayHold: fadesOut) }
        guard fadesOut, isCurrent else { return }
        if target < reached { tail.cut(to: tail.frames - Int(reached - target)) }
        tail.stage = .waiting(end: end)
        soundIsReady()
    }

    /// What was counted, cut where the packets say the padding begins, against the picture's end.
    private func decideEnd(of segment: Segment) -> (end: TimelineTime, fadesOut: Bool)? {
        let counted = written.framesInSegment + Int64(held.frames + tail.heldFrames)
        let reached = reached(segment)
        let fadesOut = tail.stage == .holding
        return context.state.withLock { state in
            guard !state.isClosed, state.serial == serial, let place = state.timeline[segment] else { return nil }
            state.timeline.change(segment) { $0.fadesOut = fadesOut }
            if place.end == nil {
                let sound = max(
                    segment.mediaStart,
                    PassEnd.sound(counted: reached, packets: place.packetAudioEnd, segment.description.audio))
                let end = PassEnd.of(
                    sound: counted == 0 ? nil : sound, picture: segment.hasVideo ? place.packetVideoEnd : nil,
                    frameDuration: segment.description.video?.frameDuration ?? 0)
                state.resolve(segment, mediaEnd: max(segment.mediaStart, end))
            }
            let decided = state.timeline[segment]
            return (decided?.end ?? decided?.start ?? .zero, fadesOut)
        }
    }

    private func endOfSound() {
        // Nothing follows after all.
        if !tail.isMixing { release(tail.frames) }
        tail.reset()
        if let stretcher, stretcher.isEngaged { stretcher.process(nil, frames: 0) { p, n in _ = ring(p, n) } }
        ifCurrent { $0.endOfSound() }
        output?.setDraining(true)
    }
}
