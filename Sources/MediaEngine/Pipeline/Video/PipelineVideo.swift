import Foundation
import MediaCore

/// The video thread: packets (or a clip's pictures) into the frame queue; and the display's pull.
extension PlaybackPipeline {
    /// What only the video thread touches.
    private final class VideoWork {
        var serial = -1
        var run = -1
        /// The newest picture of the run, and those that came out while a new serial began: a seek that
        /// reads on may want any of them.
        var newest: VideoDecoder.Output?
        var leftOver: [VideoDecoder.Output] = []
        var segment: Segment?
        var decoder: VideoDecoder?
        var decoderEntry: PlaybackEntry?
        /// The newest picture at or before the seek's target; shown when the next one is beyond it.
        var candidate: VideoDecoder.Output?
        var hasEmitted = false
        var lastFailures = 0
        var isFarBehind = false
        /// The item after it has begun: no more of its pictures are wanted.
        var isOver = false
        /// Host times of the newest pictures that came too late.
        var latePictures: [HostTime] = []
    }

    func videoMain() {
        let work = VideoWork()
        while true {
            monitor.lock()
            while !isClosed, serial == work.serial {
                if isResting {
                    videoCondition.wait(until: restsUntil)
                } else if videoUnits.isEmpty {
                    if !waitStarving() { waitPruning() }
                } else {
                    break
                }
            }
            if isClosed {
                monitor.unlock()
                return
            }
            if serial != work.serial {
                work.serial = serial
                let goesOn = work.run == decodeRun
                work.run = decodeRun
                monitor.unlock()
                if !goesOn {
                    work.decoder?.flush()
                    work.newest = nil
                    work.leftOver = []
                }
                work.candidate = nil
                work.segment = nil
                continue
            }
            let unit = videoUnits.popFirst()
            feederCondition.signal()
            monitor.unlock()
            switch unit {
            case .start(let segment): startVideo(segment, work)
            case .packet(let packet): decode(packet, work)
            case .videoTrack(let track): changeVideo(track, work)
            case .end(let segment): endVideo(segment, work)
            case .audioTrack: continue
            case .endOfStream:
                monitor.withLock {
                    guard serial == work.serial else { return }
                    videoEnded = true
                    if let end = timeline.last?.outEnd { clock.setCeiling(end) }
                    updateRunning()
                }
            case nil: continue
            }
        }
    }

    private func startVideo(_ segment: Segment, _ work: VideoWork) {
        work.segment = segment
        work.candidate = nil
        work.hasEmitted = false
        work.isOver = false
        if let clip = segment.clip {
            work.decoder = nil
            return play(clip, segment, work)
        }
        guard let track = segment.description.video else {
            if let still = segment.description.still {
                emit(still, media: segment.mediaStart, segment, work)
            } else {
                monitor.withLock {
                    guard serial == work.serial else { return }
                    hasFirstPicture = true
                    frames.forget()
                    updateRunning()
                    wakeDisplays()
                }
            }
            return
        }
        if let decoder = work.decoder, work.decoderEntry === segment.entry,
            decoder.track.parameters === track.parameters
        {
            if !segment.continuesDecoding { decoder.flush() }
        } else {
            openVideo(track, segment, work)
        }
        work.lastFailures = work.decoder?.failedPackets ?? 0
        guard segment.continuesDecoding else { return }
        let waiting = [work.newest].compactMap { $0 } + work.leftOver
        work.leftOver = []
        for output in waiting { take(output, segment, work) }
    }

    private func openVideo(_ track: VideoTrackDescription, _ segment: Segment, _ work: VideoWork) {
        do {
            // Small pictures decode faster on one thread than it takes to hand them around.
            let threads = track.pixelCount <= 640 * 360 ? 1 : PlaybackPipeline.decodingThreads
            work.decoder = try VideoDecoder(
                track: track, startOffset: segment.startOffset, location: segment.entry.url.location, threads: threads)
            work.decoderEntry = segment.entry
        } catch {
            work.decoder = nil
            onEvent(.failed(segment.entry, error))
        }
    }

    /// What the old decoder still holds comes before the new one's first picture: no picture is lost between rungs.
    private func changeVideo(_ track: VideoTrackDescription, _ work: VideoWork) {
        guard let segment = work.segment else { return }
        if let decoder = work.decoder {
            let before = decoder.decodedFrames
            decoder.decode(nil) { [self] output in take(output, segment, work) }
            let more = decoder.decodedFrames - before
            if more > 0 { monitor.withLock { statistics.framesDecoded += more } }
        }
        guard monitor.withLock({ serial == work.serial }) else { return }
        openVideo(track, segment, work)
        work.lastFailures = 0
        onEvent(.presentationSize(segment.entry, track.presentationSize))
    }

    /// Threads for one large picture track. A thread waits for rows of the picture before its own, so on few
    /// cores twice as many keep them busy (measured: 3 % less to a seek's target); each one more also means
    /// one more packet before the first picture comes out, so with more cores there are as many as those.
    private static let decodingThreads: Int32 = {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return Int32(cores < 4 ? 2 * cores : min(16, cores))
    }()

