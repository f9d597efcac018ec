import Foundation
import MediaCore

/// The video thread: packets (or a clip's pictures) into the frame queue.
final class VideoWorker {
    private let context: PipelineContext
    /// The serial and the run that what follows belongs to.
    private var serial = -1
    private var decodeRun = -1
    /// The newest picture of the run, and those that came out while a new serial began: a seek that goes on decoding
    /// may want any of them.
    private var newest: VideoDecoder.Output?
    private var leftOver: [VideoDecoder.Output] = []
    private var segment: Segment?
    private var decoder: VideoDecoder?
    private var decoderEntry: PlaybackEntry?
    private var progress = Progress()
    private var isFarBehind = false
    /// Counts that are added to the state when it is locked next.
    private var uncounted = (decoded: 0, leftOut: 0)
    private var latePictures = LatePictures()
    /// The size of the last picture that went into the queue, and whose it was.
    private var lastSize: (entry: PlaybackEntry, size: CGSize)?

    init(_ context: PipelineContext) { self.context = context }

    /// How far a segment has come.
    private struct Progress {
        /// The newest picture at or before the seek's target; shown when the next one is beyond it.
        var candidate: VideoDecoder.Output?
        var hasEmitted = false
        /// The item after it has begun: no more of its pictures are wanted.
        var isOver = false
        /// Packets that the decoder has taken in this segment; what it had failed at, and given out, before.
        var taken = 0
        var failedBefore = 0
        var decodedBefore = 0
    }

    private enum Task {
        case close
        /// A new serial; `goesOn`: with the same packets, and the decoder as it is.
        case restart(goesOn: Bool)
        case unit(UnitQueue.Unit)
    }

    /// Until the pipeline is closed.
    func run() {
        while true {
            let task: Task = context.state.wait(.video) { state in
                count(in: &state)
                if state.isClosed { return .found(.close) }
                if state.serial != serial {
                    let goesOn = decodeRun == state.run.decodeRun
                    (serial, decodeRun) = (state.serial, state.run.decodeRun)
                    return .found(.restart(goesOn: goesOn))
                }
                if state.isResting { return .waitUntil(state.frames.restsUntil) }
                if let unit = state.takeVideoUnit() { return .found(.unit(unit)) }
                return (state.waitForPackets() ?? state.letPass()).map { .waitUntil($0) } ?? .wait
            }
            switch task {
            case .close: return
            case .restart(let goesOn): restart(goesOn: goesOn)
            case .unit(.start(let segment)): start(segment)
            case .unit(.packet(let packet)): decode(packet)
            case .unit(.videoTrack(let track)): change(to: track)
            case .unit(.audioTrack): continue
            case .unit(.end(let segment)): end(segment)
            case .unit(.endOfStream): ifCurrent { $0.endOfPictures() }
            }
        }
    }

    /// Does nothing once another serial has begun.
    private func ifCurrent(_ body: (inout PipelineState) -> Void) {
        context.state.withLock { if $0.serial == serial { body(&$0) } }
    }
    private func count(in state: inout PipelineState) {
        state.statistics.framesDecoded += uncounted.decoded
        state.frames.leftOut(uncounted.leftOut)
        uncounted = (0, 0)
    }
    private var isCurrent: Bool { context.state.withLock { !$0.isClosed && $0.serial == serial } }

    private func restart(goesOn: Bool) {
        if !goesOn {
            decoder?.flush()
            newest = nil
            leftOver = []
        }
        progress.candidate = nil
        segment = nil
    }

    // MARK: a segment

    private func start(_ segment: Segment) {
        self.segment = segment
        progress = Progress()
        if let clip = segment.clip {
            decoder = nil
            return play(clip, segment)
        }
        guard let track = segment.description.video else {
            if let still = segment.description.still {
                emit(still, media: segment.mediaStart, segment)
            } else {
                ifCurrent { state in
                    state.frames.forget()
                    state.firstPictureIsThere()
                    state.wakeDisplays()
                }
            }
            return
        }
        if let decoder, decoderEntry === segment.entry, decoder.track.parameters === track.parameters {
            if !segment.continuesDecoding { decoder.flush() }
        } else {
            open(track, segment)
        }
        progress.failedBefore = decoder?.failedPackets ?? 0
        progress.decodedBefore = decoder?.decodedFrames ?? 0
        guard segment.continuesDecoding else { return }
        let waiting = [newest].compactMap { $0 } + leftOver
        leftOver = []
        for output in waiting { take(output, segment) }
    }

    /// Threads for one large picture track. A thread waits for rows of the picture before its own, so on few
    /// cores twice as many keep them busy (measured: 3 % less to a seek's target); each one more also means
    /// one more packet before the first picture comes out, so with more cores there are as many as those.
    private static let decodingThreads: Int32 = {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return Int32(cores < 4 ? 2 * cores : min(16, cores))
    }()

