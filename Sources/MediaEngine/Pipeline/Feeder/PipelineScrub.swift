import MediaCore

/// Scrubbing: a paused player that is sought to a place that has not come yet, where any picture near it will do,
/// shows a single picture of its source's index at once. The place itself is loaded when playing goes on, or when an
/// exact seek asks for it.
extension PlaybackPipeline {
    /// How long a picture on its way may hold up a newer seek, nanoseconds.
    private static let scrubPatience: Int64 = 300_000_000

    /// With the monitor locked.
    /// - Parameter segment: what is being fed.
    func mayScrub(_ seek: Seek, _ segment: Segment?) -> Bool {
        guard desiredRate == 0, !clock.isRunning, seek.toleranceBefore > 0 || seek.toleranceAfter > 0,
            let segment, segment.entry === seek.entry, segment.hasVideo, segment.clip == nil,
            seek.entry.loopRange == nil,
            let (buffer, entry) = source, entry === seek.entry
        else { return false }
        return buffer.status(playhead: seek.target).ahead == 0
    }

    /// Answers `seek`, the running one, with a single picture and ends `isScrubbing`; false when the source has none
    /// for it. Feeder thread, which may wait here until another seek calls it away: that too counts as answered.
    func scrub(_ seek: Seek, in reader: any PacketReader, _ old: Segment, beginSerial: () -> Void) -> Bool {
        let earliest = max(0, seek.target - seek.toleranceBefore)
        let allowed = earliest...max(earliest, seek.target + seek.toleranceAfter)
        let picture: VideoFrame?
        do throws(AVError) {
            // Who drags a slider asks again before anything can come: what is on its way is let come, for a while.
            let interrupt = interrupt
            let patience = HostTime.now() + PlaybackPipeline.scrubPatience
            picture = try reader.keyPicture(nearest: seek.target, in: allowed) {
                interrupt.isInterrupted || interrupt.isPreempted && HostTime.now() > patience
            }
        } catch {
            picture = nil
            let isOver = monitor.withLock { () -> Bool in
                isScrubbing = false
                guard let running = runningSeek else { return true }
                // Called away without a cause that is still there.
                guard pendingSeek != nil || pendingOpen || isClosed else { return false }
                runningSeek = nil
                answer(running.id, false)
                return true
            }
            if isOver { return true }
        }
        return monitor.withLock {
            isScrubbing = false
            guard runningSeek != nil, !isClosed, !pendingOpen else { return true }
            guard let picture, let media = MediaTime(picture.presentationTime) else { return false }
            beginSerial()
            let now = clock.now()
            let segment = Segment(
                index: nextSegmentIndex, entry: seek.entry, pass: 0, round: seek.entry.round, mediaStart: media,
                description: old.description,
                clip: nil, startOffset: old.startOffset, mediaLimit: nil, outStart: now)
            nextSegmentIndex += 1
            timeline.append(segment)
            frames.stand(picture, of: segment, media: media, out: now, isFirst: true)
            hasFirstPicture = true
            // Nothing is there to play from here: playing on seeks to where the picture stands.
            soundIsStale = true
            runningSeek = nil
            answer(seek.id, true)
            onEvent(.readinessChanged)
            onEvent(.timelineChanged)
            wakeDisplays()
            if desiredRate > 0 { reseek() }
            return true
        }
    }
}