    private func decode(_ packet: MediaPacket, _ work: VideoWork) {
        guard !work.isOver, let decoder = work.decoder, let segment = work.segment else { return }
        // On the way to a seek's target only what other pictures need is decoded.
        // Where durations cannot be believed, a picture may stand longer than its packet says.
        let margin: MediaTime =
            decoder.track.hasReliableDurations ? 0 : 2 * max(decoder.track.frameDuration, 20_000_000)
        let isBefore = (packet.end ?? .max) <= segment.mediaStart - margin
        let before = decoder.decodedFrames
        let skipped = decoder.skippedPackets
        decoder.decode(packet, keepOnlyReferences: isBefore || work.isFarBehind) { [self] output in
            take(output, segment, work)
        }
        let more = decoder.decodedFrames - before
        let less = isBefore ? 0 : decoder.skippedPackets - skipped
        guard more + less > 0 else { return }
        monitor.withLock {
            statistics.framesDecoded += more
            frames.leftOut(less)
        }
    }

    /// The exact-seek rule: the picture that *stands* at the target is the first one shown.
    private func take(_ output: VideoDecoder.Output, _ segment: Segment, _ work: VideoWork) {
        segment.entry.subtitles.take(output.frame, at: output.pts)
        let isWanted = monitor.withLock { () -> Bool in
            guard serial == work.serial, !isClosed else { return false }
            videoReach = output.pts
            return true
        }
        guard isWanted else { return work.leftOver.append(output) }
        work.newest = output
        if let limit = segment.mediaLimit, output.pts >= limit { return }
        if !work.hasEmitted, work.segment === segment {
            if output.pts <= segment.mediaStart {
                // Its own end says it is the one, where durations can be believed; else the next one tells.
                if segment.description.video?.hasReliableDurations == true, output.end > segment.mediaStart {
                    work.candidate = nil
                    emit(output.frame, media: output.pts, segment, work)
                } else {
                    work.candidate = output
                }
                return
            }
            if let candidate = work.candidate {
                work.candidate = nil
                emit(candidate.frame, media: candidate.pts, segment, work)
            }
        }
        emit(output.frame, media: output.pts, segment, work)
    }

    private func endVideo(_ segment: Segment, _ work: VideoWork) {
        if segment.clip == nil, let decoder = work.decoder, segment.hasVideo {
            let before = decoder.decodedFrames
            decoder.decode(nil) { [self] output in take(output, segment, work) }
            let more = decoder.decodedFrames - before
            if more > 0 { monitor.withLock { statistics.framesDecoded += more } }
            // A seek beyond the last picture shows the last picture.
            if !work.hasEmitted, let candidate = work.candidate {
                emit(candidate.frame, media: candidate.pts, segment, work)
            }
            if !work.hasEmitted, segment.pass == 0, decoder.failedPackets > work.lastFailures,
                monitor.withLock({ serial == work.serial })
            {
                onEvent(
                    .failed(
                        segment.entry,
                        AVError(
                            .decodeFailed, at: segment.entry.url.location,
                            reason:
                                "not one picture of its \(decoder.track.parameters.codecName) track could be decoded",
                            suggestion: "Copy or download it again")))
            }
            decoder.flush()
        }
        work.candidate = nil
        monitor.withLock {
            guard serial == work.serial else { return }
            if !hasFirstPicture {
                hasFirstPicture = true
                updateRunning()
                // There is none: displays need wait no longer.
                wakeDisplays()
            }
            segment.videoIsOver = true
            reportNothing(segment)
        }
    }

    // MARK: a decoded clip

    private func play(_ clip: DecodedClip, _ segment: Segment, _ work: VideoWork) {
        var index: Int?
        while true {
            let answer: DecodedClip.PictureAnswer
            if index == nil { index = clip.index(at: segment.mediaStart) }
            // No index means "not decoded when asked"; if the clip was completed since, the next round has one.
            if let index { answer = clip.picture(at: index) } else { answer = .notYet }
            switch answer {
            case .picture(let picture):
                segment.entry.subtitles.take(picture.frame, at: picture.pts)
                guard emit(picture.frame, media: picture.pts, segment, work) else { return }
                index = (index ?? 0) + 1
            case .pastEnd:
                return
            case .notYet:
                let stays = monitor.withLock { () -> Bool in
                    // The clip's listener wakes all threads under this lock, so no wake is missed
                    // between asking again and waiting.
                    if isClosed || serial != work.serial { return false }
                    if case .notYet = index.map({ clip.picture(at: $0) }) ?? .notYet, clip.currentState == .loading,
                        index != nil || clip.index(at: segment.mediaStart) == nil
                    {
                        videoCondition.wait()
                    }
                    return !isClosed && serial == work.serial
                }
                if !stays { return }
            }
        }
    }

    // MARK: the frame queue

