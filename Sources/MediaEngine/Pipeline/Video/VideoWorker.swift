import Foundation
import MediaCore

/// The video thread's work: decodes packets, or takes the frames of a decoded clip, and puts them into the frame queue.
final class VideoWorker {
    private let context: PipelineContext
    /// The serial and the decoding run of the current units.
    private var serial = -1
    private var decodeRun = -1
    /// The frames of the decoding run with which a seek that continues decoding can begin: the displayed one and all
    /// that follow it.
    private var recent: [VideoDecoder.Output] = []
    /// The end of the last frame that may not have been decoded, because no other frame needs it.
    private var gapEnd = MediaTime.min
    /// Frames that the decoder returned while a new serial began. A seek that continues decoding may need any of them.
    private var leftOver: [VideoDecoder.Output] = []
    private var segment: Segment?
    private var decoder: VideoDecoder?
    private var decoderEntry: PlaybackEntry?
    private var progress = Progress()
    private var isFarBehind = false
    /// Counts that are added to the state the next time it is locked.
    private var uncounted = (decoded: 0, skipped: 0)
    private var lateFrames = LateFrames()
    /// The size of the last frame that was placed in the queue, and its entry.
    private var lastSize: (entry: PlaybackEntry, size: CGSize)?

    init(_ context: PipelineContext) { self.context = context }

    /// The progress of decoding in a segment.
    private struct Progress {
        /// The newest frame at or before the target of the seek. It is displayed when the next frame is after the
        /// target.
        var candidate: VideoDecoder.Output?
        var hasEmitted = false
        /// Whether the next item has begun, so that no more frames of this segment are needed.
        var isOver = false
        /// The number of packets that the decoder has taken in this segment.
        var taken = 0
        /// The decoder's counters at the start of the segment.
        var failedBefore = 0
        var decodedBefore = 0
    }

    private enum Task {
        case close
        /// A new serial. If `keepsDecoding` is `true`, it uses the same packets and the decoder's current state.
        case restart(keepsDecoding: Bool)
        case unit(UnitQueue.Unit)
    }

    /// Runs until the pipeline is closed.
    func run() {
        while true {
            let task: Task = context.state.wait(.video) { state in
                count(in: &state)
                if state.isClosed { return .found(.close) }
                if state.serial != serial {
                    let keepsDecoding = decodeRun == state.run.decodeRun
                    (serial, decodeRun) = (state.serial, state.run.decodeRun)
                    return .found(.restart(keepsDecoding: keepsDecoding))
                }
                if state.isResting { return .waitUntil(state.frames.restsUntil) }
                if let unit = state.takeVideoUnit() { return .found(.unit(unit)) }
                return (state.waitForPackets() ?? state.letPass()).map { .waitUntil($0) } ?? .wait
            }
            switch task {
            case .close: return
            case .restart(let keepsDecoding): restart(keepsDecoding: keepsDecoding)
            case .unit(.start(let segment)): start(segment)
            case .unit(.packet(let packet)): decode(packet)
            case .unit(.videoTrack(let track)): change(to: track)
            case .unit(.audioTrack): continue
            case .unit(.end(let segment)): end(segment)
            case .unit(.endOfStream): ifCurrent { $0.videoDidEnd() }
            }
        }
    }

    /// Calls `body` with the state locked, unless a new serial has begun.
    private func ifCurrent(_ body: (inout PipelineState) -> Void) {
        context.state.withLock { if $0.serial == serial { body(&$0) } }
    }
    private func count(in state: inout PipelineState) {
        state.statistics.framesDecoded += uncounted.decoded
        state.frames.didSkip(uncounted.skipped)
        uncounted = (0, 0)
    }
    private var isCurrent: Bool { context.state.withLock { !$0.isClosed && $0.serial == serial } }

    private func restart(keepsDecoding: Bool) {
        if !keepsDecoding {
            decoder?.flush()
            recent = []
            leftOver = []
            gapEnd = .min
        }
        isFarBehind = false
        progress.candidate = nil
        segment = nil
    }

    // MARK: a segment

