import Foundation
import MediaCore
import Streaming

/// The feeder: opens entries, reads their packets into the queues, joins passes and entries. How it seeks stands in
/// PipelineSeek.swift.
extension PlaybackPipeline {
    /// The queues hold at least this much of each track before the feeder rests.
    private static let spanWanted: MediaTime = 1_000_000_000
    /// And at most this much memory, bytes, however badly the tracks are interleaved.
    private static let bytesAllowed = 64 << 20

    /// What only the feeder thread touches.
    final class Feed {
        var reader: (any PacketReader)?
        var readerEntry: PlaybackEntry?
        var readerSelection: TrackSelection?
        var segment: Segment?
        var clipKey: DecodedClip.Key?
        var clip: DecodedClip?
        var clipListener: Int?
        /// This player had the clip decoded, and reports its pictures when they are all there.
        var countsClip = false

        func dropClip() {
            if let clipListener { clip?.removeListener(clipListener) }
            if let clipKey { ClipCache.shared.release(clipKey) }
            clip = nil
            clipKey = nil
            clipListener = nil
        }
        func dropReader() {
            reader = nil
            readerEntry?.letGo()
            readerEntry = nil
        }
    }

    func feederMain() {
        let feed = Feed()
        defer {
            feed.dropClip()
            feed.dropReader()
        }
        while true {
            monitor.lock()
            while !isClosed, !pendingOpen, !(pendingSeek != nil && runningSeek == nil), !hasWork(feed) {
                feederCondition.wait()
            }
            if isClosed {
                monitor.unlock()
                return
            }
            if pendingOpen {
                pendingOpen = false
                interrupt.reset()
                let first = entries.first
                opening = first
                beginSerial(at: clock.now())
                first.map { ($0.round, $0.firstRound) = (0, 0) }
                // A seek that came before it was begun: it is opened there, by the seek.
                let isSought = first != nil && pendingSeek?.entry === first
                if !isSought { interrupt.resume() }
                monitor.unlock()
                feed.dropClip()
                feed.dropReader()
                feed.segment = nil
                if isSought { forgetPicture(of: first) } else { open(first, feed) }
            } else if runningSeek == nil, let seek = pendingSeek {
                pendingSeek = nil
                interrupt.resume()
                guard entries.contains(where: { $0 === seek.entry }) else {
                    monitor.unlock()
                    answer(seek.id, false)
                    continue
                }
                runningSeek = seek
                if readOn(to: seek, feed) {
                    monitor.unlock()
                    onEvent(.timelineChanged)
                    continue
                }
                if mayScrub(seek, feed.segment), let reader = feed.reader, let old = feed.segment,
                    feed.readerEntry === seek.entry
                {
                    isScrubbing = true
                    monitor.unlock()
                    if scrub(seek, in: reader, old, beginSerial: { beginSerial(at: clock.now()) }) { continue }
                    monitor.lock()
                    guard !isClosed, !pendingOpen, runningSeek != nil else {
                        monitor.unlock()
                        continue
                    }
                }
                beginSerial(at: clock.now())
                monitor.unlock()
                carryOut(seek, feed)
            } else {
                monitor.unlock()
                feedOne(feed)
            }
        }
    }

    /// With the monitor locked: is there room, and something to read into it?
    private func hasWork(_ feed: Feed) -> Bool {
        guard !feedDone, let segment = feed.segment else { return false }
        if let clip = feed.clip {
            // The next pass is sent when both decoders have begun this one.
            return clip.currentState != .loading && videoUnits.segments + audioUnits.segments == 0
        }
        if videoUnits.bytes + audioUnits.bytes > PlaybackPipeline.bytesAllowed { return false }
        if videoUnits.segments > 1 || audioUnits.segments > 1 { return false }
        let videoFull = !segment.hasVideo || videoUnits.span >= PlaybackPipeline.spanWanted
        let audioFull = !segment.hasAudio || audioUnits.span >= PlaybackPipeline.spanWanted
        return !(videoFull && audioFull)
    }

