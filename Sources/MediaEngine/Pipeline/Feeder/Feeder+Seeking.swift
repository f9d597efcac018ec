import MediaCore

/// How a seek is carried out, as `SeekPlan` decides.
extension Feeder {
    /// How long a picture on its way may hold up a newer seek, nanoseconds.
    private static let scrubPatience: Int64 = 300_000_000

    /// `seek` is under way from now on.
    func begin(_ seek: SeekRequest, _ state: inout PipelineState) -> SeekPlan {
        let reading = PipelineState.Reading(
            segment: segment, entry: clip == nil && reader != nil ? readerEntry : nil, selection: readerSelection)
        let plan = SeekPlan.plan(seek, state.situation(of: seek, reading)) {
            reader?.isSameGroup($0, as: $1) ?? false
        }
        switch plan {
        case .decodeOn(let start): segment = segment.map { state.decodeOn(seek, from: start, in: $0) }
        case .showKeyPicture: state.seeks.isScrubbing = true
        case .read: state.beginSerial()
        }
        return plan
    }

    /// Without the lock: opens and reads, or waits.
    func carryOut(_ seek: SeekRequest, _ plan: SeekPlan) {
        switch plan {
        case .decodeOn: return
        case .showKeyPicture:
            guard let segment, let reader, !showKeyPicture(seek, reader, in: segment) else { return }
            let goesOn = context.state.withLock { state -> Bool in
                guard !state.isClosed, !state.playlist.pendingOpen, state.seeks.running != nil else { return false }
                state.beginSerial()
                return true
            }
            if goesOn { read(seek) }
        case .read: read(seek)
        }
    }

    /// Answers `seek` with a single picture of the source's index; false when it has none for it. May wait until
    /// another seek calls it away: that too counts as answered.
    private func showKeyPicture(_ seek: SeekRequest, _ reader: any PacketReader, in old: Segment) -> Bool {
        let earliest = max(0, seek.target - seek.toleranceBefore)
        let allowed = earliest...max(earliest, seek.target + seek.toleranceAfter)
        do throws(AVError) {
            // Who drags a slider asks again before anything can come: what is on its way is let come, for a while.
            let interrupt = context.interrupt
            let patience = HostTime.now() + Feeder.scrubPatience
            let picture = try reader.keyPicture(nearest: seek.target, in: allowed) {
                interrupt.isInterrupted || interrupt.isPreempted && HostTime.now() > patience
            }
            return context.state.withLock { $0.showKeyPicture(picture, in: old) }
        } catch {
            return context.state.withLock { $0.keyPictureBrokeOff() }
        }
    }

    /// Opens what is sought if it is not open, and reads from there.
    private func read(_ seek: SeekRequest) {
        let entry = seek.entry
        if let round = seek.round { entry.round = round }
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
            standingBefore: holds ? clip?.end ?? entry.loopRange?.upperBound : nil)
        guard clip == nil, let reader else {
            return begin(entry, mediaStart: target, at: .now, holdsAtEnd: holds)
        }
        read(seek, to: seek.isJump ? target : reader.clamped(target), in: reader, holdsAtEnd: holds)
    }

    private func read(_ seek: SeekRequest, to target: MediaTime, in reader: any PacketReader, holdsAtEnd: Bool) {
        var asked = target
        if let error = reader.seek(to: asked) {
            // Some sources only go back to their start; from there everything can be reached.
            if let worse = reader.rewind(keepingPackets: false) {
                return giveUp(seek, worse.code == .readFailed ? error : worse, isOpening: false)
            }
            asked = 0
        }
        let landing = land(reader, target: target, asked: asked)
        let start = SeekPlan.start(seek, target: target, keyframe: landing.keyframe, movedTo: reader.movedTo)
        begin(seek.entry, mediaStart: start, at: .now, holdsAtEnd: holdsAtEnd)
        context.state.withLock { state in
            for (packet, isVideo) in landing.packets {
                if isVideo { state.appendVideo(packet) } else { state.appendAudio(packet) }
            }
        }
    }

    /// The running seek cannot be carried out: because of a newer one or another item, which come next, or for good.
    private func giveUp(_ seek: SeekRequest, _ error: AVError, isOpening: Bool) {
        context.state.withLock { state in
            if state.wantedInstead(of: isOpening ? error : nil) == nil { state.failed(seek.entry, error) }
            state.giveWay()
        }
    }

    /// Reads up to the first video packet after a container seek and makes sure it is not beyond the
    /// target: containers index by decode time, and with reordered frames that lies before presentation.
    private func land(_ reader: any PacketReader, target: MediaTime, asked: MediaTime) -> (
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
                case .problem(let problem): if let readerEntry { context.tell(.trackFailed(readerEntry, problem)) }
                case .end, .failed, .jump: break reading
                }
            }
            let first = reader.description.video != nil ? keyframe : packets.first?.0.pts
            let isTooLate = first.map { !$0.hasBegun(by: target) } ?? true
            guard isTooLate, asked > 0, reader.movedTo == nil else { return (packets, keyframe) }
            asked = max(0, asked - step)
            step = step * 4
            if reader.seek(to: asked) != nil { return (packets, keyframe) }
        }
    }
}
