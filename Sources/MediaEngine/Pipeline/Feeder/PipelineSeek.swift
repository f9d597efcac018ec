import MediaCore

/// Seeking. Every seek is a new `serial`: whoever meets a serial that is not his drops what he has and starts
/// anew, so nothing old is ever shown after a seek, and no thread has to be stopped for one. Seeks that arrive
/// while one runs are coalesced: the newest is carried out when the running one has shown its picture, the others
/// are answered `completed: false`. A seek to a place ahead whose keyframe has been read already does not go back
/// for it: the decoder goes on from where it is (`readOn`). Scrubbing is apart, in PipelineScrub.swift.
extension PlaybackPipeline {
    /// What a seek asks for, in the entry's media time.
    struct Seek {
        /// Its answer's number; 0: nobody waits for one.
        var id: UInt64
        var target: MediaTime
        var toleranceBefore: MediaTime
        var toleranceAfter: MediaTime
        var entry: PlaybackEntry
        /// The source itself has said where playing goes on, nearer to live maybe than one may seek.
        var isJump = false
        /// Beyond a loop's end it stands there, as one that does not loop; playing on begins the next pass.
        var holdsAtEnd = false
        /// The pass that begins there; nil: it stays in the one that is under way.
        var round: Int?
    }

    func seek(_ seek: Seek) {
        monitor.withLock {
            guard !isClosed else { return answer(seek.id, false) }
            if let waiting = pendingSeek { answer(waiting.id, false) }
            // Who goes elsewhere than in a loop has left the part that was repeated.
            if !seek.entry.loops { seek.entry.loopRange = nil }
            pendingSeek = seek
            breakOffJoin()
            if source != nil { interrupt.preempt() }
            feederCondition.broadcast()
        }
    }

    func answer(_ id: UInt64, _ completed: Bool) {
        if id != 0 { onEvent(.seekFinished(id: id, completed: completed)) }
    }

    /// An exact seek to where we are; with the monitor locked.
    func reseek() {
        guard let playing = playingSegment(), pendingSeek == nil else { return }
        pendingSeek = Seek(
            id: 0, target: mediaTime(in: playing), toleranceBefore: 0, toleranceAfter: 0, entry: playing.entry,
            holdsAtEnd: playing.holdsAtEnd)
        breakOffJoin()
        if source != nil { interrupt.preempt() }
        feederCondition.broadcast()
    }

    /// Carries out a seek to a place ahead by decoding on, if that place's keyframe lies behind us: going
    /// back to it would decode again what has been decoded. False when it takes a real seek. With the monitor locked.
    func readOn(to seek: Seek, _ feed: Feed) -> Bool {
        guard feed.clip == nil, !feedDone, let reader = feed.reader, let old = feed.segment, old.hasVideo,
            old.entry === seek.entry, feed.readerEntry === seek.entry, feed.readerSelection == seek.entry.selection,
            timeline.count == 1, timeline[0] === old, old.mediaLimit == nil, seek.entry.loopRange == nil,
            let reach = videoReach, seek.target >= reach, seek.target < old.description.duration ?? 0,
            // Sound is decoded from a little before the target; what the ring has swallowed is gone.
            !old.hasAudio || audioReach == .min || seek.target - 250_000_000 >= audioReach,
            reader.isSameGroup(seek.target, as: reach)
        else { return false }
        restartSerial(at: clock.now())
        let segment = Segment(
            index: nextSegmentIndex, entry: seek.entry, pass: 0, round: seek.entry.round,
            mediaStart: max(reach, seek.target - seek.toleranceBefore),
            description: old.description, clip: nil, startOffset: old.startOffset, mediaLimit: nil,
            outStart: clock.now(), continuesDecoding: true)
        nextSegmentIndex += 1
        timeline.append(segment)
        feed.segment = segment
        videoUnits.restart(segment)
        audioUnits.restart(segment)
        return true
    }