    /// A new serial: everything fed so far is void. With the monitor locked.
    private func beginSerial(at t: TimelineTime) {
        decodeRun += 1
        videoReach = nil
        audioReach = .min
        videoUnits.removeAll()
        audioUnits.removeAll()
        restartSerial(at: t)
        feedDone = true
    }

    /// A new serial, whatever becomes of the packets. With the monitor locked.
    func restartSerial(at t: TimelineTime) {
        serial += 1
        for segment in timeline where segment.outStart.map({ $0 <= t }) ?? false { segment.entry.round = segment.round }
        clock.rebase(to: t)
        frames.restart()
        timeline.removeAll()
        soundIsStale = false
        hasFirstPicture = false
        hasFirstSound = false
        videoEnded = false
        audioEnded = false
        output?.wakeProducer()
        wakeThreads()
    }

    // MARK: opening

    private func open(_ entry: PlaybackEntry?, _ feed: Feed) {
        guard let entry else {
            monitor.withLock {
                frames.forget()
                feed.segment = nil
                wakeDisplays()
            }
            return
        }
        forgetPicture(of: entry)
        if let error = prepare(entry, feed, isLooping: monitor.withLock { entry.loops }) {
            if let want = wantedInstead(of: error) {
                // The seek opens it at its target; one that goes elsewhere leaves it to be opened all the same.
                monitor.withLock { if want != .item, pendingSeek?.entry !== entry, !pendingOpen { pendingOpen = true } }
                return
            }
            return failed(entry, error)
        }
        begin(entry, pass: 0, mediaStart: partStart(of: entry, feed), outStart: clock.now(), feed)
    }

    /// Where a first pass begins.
    private func partStart(of entry: PlaybackEntry, _ feed: Feed) -> MediaTime {
        monitor.withLock { part(of: entry, feed.clip?.description ?? feed.reader?.description)?.lowerBound } ?? feed
            .reader?.startTime ?? 0
    }

    /// Another item's picture does not stand while `entry` is opened.
    private func forgetPicture(of entry: PlaybackEntry?) {
        monitor.withLock { if frames.current?.segment.entry !== entry { frames.forget() } }
    }

    /// What made reading or opening break off, if it did not fail by itself.
    enum Want { case seek, item }

    /// Feeder thread. A preemption is set by seeks and taken back by this thread alone, when it begins one: while it
    /// stands, one waits.
    /// - Parameter error: of an opening; only one that was given up gives way to a seek.
    func wantedInstead(of error: AVError? = nil) -> Want? {
        monitor.withLock {
            if isClosed || pendingOpen || interrupt.isInterrupted { return .item }
            guard interrupt.isPreempted, error.map({ $0.code == .cancelled }) ?? true else { return nil }
            guard pendingSeek != nil else {
                interrupt.resume()
                return nil
            }
            return .seek
        }
    }

    /// `entry` cannot be played. Seeks in it would fail as it did.
    func failed(_ entry: PlaybackEntry, _ error: AVError) {
        onEvent(.failed(entry, error))
        monitor.withLock {
            guard let seek = pendingSeek, seek.entry === entry else { return }
            pendingSeek = nil
            interrupt.resume()
            answer(seek.id, false)
        }
    }

    /// Makes `feed` ready to read `entry` from its start: a decoded clip if it may, else a reader.
    /// - Parameters:
    ///   - target: where a seek will go next; a stream is opened there.
    ///   - joins: it follows what plays without a gap, so a clip must be of the format that sounds.
    func prepare(
        _ entry: PlaybackEntry, _ feed: Feed, isLooping: Bool, for target: MediaTime? = nil, joins: Bool = false
    ) -> AVError? {
        let (selection, mayClip, format) = monitor.withLock {
            (
                entry.selection, isLooping && !entry.refusesClip && entry.loopRange == nil && crossfade == 0,
                joins ? output?.format : nil
            )
        }
        feed.dropClip()
        guard mayClip, let identity = FileIdentity(url: entry.url) else {
            return prepare(entry, selection, feed, isLooping: isLooping, clip: nil, for: target)
        }
        let key = DecodedClip.Key(file: identity, selection: selection)
        return ClipCache.shared.openingAlone(key) {
            prepare(entry, selection, feed, isLooping: isLooping, clip: key, in: format)
        }
    }

