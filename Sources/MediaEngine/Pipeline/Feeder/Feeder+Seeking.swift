import MediaCore

/// The execution of a seek according to its `SeekPlan`.
extension Feeder {
    /// The longest time for which loading a keyframe may delay a newer seek, in nanoseconds.
    private static let scrubTimeout: Int64 = 300_000_000

    /// Decides how to carry out `seek`. Called with the state locked.
    func plan(_ seek: SeekRequest, _ state: PipelineState) -> SeekPlan {
        let reading = PipelineState.Reading(
            segment: segment, entry: clip == nil && reader != nil ? readerEntry : nil, selection: readerSelection,
            canReadOn: !mustSeek)
        return SeekPlan.plan(seek, state.situation(of: seek, reading)) {
            reader?.isSameGroup($0, as: $1) ?? false
        }
    }

    /// Starts `seek` and decides how to carry it out. Called with the state locked.
    func begin(_ seek: SeekRequest, _ state: inout PipelineState) -> SeekPlan {
        let plan = plan(seek, state)
        switch plan {
        case .decodeOn(let start): segment = segment.map { state.decodeOn(seek, from: start, in: $0) }
        case .showKeyFrame: state.seeks.isScrubbing = true
        case .read: state.beginSerial()
        }
        return plan
    }

    /// Carries out `seek`: opens and reads, or waits for a keyframe. Called without the lock.
    func carryOut(_ seek: SeekRequest, _ plan: SeekPlan) {
        switch plan {
        case .decodeOn: return
        case .showKeyFrame:
            guard let segment, let reader, !showKeyFrame(seek, reader, in: segment) else { return }
            let continues = context.state.withLock { state -> Bool in
                guard !state.isClosed, !state.playlist.pendingOpen, state.seeks.running != nil else { return false }
                state.beginSerial()
                return true
            }
            if continues { read(seek) }
        case .read: read(seek)
        }
    }

    /// Completes `seek` with a single frame from the source's index. May wait until another seek interrupts it.
    ///
    /// - Returns: `false` if the index has no frame for the seek. An interrupted seek counts as completed.
    private func showKeyFrame(_ seek: SeekRequest, _ reader: any PacketReader, in old: Segment) -> Bool {
        let earliest = max(0, seek.target - seek.toleranceBefore)
        let allowed = earliest...max(earliest, seek.target + seek.toleranceAfter)
        do throws(AVError) {
            // While a slider is dragged, a newer seek always arrives before a frame is loaded. Let the load finish
            // within a time limit.
            let interrupt = context.interrupt
            let deadline = HostTime.now() + Feeder.scrubTimeout
            let frame = try reader.keyFrame(nearest: seek.target, in: allowed) {
                interrupt.isInterrupted || interrupt.isPreempted && HostTime.now() > deadline
            }
            return context.state.withLock { $0.showKeyFrame(frame, in: old) }
        } catch {
            return context.state.withLock { $0.keyFrameInterrupted() }
        }
    }

    /// Opens the entry of `seek` if it is not open, and reads from the target on.
    private func read(_ seek: SeekRequest) {
        let entry = seek.entry
        if let loopNumber = seek.loopNumber { entry.loopNumber = loopNumber }
        let selection = entry.selection
        let loops = entry.loops
        let refuses =
            entry.refusesClip || entry.loopRange != nil || context.state.withLock { $0.playlist.crossfade > 0 }
        let clipFits =
            clip != nil && segment?.entry === entry && clipKey?.selection == selection && !refuses
        let readerFits = clip == nil && reader != nil && readerEntry === entry && readerSelection == selection
        if !clipFits, !readerFits {
            dropClip()
            dropReader()
            if let error = prepare(entry, isLooping: loops, for: seek.target) {
                return giveUp(seek, error, isOpening: true)
            }
        }
        let holds = seek.holdsAtEnd && loops
        let target = SeekPlan.target(
            of: seek, length: clip?.end ?? description?.duration,
            stoppingBefore: holds ? clip?.end ?? entry.loopRange?.upperBound : nil)
        guard clip == nil, let reader else {
            return begin(entry, mediaStart: target, at: .now, holdsAtEnd: holds)
        }
        read(seek, to: seek.isJump ? target : reader.clamped(target), in: reader, holdsAtEnd: holds)
    }

    private func read(_ seek: SeekRequest, to target: MediaTime, in reader: any PacketReader, holdsAtEnd: Bool) {
        var readFrom = target
        if let error = self.seek(reader, to: readFrom) {
            guard reader.canDecodeFromStart else { return giveUp(seek, error, isOpening: false) }
            // Some sources can only rewind to the start. From there, every target can be reached by decoding.
            if let rewindError = rewind(reader, keepingPackets: false) {
                return giveUp(seek, rewindError.code == .readFailed ? error : rewindError, isOpening: false)
            }
            readFrom = 0
        }
        let landing = land(reader, target: target, readFrom: readFrom)
        let start = SeekPlan.start(seek, target: target, keyframe: landing.keyframe, movedTo: reader.movedTo)
        begin(seek.entry, mediaStart: start, at: .now, holdsAtEnd: holdsAtEnd)
        context.state.withLock { state in
            for (packet, isVideo) in landing.packets {
                if isVideo { state.appendVideo(packet) } else { state.appendAudio(packet) }
            }
        }
    }

    /// Ends the running seek, which cannot be carried out. If a newer seek or another item caused this, the feeder
    /// continues with it. Otherwise the entry has failed.
    private func giveUp(_ seek: SeekRequest, _ error: AVError, isOpening: Bool) {
        context.state.withLock { state in
            if state.wantedInstead(of: isOpening ? error : nil) == nil { state.failed(seek.entry, error) }
            state.giveWay()
        }
    }

    /// Reads up to the first keyframe after a seek in the container, or up to the first audio packet if there is no
    /// video. Seeks further back if that packet is after the target. Containers index by decode time, which is before
    /// the presentation time if frames are reordered.
    private func land(_ reader: any PacketReader, target: MediaTime, readFrom: MediaTime) -> (
        packets: [(MediaPacket, Bool)], keyframe: MediaTime?
    ) {
        var readFrom = readFrom
        var step: MediaTime = 500_000_000
        while true {
            var packets: [(MediaPacket, Bool)] = []
            var keyframe: MediaTime?
            reading: for _ in 0..<16_384 {
                switch next(reader) {
                case .video(let packet):
                    // Without an index, a seek can end anywhere. Frames before the first keyframe cannot be decoded.
                    guard packet.isKey, let pts = packet.pts else { continue }
                    packets.append((packet, true))
                    keyframe = pts
                    break reading
                case .audio(let packet):
                    packets.append((packet, false))
                    if reader.description.video == nil { break reading }
                // The segment begins with the reader's tracks at that time.
                case .other, .track: continue
                case .problem(let problem): if let readerEntry { context.report(.trackFailed(readerEntry, problem)) }
                case .end, .failed, .jump: break reading
                }
            }
            let first = reader.description.video != nil ? keyframe : packets.first?.0.pts
            let isTooLate = first.map { !$0.hasBegun(by: target) } ?? true
            // Before the earliest position, a live stream would continue at its live edge.
            let earliest = reader.clamped(0)
            guard isTooLate, readFrom > earliest, reader.movedTo == nil else { return (packets, keyframe) }
            readFrom = max(earliest, readFrom - step)
            step = step * 4
            if self.seek(reader, to: readFrom) != nil { return (packets, keyframe) }
        }
    }
}