    /// Puts a picture at the end of the queue when there is room; false when it is no longer wanted.
    @discardableResult
    private func emit(_ frame: VideoFrame, media: MediaTime, _ segment: Segment, _ work: VideoWork) -> Bool {
        work.hasEmitted = true
        monitor.lock()
        defer { monitor.unlock() }
        segment.entry.hasShown = true
        while !isClosed, serial == work.serial, segment.outStart == nil || frames.isFull { waitPruning() }
        guard !isClosed, serial == work.serial, let start = segment.outStart else { return false }
        // Beyond the seam (sound is a little shorter): the next pass's first picture takes over.
        let out = max(start, segment.timelineTime(of: media, from: start))
        if let end = segment.pictureEnd ?? segment.outEnd, out >= end, media > segment.mediaStart {
            work.isOver = segment.pictureEnd != nil
            return true
        }
        let (arrival, isFarBehind) = frames.arrival(due: out, now: clock.now(), isRunning: clock.isRunning)
        work.isFarBehind = isFarBehind
        if arrival != .inTime { noteLatePicture(work) }
        if arrival == .tooLate {
            frames.leftOut()
            return true
        }
        frames.append(frame, of: segment, media: media, out: out)
        if !hasFirstPicture {
            hasFirstPicture = true
            restsUntil = .now() + PlaybackPipeline.rest
            updateRunning()
            wakeDisplays()
        } else if !clock.isRunning {
            wakeDisplays()
        }
        return true
    }

    /// A second's worth of late pictures within five: this machine cannot decode the rung. A hiccup is not that. With
    /// the monitor locked.
    private func noteLatePicture(_ work: VideoWork) {
        guard let buffer = source?.buffer else { return }
        let now = HostTime.now()
        work.latePictures.append(now)
        work.latePictures.removeAll { now - $0 > 5_000_000_000 }
        guard work.latePictures.count > 30 else { return }
        work.latePictures = []
        buffer.decodingIsTooSlow()
    }

    /// A paused player has shown its seek's picture, and the next seek may come at once: somebody drags a
    /// slider. It would have to wait for pictures decoded ahead that nobody wants. With the monitor locked.
    private var isResting: Bool { hasFirstPicture && desiredRate == 0 && HostTime.now() < restsUntil }

    /// Waits for room or news; pictures nobody pulls go by as time does, so that a hidden player keeps
    /// its place without drawing. With the monitor locked.
    private func waitPruning() {
        guard clock.isRunning, let due = frames.passing.flatMap({ clock.hostTime(for: $0) }) else {
            return videoCondition.wait()
        }
        let late = due + 100_000_000
        videoCondition.wait(until: late)
        if HostTime.now() >= late, frames.advance(to: clock.now(), &statistics) { videoCondition.signal() }
    }

    // MARK: VideoFrameSource

    func pull(forHostTime hostTime: HostTime) -> PulledFrame? {
        monitor.withLock {
            let t = clock.now(hostTime)
            let (picture, madeRoom) = frames.pull(
                at: t, now: .now(), speed: clock.isRunning ? desiredRate : nil, &statistics)
            if madeRoom { videoCondition.signal() }
            return picture.map { PulledFrame(frame: $0.frame, sequence: $0.sequence) }
        }
    }

    func didPresent(sequence: UInt64, atHostTime hostTime: HostTime) {
        monitor.withLock {
            guard let picture = frames.presented(sequence, &statistics), clock.isRunning else { return }
            let late = Double((clock.now(hostTime) - picture.out).nanoseconds) / 1e6
            if statistics.offsets.count >= 20_000 { statistics.offsets.removeFirst(10_000) }
            statistics.offsets.append(late)
        }
    }

    var isMoving: Bool { monitor.withLock { clock.isRunning || frames.isTurning } }

    var isChanging: Bool {
        monitor.withLock {
            guard !isClosed, let first = entries.first, first !== abandoned else { return false }
            // From the order on, while the picture before still stands: the display asks this first, and pulls then.
            return pendingOpen || !hasFirstPicture && frames.current?.segment.entry !== first
        }
    }

    /// `entry` has failed: no picture of it is waited for.
    func abandon(_ entry: PlaybackEntry) {
        monitor.withLock {
            abandoned = entry
            wakeDisplays()
        }
    }

    func addWakeHandler(_ wake: @escaping @Sendable () -> Void) -> Int {
        monitor.withLock {
            nextWakeToken += 1
            wakeHandlers[nextWakeToken] = wake
            return nextWakeToken
        }
    }

    /// A stream need not have more pixels than are shown.
    func isShown(width: Int, height: Int) {
        let entries = monitor.withLock {
            displaySize = (width, height)
            return self.entries
        }
        for entry in entries { entry.limit { $0.displaySize = .init(width: width, height: height) } }
    }

    func removeWakeHandler(_ token: Int) { monitor.withLock { wakeHandlers[token] = nil } }

    /// With the monitor locked; handlers only post to their own thread.
    func wakeDisplays() { for wake in wakeHandlers.values { wake() } }
}