    /// - Parameter wanted: the format that a clip's sound must have; nil: any.
    private func prepare(
        _ entry: PlaybackEntry, _ selection: TrackSelection, _ feed: Feed, isLooping: Bool, clip key: DecodedClip.Key?,
        in wanted: AudioFormat? = nil,
        for target: MediaTime? = nil
    ) -> AVError? {
        func fits(_ format: AudioFormat?) -> Bool { wanted == nil || format == nil || format == wanted }
        if let key, let clip = ClipCache.shared.borrow(key) {
            if fits(clip.format) {
                adopt(clip, key, feed)
                entry.cancelPreparation()
            } else {
                ClipCache.shared.release(key)
            }
        }
        if feed.clip == nil {
            do {
                let reader: any PacketReader
                if let ready = takePrepared(entry, selection, isLooping: isLooping) {
                    reader = ready
                } else {
                    reader = try openReader(entry, selection, for: target)
                }
                feed.reader = reader
                feed.readerEntry = entry
                feed.readerSelection = selection
                attach(reader.buffer, of: entry)
                if isLooping { reader.startRecording() }
                // A clip is one for all players of a file; each of them is to say that its file is cut off.
                if let key, let reader = reader as? ItemReader, reader.description.video != nil,
                    reader.truncation == nil
                {
                    let format = reader.description.audio.map {
                        audioDevice().preferredFormat(channelMask: $0.channelMask, sampleRate: $0.sampleRate)
                    }
                    if fits(format),
                        let clip = ClipCache.shared.start(
                            key, reader: reader, format: format, location: entry.url.location)
                    {
                        adopt(clip, key, feed)
                        feed.countsClip = true
                        feed.dropReader()  // the clip's own thread has it now
                    }
                }
            } catch {
                entry.letGo()
                return error
            }
        }
        if let description = feed.clip?.description ?? feed.reader?.description {
            entry.subtitles.opened(description)
            onEvent(.opened(entry, description))
            loudnessOpened(entry, description)
        }
        return nil
    }

    private func openReader(_ entry: PlaybackEntry, _ selection: TrackSelection, for target: MediaTime?) throws(AVError)
        -> any PacketReader
    {
        let reader = try ReaderFactory(entry: entry, selection: selection, interrupt: interrupt).open(at: target) {
            session in
            tune(session, of: entry)
            // What the playlist tells is passed on before the first segment has come.
            attach(StreamSourceBuffer(session), of: entry)
        }
        if let file = reader as? ItemReader { entry.remoteFile = file.remoteFile }
        return reader
    }

    /// What this player asks of a stream.
    func tune(_ session: HLSSession, of entry: PlaybackEntry) {
        if let size = monitor.withLock({ displaySize }) {
            entry.limit { $0.displaySize = .init(width: size.width, height: size.height) }
        }
        session.setLimits(entry.limits)
        session.setForwardDuration(monitor.withLock { forwardDuration.nanoseconds })
        let interrupt = interrupt
        session.setInterrupt({ interrupt.isInterrupted || interrupt.isOverTime }, preemption: { interrupt.isPreempted })
        interrupt.addWaker(session) { [weak session] in session?.wake() }
    }

    private func adopt(_ clip: DecodedClip, _ key: DecodedClip.Key, _ feed: Feed) {
        feed.clip = clip
        feed.clipKey = key
        feed.clipListener = clip.addListener { [weak self] in
            guard let self else { return }
            monitor.withLock { wakeThreads() }
        }
    }