    private func start(_ segment: Segment) {
        self.segment = segment
        progress = Progress()
        let waiting = segment.continuesDecoding ? recent + leftOver : []
        recent = []
        leftOver = []
        if let clip = segment.clip {
            decoder = nil
            return play(clip, segment)
        }
        guard let track = segment.description.video else {
            if let still = segment.description.still {
                emit(still, media: segment.mediaStart, segment)
            } else {
                // The frames of the previous segment can still wait for their time. A display removes the last of them
                // when this segment begins.
                ifCurrent { state in
                    state.removeFormerFrame(at: state.now)
                    state.firstFrameReady()
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
        for output in waiting { take(output, segment, isNew: false) }
    }

    /// The number of threads that decode a large video track. A thread waits for rows of the frame before its own. On
    /// fewer than 4 cores, twice as many threads keep the cores busy (measured: 3 % less time to a seek's target). Each
    /// further thread delays the first frame by a packet, so with more cores there is one thread per core, at most 16.
    private static let decodingThreads: Int32 = {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return Int32(cores < 4 ? 2 * cores : min(16, cores))
    }()

    private func open(_ track: VideoTrackDescription, _ segment: Segment) {
        do {
            // Passing small frames between threads takes longer than decoding them on one thread.
            let threads = track.pixelCount <= 640 * 360 ? 1 : VideoWorker.decodingThreads
            decoder = try VideoDecoder(
                track: track, startOffset: segment.startOffset, location: segment.entry.url.location, threads: threads)
            decoderEntry = segment.entry
        } catch {
            decoder = nil
            context.state.withLock { $0.trackFailed(.video, of: segment, error) }
        }
    }

    /// The number of packets and the length of video after which a working decoder must have returned a frame, whatever
    /// its delay.
    private static let mostPackets = 64
    private static let longestSilence: MediaTime = 2_000_000_000
    /// The factor for these limits if the video has no audio, because nothing else can play.
    private static let videoOnlyFactor = 8

    /// Reports a decoder that returns no frames, so that the audio plays without video.
    private func checkForMissingOutput(_ packet: MediaPacket, _ segment: Segment, _ decoder: VideoDecoder) {
        guard decoder.decodedFrames == progress.decodedBefore, !progress.hasEmitted, progress.candidate == nil else {
            return
        }
        progress.taken += 1
        let times = segment.hasAudio ? 1 : VideoWorker.videoOnlyFactor
        guard progress.taken >= VideoWorker.mostPackets * times,
            (packet.pts ?? 0) - segment.mediaStart >= VideoWorker.longestSilence * times
        else { return }
        progress.taken = .min
        let error = nothingDecoded(decoder)
        ifCurrent { state in
            if segment.entry.hasDecodedFrame {
                state.firstFrameReady()
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

    /// Changes the decoder. The frames that the old decoder still holds are taken first, so none is lost when the
    /// variant changes.
    private func change(to track: VideoTrackDescription) {
        guard let segment else { return }
        drain(segment)
        guard isCurrent else { return }
        open(track, segment)
        progress.failedBefore = 0
    }

    /// Takes the frames that the decoder still holds.
    private func drain(_ segment: Segment) {
        guard let decoder else { return }
        let before = decoder.decodedFrames
        decoder.decode(nil) { output in take(output, segment) }
        uncounted.decoded += decoder.decodedFrames - before
    }

    private func end(_ segment: Segment) {
        if segment.clip == nil, let decoder, segment.hasVideo {
            drain(segment)
            // A seek beyond the last frame displays the last frame.
            if !progress.hasEmitted, let candidate = progress.candidate {
                emit(candidate.frame, media: candidate.pts, segment)
            }
            if !progress.hasEmitted, segment.pass == 0, decoder.failedPackets > progress.failedBefore,
                !segment.entry.hasDecodedFrame
            {
                let error = nothingDecoded(decoder)
                ifCurrent { $0.trackFailed(.video, of: segment, error) }
            }
            decoder.flush()
        }
        progress.candidate = nil
        recent = []
        ifCurrent { state in
            state.firstFrameReady()
            state.didDecodeAllVideo(segment)
        }
    }

    // MARK: decoding

    private func decode(_ packet: MediaPacket) {
        guard !progress.isOver, let decoder, let segment else { return }
        // Before the target of a seek, only frames that other frames need are decoded.
        let isBefore = decoder.track.hasEnded(packet, by: segment.mediaStart)
        let before = decoder.decodedFrames
        let skipped = decoder.skippedPackets
        let mayLeaveOut = (isBefore || isFarBehind) && beginGap(packet, decoder.track)
        decoder.decode(packet, keepOnlyReferences: mayLeaveOut) { output in take(output, segment) }
        checkForMissingOutput(packet, segment, decoder)
        uncounted.decoded += decoder.decodedFrames - before
        uncounted.skipped += isBefore ? 0 : decoder.skippedPackets - skipped
    }

    /// Records that the frame of `packet` may be left out, so that no seek continues decoding before its end.
    ///
    /// - Returns: `false` if a new serial has begun. It may need the frame.
    private func beginGap(_ packet: MediaPacket, _ track: VideoTrackDescription) -> Bool {
        let end = max(gapEnd, packet.end ?? .max)
        let isCurrent = context.state.withLock { state -> Bool in
            guard state.serial == serial else { return false }
            state.feed.videoStart = state.feed.videoStart.map { max($0, end + track.displayMargin) }
            return true
        }
        if isCurrent { gapEnd = end }
        return isCurrent
    }

    /// Passes on a decoded frame. After an exact seek, the first frame is the one that is displayed at the target time.
    ///
    /// - Parameter isNew: Whether the frame was not passed on before. Captions in a frame are read once.
    private func take(_ output: VideoDecoder.Output, _ segment: Segment, isNew: Bool = true) {
        if isNew { segment.entry.subtitles.take(output.frame, at: output.pts) }
        if progress.hasEmitted, segment.mediaLimit.map({ output.pts < $0 }) ?? true {
            // The usual case, with one lock.
            if emit(output.frame, media: output.pts, segment, from: output) == .stale { leftOver.append(output) }
            return
        }
        let isWanted = context.state.withLock { state -> Bool in
            guard state.serial == serial, !state.isClosed else { return false }
            keep(output, of: segment, &state)
            return true
        }
        guard isWanted else { return leftOver.append(output) }
        if let limit = segment.mediaLimit, output.pts >= limit { return }
        if !progress.hasEmitted, self.segment === segment {
            if output.pts.hasBegun(by: segment.mediaStart) {
                // If durations are reliable, the end of this frame shows whether it is displayed at the target.
                // Otherwise only the time of the next frame shows this.
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

    /// Keeps a decoded frame for a seek that continues decoding. Called with the state locked.
    private func keep(_ output: VideoDecoder.Output, of segment: Segment, _ state: inout PipelineState) {
        let isBefore = !progress.hasEmitted && output.pts.hasBegun(by: segment.mediaStart)
        if isBefore || recent.last.map({ $0.pts < gapEnd }) == true { recent = [] }
        recent.append(output)
        let displayed = state.frames.firstTime(of: segment) ?? .min
        // The queue, the displayed frame and this one.
        let count = recent.count - (FrameQueue.capacity + 2)
        recent.removeFirst(max(count, recent.firstIndex { $0.pts >= displayed } ?? 0, 0))
        let gap = gapEnd + (decoder?.track.displayMargin ?? 0)
        state.feed.videoStart = recent.first.map { max($0.pts, gap) }
    }

    // MARK: a decoded clip

    private func play(_ clip: DecodedClip, _ segment: Segment) {
        var index: Int?
        while true {
            // The clip's listener wakes all threads under this lock, so no wake-up is lost between the check and the
            // wait.
            let next: DecodedClip.Frame? = context.state.wait(.video) { state in
                guard !state.isClosed, state.serial == serial else { return .found(nil) }
                switch index.map(DecodedClip.IndexResult.index) ?? clip.index(at: segment.mediaStart) {
                case .notYet: return .wait
                // The clip was abandoned. The feeder reads the file instead.
                case .never: return .found(nil)
                case .index(let current):
                    index = current
                    switch clip.frame(at: current) {
                    case .frame(let frame): return .found(frame)
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

    // MARK: frame queue

    private enum Emission {
        case done
        /// Another serial had begun before the frame was taken.
        case stale
        /// Another serial began while the frame waited for space.
        case interrupted
    }

    /// Appends a frame to the queue. Waits until the queue has space.
    ///
    /// - Parameter output: The decoder's output, if it was not kept yet for a seek that continues decoding.
    @discardableResult
    private func emit(
        _ frame: VideoFrame, media: MediaTime, _ segment: Segment, from output: VideoDecoder.Output? = nil
    ) -> Emission {
        follow(frame.presentationSize, of: segment, isFirst: !progress.hasEmitted)
        if !progress.hasEmitted, segment.hasVideo { segment.entry.didDecodeFrame() }
        progress.hasEmitted = true
        var isTaken = false
        let result: PipelineState.EnqueueResult? = context.state.wait(.video) { state in
            guard !state.isClosed, state.serial == serial else { return .found(nil) }
            if !isTaken, let output { keep(output, of: segment, &state) }
            isTaken = true
            if !state.hasSpace(forFrameOf: segment) {
                let nextCheck = state.letPass()
                if !state.hasSpace(forFrameOf: segment) { return nextCheck.map { .waitUntil($0) } ?? .wait }
            }
            return .found(state.enqueue(frame, media: media, of: segment))
        }
        switch result {
        case nil: return isTaken ? .interrupted : .stale
        case .enqueued: isFarBehind = false
        case .late(let isFarBehind):
            self.isFarBehind = isFarBehind
            recordLateFrame()
        case .beyondEnd(let isOver): progress.isOver = isOver
        }
        return .done
    }

    /// Reports a new frame size. The size and shape may change within a stream, with or without another decoder.
    ///
    /// - Parameter isFirst: Whether this is the segment's first frame; the item's description may have changed.
    private func follow(_ size: CGSize, of segment: Segment, isFirst: Bool) {
        let described = segment.description.presentationSize
        let known = lastSize.flatMap { $0.entry === segment.entry ? $0.size : nil } ?? described
        lastSize = (segment.entry, size)
        guard size != known || isFirst && size != described else { return }
        ifCurrent { $0.report(.presentationSize(segment.entry, size)) }
    }

    private func recordLateFrame() {
        guard let buffer = context.state.withLock({ $0.buffering.source?.buffer }) else { return }
        if lateFrames.note(at: .now()) { buffer.decodingIsTooSlow() }
    }
}

/// A counter of late frames. More than 30 within 5 s mean that this machine cannot decode the variant in time. A short
/// delay does not.
struct LateFrames {
    private var times: [HostTime] = []

    /// Counts a frame that was late at `now`.
    ///
    /// - Returns: Whether there were too many. The count then restarts at 0.
    mutating func note(at now: HostTime) -> Bool {
        times.append(now)
        times.removeAll { now - $0 > 5_000_000_000 }
        guard times.count > 30 else { return false }
        times = []
        return true
    }
}