    func carryOut(_ seek: Seek, _ feed: Feed) {
        let entry = seek.entry
        let (selection, loops, refuses) = monitor.withLock {
            if let round = seek.round { entry.round = round }
            return (entry.selection, entry.loops, entry.refusesClip || entry.loopRange != nil || crossfade > 0)
        }
        let clipFits =
            feed.clip != nil && feed.segment?.entry === entry && feed.clipKey?.selection == selection && !refuses
        let readerFits = feed.reader != nil && feed.readerEntry === entry && feed.readerSelection == selection
        if !(clipFits || (readerFits && feed.clip == nil)) {
            feed.dropClip()
            feed.dropReader()
            if let error = prepare(entry, feed, isLooping: loops, for: seek.target) {
                return giveUp(seek, error, instead: wantedInstead(of: error))
            }
        }
        let description = feed.clip?.description ?? feed.reader?.description
        let length = feed.clip?.end ?? description?.duration
        let holds = seek.holdsAtEnd && loops
        var within = max(0, length.map { min(seek.target, $0) } ?? seek.target)
        if holds, let end = feed.clip?.end ?? entry.loopRange?.upperBound { within = max(0, min(within, end - 1)) }
        let target = feed.clip == nil && !seek.isJump ? feed.reader?.clamped(within) ?? within : within
        var mediaStart = target
        if feed.clip == nil, let reader = feed.reader {
            var asked = target
            if let error = reader.seek(to: asked) {
                // Some sources only go back to their start; from there everything can be reached.
                if let worse = reader.rewind(keepingPackets: false) {
                    return giveUp(seek, worse.code == .readFailed ? error : worse, instead: wantedInstead())
                }
                asked = 0
            }
            let primed = landing(reader, target: target, asked: asked)
            // Whatever lies within the tolerance and needs no decoding beyond a keyframe is taken.
            if let key = primed.keyframe, key <= target, target - key <= seek.toleranceBefore {
                mediaStart = key
            } else if seek.toleranceBefore > 0 {
                mediaStart = max(primed.keyframe ?? 0, target - min(seek.toleranceBefore, target))
            }
            // From a place that is gone time would go on, or wait, through what never comes.
            if let place = reader.movedTo { mediaStart = max(mediaStart, place) }
            begin(entry, pass: 0, mediaStart: mediaStart, outStart: clock.now(), holdsAtEnd: holds, feed)
            monitor.withLock {
                for (packet, isVideo) in primed.packets {
                    if isVideo { videoUnits.append(.packet(packet)) } else { audioUnits.append(.packet(packet)) }
                }
                videoCondition.signal()
                audioCondition.signal()
            }
            return
        }
        begin(entry, pass: 0, mediaStart: mediaStart, outStart: clock.now(), holdsAtEnd: holds, feed)
    }

    /// The running seek cannot be carried out: because of a newer one or another item, which come next, or for good.
    private func giveUp(_ seek: Seek, _ error: AVError, instead want: Want?) {
        if want == nil { failed(seek.entry, error) }
        monitor.withLock {
            if let running = runningSeek { answer(running.id, false) }
            runningSeek = nil
        }
    }

    /// Reads up to the first video packet after a container seek and makes sure it is not beyond the
    /// target: containers index by decode time, and with reordered frames that lies before presentation.
    private func landing(_ reader: any PacketReader, target: MediaTime, asked: MediaTime) -> (
        packets: [(MediaPacket, Bool)], keyframe: MediaTime?
    ) {
        var asked = asked
        var step: MediaTime = 500_000_000
        while true {
            var packets: [(MediaPacket, Bool)] = []
            var keyframe: MediaTime?
            reading: for _ in 0..<16_384 {
                switch reader.next() {
                case .video(let packet):
                    // Without an index the search lands anywhere; nothing before a keyframe can be shown.
                    guard packet.isKey, let pts = packet.pts else { continue }
                    packets.append((packet, true))
                    keyframe = pts
                    break reading
                case .audio(let packet):
                    packets.append((packet, false))
                    if reader.description.video == nil { break reading }
                // The segment begins with what the reader then has.
                case .other, .track: continue
                case .end, .failed, .jump: break reading
                }
            }
            let isTooLate =
                reader.description.video != nil ? (keyframe ?? .max) > target : (packets.first?.0.pts ?? .max) > target
            guard isTooLate, asked > 0, reader.movedTo == nil else { return (packets, keyframe) }
            asked = max(0, asked - step)
            step = step * 4
            if reader.seek(to: asked) != nil { return (packets, keyframe) }
        }
    }
}