    /// Starts a segment on the timeline and tells both decoders.
    /// - Parameter round: nil: the one its entry is in.
    func begin(
        _ entry: PlaybackEntry, pass: Int, round: Int? = nil, mediaStart: MediaTime, outStart: TimelineTime?,
        holdsAtEnd: Bool = false, _ feed: Feed
    ) {
        guard let description = feed.clip?.description ?? feed.reader?.description else { return }
        monitor.withLock {
            // The end of the one before may have become known since the caller looked: then nobody would tell it any
            // more.
            let outStart = outStart ?? timeline.last.flatMap { $0.fadesOut ? nil : $0.outEnd }
            // The last pass of a part ends where the others did; who goes beyond it then has left it.
            let limit = part(of: entry, description)?.upperBound
            let segment = Segment(
                index: nextSegmentIndex, entry: entry, pass: pass, round: round ?? entry.round, mediaStart: mediaStart,
                description: description, clip: feed.clip, startOffset: feed.reader?.startOffset ?? 0,
                mediaLimit: entry.loops || mediaStart < limit ?? 0 ? limit : nil, outStart: outStart)
            segment.holdsAtEnd = holdsAtEnd
            nextSegmentIndex += 1
            // What has been played is history.
            let now = clock.now()
            while timeline.count > 1, let start = timeline[1].outStart, start <= now {
                let past = timeline.removeFirst()
                past.entry.round = past.round
            }
            timeline.append(segment)
            feed.segment = segment
            feedDone = false
            videoUnits.append(.start(segment))
            audioUnits.append(.start(segment))
            videoCondition.signal()
            audioCondition.signal()
        }
        onEvent(.timelineChanged)
    }

    // MARK: reading on

    private func feedOne(_ feed: Feed) {
        guard let segment = feed.segment else { return }
        if let clip = feed.clip {
            if clip.currentState == .abandoned {
                // Larger than it looked: from here on it is played like any file.
                monitor.withLock {
                    segment.entry.refusesClip = true
                    reseek()
                }
                feed.segment = nil
                return
            }
            if feed.countsClip {
                feed.countsClip = false
                monitor.withLock { statistics.framesDecoded += clip.pictureCount }
            }
            return finish(segment, videoEnd: clip.end, audioEnd: clip.end, feed)
        }
        guard let reader = feed.reader else { return }
        let rangeEnd = segment.mediaLimit
        switch reader.next() {
        case .video(let packet):
            if let rangeEnd, let pts = packet.pts, pts >= rangeEnd + 500_000_000 {
                return finish(segment, videoEnd: rangeEnd, audioEnd: rangeEnd, feed)
            }
            monitor.withLock {
                videoUnits.append(.packet(packet))
                videoCondition.signal()
            }
        case .audio(let packet):
            if let rangeEnd, segment.description.video == nil, let pts = packet.pts, pts >= rangeEnd {
                return finish(segment, videoEnd: nil, audioEnd: rangeEnd, feed)
            }
            monitor.withLock {
                audioUnits.append(.packet(packet))
                audioCondition.signal()
            }
        case .track(.video(let track)):
            monitor.withLock { videoUnits.append(.videoTrack(track)) }
        case .track(.audio(let track)):
            monitor.withLock { audioUnits.append(.audioTrack(track)) }
        case .jump(let time):
            monitor.withLock {
                feedDone = true
                // What a seek under way was going to show is gone: it ends where the jump does, or gives way to a newer
                // one.
                let running = runningSeek
                runningSeek = nil
                guard pendingSeek == nil else {
                    if let running { answer(running.id, false) }
                    return
                }
                pendingSeek = Seek(
                    id: running?.id ?? 0, target: time, toleranceBefore: 0, toleranceAfter: 0, entry: segment.entry,
                    isJump: true)
            }
        case .other:
            return
        case .end:
            if let error = reader.shortfall, segment.pass == 0 { onEvent(.endsEarly(segment.entry, error)) }
            // A part ends with the item at the latest; one of which there is nothing would come round at once, for
            // ever.
            if rangeEnd != nil, max(reader.videoEnd ?? 0, reader.audioEnd ?? 0) <= segment.mediaStart {
                monitor.withLock {
                    if segment.entry.loopRange?.lowerBound == segment.mediaStart { segment.entry.loopRange = nil }
                }
            }
            func end(_ track: MediaTime?) -> MediaTime? { rangeEnd.map { min($0, track ?? $0) } ?? track }
            finish(segment, videoEnd: end(reader.videoEnd), audioEnd: end(reader.audioEnd), feed)
        case .failed(let error):
            switch wantedInstead() {
            case .item: return
            case .seek: return giveWay()
            case nil: break
            }
            // The reader stopped waiting for a seek that is gone meanwhile.
            if error.code == .cancelled { return readAgain() }
            // A stream that breaks off has not ended.
            if reader.videoEnd == nil && reader.audioEnd == nil || reader.buffer != nil {
                onEvent(.failed(segment.entry, error))
            }
            finish(segment, videoEnd: reader.videoEnd, audioEnd: reader.audioEnd, feed)
        }
    }