    private func open(_ track: VideoTrackDescription, _ segment: Segment) {
        do {
            // Small pictures decode faster on one thread than it takes to hand them around.
            let threads = track.pixelCount <= 640 * 360 ? 1 : VideoWorker.decodingThreads
            decoder = try VideoDecoder(
                track: track, startOffset: segment.startOffset, location: segment.entry.url.location, threads: threads)
            decoderEntry = segment.entry
        } catch {
            decoder = nil
            context.state.withLock { $0.trackFailed(.video, of: segment, error) }
        }
    }

    /// The number of packets, and the length of a video, after which a working decoder has given out a frame,
    /// whatever its delay.
    private static let mostPackets = 64
    private static let longestSilence: MediaTime = 2_000_000_000
    /// The factor by which a video without audio is tried longer, because nothing else can play.
    private static let lastPatience = 8

    /// A decoder that gives out nothing is not waited for: sound plays without frames, and it is said why.
    private func noteNothing(_ packet: MediaPacket, _ segment: Segment, _ decoder: VideoDecoder) {
        guard decoder.decodedFrames == progress.decodedBefore, !progress.hasEmitted, progress.candidate == nil else {
            return
        }
        progress.taken += 1
        let times = segment.hasAudio ? 1 : VideoWorker.lastPatience
        guard progress.taken >= VideoWorker.mostPackets * times,
            (packet.pts ?? 0) - segment.mediaStart >= VideoWorker.longestSilence * times
        else { return }
        progress.taken = .min
        let error = nothingDecoded(decoder)
        ifCurrent { state in
            if segment.entry.hasEverShown {
                state.firstPictureIsThere()
            } else {
                state.trackFailed(.video, of: segment, error)
            }
        }
    }

    private func nothingDecoded(_ decoder: VideoDecoder) -> AVError {
        AVError(
            .decodeFailed, at: segment?.entry.url.location ?? "",
            reason: "no frame of the \(decoder.track.parameters.codecName) track could be decoded",
            suggestion: "Copy or download the file again")
    }

    /// What the old decoder still holds comes before the new one's first picture: no picture is lost between rungs.
    private func change(to track: VideoTrackDescription) {
        guard let segment else { return }
        drain(segment)
        guard isCurrent else { return }
        open(track, segment)
        progress.failedBefore = 0
    }

    /// What the decoder still holds.
    private func drain(_ segment: Segment) {
        guard let decoder else { return }
        let before = decoder.decodedFrames
        decoder.decode(nil) { output in take(output, segment) }
        uncounted.decoded += decoder.decodedFrames - before
    }

    private func end(_ segment: Segment) {
        if segment.clip == nil, let decoder, segment.hasVideo {
            drain(segment)
            // A seek beyond the last picture shows the last picture.
            if !progress.hasEmitted, let candidate = progress.candidate {
                emit(candidate.frame, media: candidate.pts, segment)
            }
            if !progress.hasEmitted, segment.pass == 0, decoder.failedPackets > progress.failedBefore,
                !segment.entry.hasEverShown
            {
                let error = nothingDecoded(decoder)
                ifCurrent { $0.trackFailed(.video, of: segment, error) }
            }
            decoder.flush()
        }
        progress.candidate = nil
        ifCurrent { state in
            state.firstPictureIsThere()
            state.videoIsOver(segment)
        }
    }

    // MARK: decoding

    private func decode(_ packet: MediaPacket) {
        guard !progress.isOver, let decoder, let segment else { return }
        // On the way to a seek's target only what other pictures need is decoded.
        // Where durations cannot be believed, a picture may stand longer than its packet says.
        let margin: MediaTime =
            decoder.track.hasReliableDurations ? 0 : 2 * max(decoder.track.frameDuration, 20_000_000)
        let isBefore = (packet.end ?? .max) <= segment.mediaStart - margin
        let before = decoder.decodedFrames
        let skipped = decoder.skippedPackets
        decoder.decode(packet, keepOnlyReferences: isBefore || isFarBehind) { output in take(output, segment) }
        noteNothing(packet, segment, decoder)
        uncounted.decoded += decoder.decodedFrames - before
        uncounted.leftOut += isBefore ? 0 : decoder.skippedPackets - skipped
    }