    /// A seek that is under way gives way to the one that waits.
    private func giveWay() {
        monitor.withLock {
            guard let running = runningSeek else { return }
            runningSeek = nil
            answer(running.id, false)
        }
    }

    /// The reader broke off for nothing: where we are, or on our way to, is sought once more.
    private func readAgain() {
        monitor.withLock {
            guard pendingSeek == nil else { return }
            if let running = runningSeek {
                runningSeek = nil
                pendingSeek = running
            } else {
                reseek()
            }
        }
    }

    /// The pass is read to its end: close it and join what follows.
    private func finish(_ segment: Segment, videoEnd: MediaTime?, audioEnd: MediaTime?, _ feed: Feed) {
        monitor.withLock {
            segment.packetVideoEnd = videoEnd
            segment.packetAudioEnd = audioEnd
            videoUnits.append(.end(segment))
            audioUnits.append(.end(segment))
            // Without a sound to count, the packets decide; a clip has counted already.
            if let clip = segment.clip, let end = clip.end {
                resolve(segment, mediaEnd: end)
            } else if !segment.hasAudio {
                resolve(segment, mediaEnd: videoEnd ?? segment.mediaStart)
            }
            videoCondition.signal()
            audioCondition.signal()
        }
        while true {
            let (loops, next, start) = monitor.withLock { () -> (Bool, PlaybackEntry?, MediaTime) in
                let loops = segment.entry.goesRound(after: segment.round) && !segment.holdsAtEnd
                let reads = feed.clip != nil || feed.reader != nil
                let next = segment.holdsAtEnd || loops && reads ? nil : follower(of: segment)
                joining = next
                return (loops, next, part(of: segment.entry, segment.description)?.lowerBound ?? 0)
            }
            guard let next else {
                guard loops else {
                    // Looked at once more as it is closed: whatever changes from here on sees that nothing follows.
                    if endFeed(unless: { wantsMore(after: segment) }) { return }
                    continue
                }
                if feed.clip == nil {
                    if let error = feed.reader?.rewind(keepingPackets: true) {
                        onEvent(.failed(segment.entry, error))
                        break
                    }
                    if start > 0, let error = feed.reader?.seek(to: start) {
                        onEvent(.failed(segment.entry, error))
                        break
                    }
                }
                return join(segment.entry, after: segment, loops: true, from: start, feed)
            }
            feed.dropReader()
            let error = prepare(next, feed, isLooping: monitor.withLock { next.loops }, joins: true)
            // Something else has come to follow while it was opened, or a seek: that it was given up is no failure of
            // its own.
            let (isStale, isSought) = monitor.withLock { () -> (Bool, Bool) in
                defer { joining = nil }
                guard joining == nil, !isClosed, !pendingOpen else { return (false, false) }
                interrupt.reset()
                // In what plays: when it has been carried out, this end is reached again.
                if pendingSeek != nil { feedDone = true }
                return (true, pendingSeek != nil)
            }
            if isStale {
                feed.dropClip()
                feed.dropReader()
                if isSought { return giveWay() }
                continue
            }
            if let error {
                switch wantedInstead(of: error) {
                case .item: return
                case .seek:
                    // In what plays: when it has been carried out, this end is reached again.
                    monitor.withLock { feedDone = true }
                    return giveWay()
                case nil where error.code == .cancelled: continue
                case nil: break
                }
                failed(next, error)
                monitor.withLock { entries.removeAll { $0 === next } }
                continue
            }
            return join(next, after: segment, loops: loops, from: loops ? start : partStart(of: next, feed), feed)
        }
        _ = endFeed(unless: { false })
    }

    /// Begins `entry`, another pass or what follows, behind `segment`.
    private func join(_ entry: PlaybackEntry, after segment: Segment, loops: Bool, from start: MediaTime, _ feed: Feed)
    {
        if !loops { monitor.withLock { (entry.round, entry.firstRound) = (0, 0) } }
        begin(
            entry, pass: loops ? segment.pass + 1 : 0, round: loops ? segment.round + 1 : nil, mediaStart: start,
            outStart: nil, feed)
        // It may have come to be another one since we looked.
        monitor.withLock { replanIfStale() }
    }

    /// Nothing follows.
    /// - Returns: false when something does, and nothing was done.
    private func endFeed(unless goesOn: () -> Bool) -> Bool {
        let ends = monitor.withLock { () -> Bool in
            if goesOn() { return false }
            feedDone = true
            videoUnits.append(.endOfStream)
            audioUnits.append(.endOfStream)
            // Nothing is left to wait for.
            updateRunning()
            videoCondition.signal()
            audioCondition.signal()
            return true
        }
        if ends { onEvent(.timelineChanged) }
        return ends
    }

    /// An item that has gone by without a picture and without a sound has failed, whatever its decoders said. With the
    /// monitor locked.
    func reportNothing(_ segment: Segment) {
        guard segment.videoIsOver, segment.soundIsOver, segment.pass == 0, !segment.entry.hasShown,
            !segment.entry.hasSounded, segment.clip == nil
        else { return }
        let tracks = [segment.description.video?.parameters, segment.description.audio?.parameters].compactMap {
            $0?.codecName
        }
        onEvent(
            .failed(
                segment.entry,
                AVError(
                    .decodeFailed, at: segment.entry.url.location,
                    reason:
                        "not one packet of its \(tracks.joined(separator: " and ")) track\(tracks.count > 1 ? "s" : "") could be decoded",
                    suggestion: "Copy or download it again")))
    }

    /// Decides where `segment` ends, media time, and so where the next begins. With the monitor locked.
    func resolve(_ segment: Segment, mediaEnd: MediaTime) {
        guard segment.outEnd == nil, let start = segment.outStart else { return }
        let end = max(start, segment.timelineTime(of: mediaEnd, from: start))
        segment.outEnd = end
        // One that fades out tells when it does how much sooner the next begins.
        if !segment.fadesOut, let index = timeline.firstIndex(where: { $0 === segment }), index + 1 < timeline.count {
            let next = timeline[index + 1]
            next.outStart = end
            // A clip's end is known before it begins; a pass without sound ends by its packets.
            if let clip = next.clip, let clipEnd = clip.end {
                resolve(next, mediaEnd: clipEnd)
            } else if !next.hasAudio, let videoEnd = next.packetVideoEnd {
                resolve(next, mediaEnd: videoEnd)
            }
        }
        videoCondition.broadcast()
        audioCondition.broadcast()
        onEvent(.timelineChanged)
    }
}