    /// The exact-seek rule: the picture that *stands* at the target is the first one shown.
    private func take(_ output: VideoDecoder.Output, _ segment: Segment) {
        segment.entry.subtitles.take(output.frame, at: output.pts)
        if progress.hasEmitted, segment.mediaLimit.map({ output.pts < $0 }) ?? true {
            // The usual way, with one lock.
            let emission = emit(output.frame, media: output.pts, segment, reach: output.pts)
            if emission == .stale { leftOver.append(output) } else { newest = output }
            return
        }
        let isWanted = context.state.withLock { state -> Bool in
            guard state.serial == serial, !state.isClosed else { return false }
            state.feed.videoReach = output.pts
            return true
        }
        guard isWanted else { return leftOver.append(output) }
        newest = output
        if let limit = segment.mediaLimit, output.pts >= limit { return }
        if !progress.hasEmitted, self.segment === segment {
            if output.pts.hasBegun(by: segment.mediaStart) {
                // Its own end says it is the one, where durations can be believed; else the next one tells.
                if segment.description.video?.hasReliableDurations == true,
                    !output.end.hasBegun(by: segment.mediaStart)
                {
                    progress.candidate = nil
                    emit(output.frame, media: output.pts, segment)
                } else {
                    progress.candidate = output
                }
                return
            }
            if let first = progress.candidate {
                progress.candidate = nil
                emit(first.frame, media: first.pts, segment)
            }
        }
        emit(output.frame, media: output.pts, segment)
    }

    // MARK: a decoded clip

    private func play(_ clip: DecodedClip, _ segment: Segment) {
        var index: Int?
        while true {
            // The clip's listener wakes all threads under this lock, so no wake is missed between asking and waiting.
            let next: DecodedClip.Picture? = context.state.wait(.video) { state in
                guard !state.isClosed, state.serial == serial else { return .found(nil) }
                switch index.map(DecodedClip.IndexAnswer.index) ?? clip.index(at: segment.mediaStart) {
                case .notYet: return .wait
                // The feeder reads the file instead.
                case .never: return .found(nil)
                case .index(let here):
                    index = here
                    switch clip.picture(at: here) {
                    case .picture(let picture): return .found(picture)
                    case .pastEnd: return .found(nil)
                    case .notYet: return .wait
                    }
                }
            }
            guard let next else { return }
            segment.entry.subtitles.take(next.frame, at: next.pts)
            guard emit(next.frame, media: next.pts, segment) == .done else { return }
            index = index.map { $0 + 1 }
        }
    }

    // MARK: into the queue

    private enum Emission {
        case done
        /// Another serial had begun before.
        case stale
        /// Another serial began while it waited for room.
        case brokenOff
    }

    /// Puts a picture at the end of the queue when there is room.
    /// - Parameter reach: the media time that decoding has reached with it; nil: the state knows.
    @discardableResult
    private func emit(
        _ frame: VideoFrame, media: MediaTime, _ segment: Segment, reach: MediaTime? = nil
    ) -> Emission {
        follow(frame.presentationSize, of: segment, isFirst: !progress.hasEmitted)
        if !progress.hasEmitted, segment.hasVideo { segment.entry.hasShown() }
        progress.hasEmitted = true
        var isTaken = false
        let placing: PipelineState.Placing? = context.state.wait(.video) { state in
            guard !state.isClosed, state.serial == serial else { return .found(nil) }
            if !isTaken, let reach { state.feed.videoReach = reach }
            isTaken = true
            if !state.hasRoom(forPictureOf: segment) {
                let again = state.letPass()
                if !state.hasRoom(forPictureOf: segment) { return again.map { .waitUntil($0) } ?? .wait }
            }
            return .found(state.place(frame, media: media, of: segment))
        }
        switch placing {
        case nil: return isTaken ? .brokenOff : .stale
        case .placed: isFarBehind = false
        case .late(let isFarBehind):
            self.isFarBehind = isFarBehind
            noteLatePicture()
        case .beyondEnd(let isOver): progress.isOver = isOver
        }
        return .done
    }

    /// Pictures may change their size and shape in mid-stream, with or without another decoder.
    /// - Parameter isFirst: Whether this is the segment's first frame; the item's description may have changed.
    private func follow(_ size: CGSize, of segment: Segment, isFirst: Bool) {
        let described = segment.description.presentationSize
        let known = lastSize.flatMap { $0.entry === segment.entry ? $0.size : nil } ?? described
        lastSize = (segment.entry, size)
        guard size != known || isFirst && size != described else { return }
        ifCurrent { $0.tell(.presentationSize(segment.entry, size)) }
    }

    private func noteLatePicture() {
        guard let buffer = context.state.withLock({ $0.buffering.source?.buffer }) else { return }
        if latePictures.note(at: .now()) { buffer.decodingIsTooSlow() }
    }
}

/// Pictures that came too late: a second's worth within five says that this machine cannot decode the rung. A hiccup is
/// not that.
struct LatePictures {
    private var times: [HostTime] = []

    /// - Returns: whether that is too many; then it counts anew.
    mutating func note(at now: HostTime) -> Bool {
        times.append(now)
        times.removeAll { now - $0 > 5_000_000_000 }
        guard times.count > 30 else { return false }
        times = []
        return true
    }
}
