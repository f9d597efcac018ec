import Foundation
import MediaCore

/// The feeder thread's work: opens entries, reads their packets into the queues, and joins passes and entries. It owns
/// the reader or the decoded clip of the entry that it feeds.
///
/// Feeder+Opening.swift opens entries, Feeder+Seeking.swift carries out seeks, and Feeder+Joining.swift continues at
/// the end of a segment.
final class Feeder {
    let context: PipelineContext
    var reader: (any PacketReader)?
    var readerEntry: PlaybackEntry?
    var readerSelection: TrackSelection?
    /// The segment being fed.
    var segment: Segment?
    var clip: DecodedClip?
    var clipKey: DecodedClip.Key?
    private var clipListener: Int?
    /// The result of the last read, which is not in the queues yet.
    private var read: ReadStep?
    /// Whether the reader has to seek before it can read on, because reading failed or was interrupted. A demuxer can
    /// lose packets then, or believe that the file has ended.
    private(set) var mustSeek = false
    /// Whether a packet of the segment being fed was read after the segment began.
    private var hasPacket = false
    /// Whether this player started the decoding of the clip, so that it adds the clip's frames to its statistics.
    var countsClip = false

    /// A function that opens a reader for an entry, at a media time if one is given. It blocks.
    typealias Opener = (PlaybackEntry, TrackSelection, MediaTime?) throws(AVError) -> any PacketReader
    /// A replacement for `ReaderFactory`, for tests; `nil` to open readers by URL.
    let opener: Opener?

    init(_ context: PipelineContext, opener: Opener? = nil) {
        self.context = context
        self.opener = opener
    }

    /// The description of the open item.
    var description: ItemDescription? { clip?.description ?? reader?.description }

    enum Task {
        case close
        case open(PipelineState.Opening)
        case seek(SeekRequest, SeekPlan)
        case feed(Segment)
    }

    /// Runs until the pipeline is closed.
    func run() {
        defer {
            dropClip()
            dropReader()
        }
        while perform(
            context.state.wait(.feeder) { state in
                append(to: &state)
                if let task = nextTask(&state) { return .found(task) }
                // The wait ends after a timeout, because an idle source sends no notifications.
                return state.recheckBuffer().map { .waitUntil($0) } ?? .wait
            })
        {}
    }

    /// Returns the next task, or `nil` if there is none.
    func nextTask(_ state: inout PipelineState) -> Task? {
        if state.isClosed { return .close }
        if let opening = state.beginOpening() { return .open(opening) }
        // The pending seek replaces the running one if decoding can continue to its target.
        if !mustSeek, let seek = state.nearerSeek, case .decodeOn = plan(seek, state) { state.giveWay() }
        // The seek begins under the same lock as the decision, so that no thread sees the new seek together with the
        // old segment.
        if let seek = state.beginSeek() { return .seek(seek, begin(seek, &state)) }
        return segment.flatMap { state.feed.hasSpace(for: $0) ? .feed($0) : nil }
    }

    /// Performs `task`.
    ///
    /// - Returns: `false` if the thread must end.
    func perform(_ task: Task) -> Bool {
        switch task {
        case .close: return false
        case .open(let opening): open(opening)
        case .seek(let seek, let plan): carryOut(seek, plan)
        case .feed(let segment): feedOne(of: segment)
        }
        return true
    }

    /// Appends the last read packet to the queues. Called when the state is locked for the next task, so a packet costs
    /// one lock.
    func append(to state: inout PipelineState) {
        switch read {
        case .video(let packet): state.appendVideo(packet)
        case .audio(let packet): state.appendAudio(packet)
        default: break
        }
        read = nil
    }

    // MARK: open media

    func adopt(_ clip: DecodedClip, _ key: DecodedClip.Key) {
        self.clip = clip
        clipKey = key
        clipListener = clip.addListener { [weak context] in context?.state.withLock { $0.wakeThreads() } }
    }
    func dropClip() {
        if let clipListener { clip?.removeListener(clipListener) }
        if let clip, let clipKey { ClipCache.shared.release(clip, clipKey) }
        clip = nil
        clipKey = nil
        clipListener = nil
    }
    func dropReader() {
        reader = nil
        mustSeek = false
        readerEntry?.release()
        readerEntry = nil
    }

    // MARK: segment start

    /// Starts a segment of the open item.
    ///
    /// - Parameters:
    ///   - loopNumber: The loop number of the segment; `nil` for the current loop number of the entry.
    ///   - start: The start of the segment on the timeline.
    func begin(
        _ entry: PlaybackEntry, pass: Int = 0, loopNumber: Int? = nil, mediaStart: MediaTime,
        at start: PipelineState.Beginning.Start,
        holdsAtEnd: Bool = false
    ) {
        guard let description else { return }
        hasPacket = false
        segment = context.state.withLock {
            $0.begin(
                PipelineState.Beginning(
                    entry: entry, pass: pass, loopNumber: loopNumber, mediaStart: mediaStart, start: start,
                    holdsAtEnd: holdsAtEnd, description: description,
                    selection: clip == nil ? readerSelection : clipKey?.selection, clip: clip,
                    startOffset: reader?.startOffset ?? 0))
        }
    }

    // MARK: reading

    /// Reads from the reader, and notes whether it can read on.
    func next(_ reader: any PacketReader) -> ReadStep {
        let step = reader.next()
        if case .failed = step { mustSeek = true }
        if context.interrupt.isPreempted || context.interrupt.isInterrupted { mustSeek = true }
        return step
    }
    /// Moves the reader to another position.
    func seek(_ reader: any PacketReader, to target: MediaTime) -> AVError? {
        let error = reader.seek(to: target)
        if error == nil { mustSeek = false }
        return error
    }
    /// Moves the reader to its first packet.
    func rewind(_ reader: any PacketReader, keepingPackets: Bool) -> AVError? {
        let error = reader.rewind(keepingPackets: keepingPackets)
        if error == nil { mustSeek = false }
        return error
    }

    private func feedOne(of segment: Segment) {
        if let clip { return feed(clip, segment) }
        guard let reader else { return }
        let partEnd = segment.mediaLimit
        let step = next(reader)
        switch step {
        case .video(let packet):
            hasPacket = true
            if let partEnd, let pts = packet.pts, pts >= partEnd + 500_000_000 {
                return finish(segment, videoEnd: partEnd, audioEnd: partEnd)
            }
            read = step
        case .audio(let packet):
            hasPacket = true
            if let partEnd, segment.description.video == nil, let pts = packet.pts, pts >= partEnd {
                return finish(segment, videoEnd: nil, audioEnd: partEnd)
            }
            read = step
        case .track(let track): context.state.withLock { $0.feed.append(track) }
        case .problem(let problem): context.report(.trackFailed(segment.entry, problem))
        case .jump(let time): context.state.withLock { $0.jump(to: time, in: segment) }
        case .other: return
        case .end: end(of: segment, reader)
        case .failed(let error): failed(segment, reader, error)
        }
    }

    private func feed(_ clip: DecodedClip, _ segment: Segment) {
        if clip.currentState == .abandoned {
            // The clip could not be completed, for example because it is larger than estimated.
            context.state.withLock { $0.refuseClip(of: segment.entry) }
            self.segment = nil
            return
        }
        if countsClip {
            countsClip = false
            context.state.withLock { $0.statistics.framesDecoded += clip.frameCount }
        }
        finish(segment, videoEnd: clip.end, audioEnd: clip.end)
    }

    private func end(of segment: Segment, _ reader: any PacketReader) {
        if let error = reader.shortfall, segment.pass == 0 { context.report(.endsEarly(segment.entry, error)) }
        // A pass without packets takes no time and would repeat endlessly without pause, so the item stops looping. The
        // first pass can begin with packets that a seek has read.
        if segment.pass > 0, !hasPacket {
            segment.entry.setLoops(false, in: segment.entry.loopRange, passes: nil)
        }
        guard let partEnd = segment.mediaLimit else {
            return finish(segment, videoEnd: reader.videoEnd, audioEnd: reader.audioEnd)
        }
        // A part ends with the item at the latest. An empty part would repeat endlessly without pause, so its loop is
        // removed.
        if max(reader.videoEnd ?? 0, reader.audioEnd ?? 0) <= segment.mediaStart,
            segment.entry.loopRange?.lowerBound == segment.mediaStart
        {
            segment.entry.loopRange = nil
        }
        finish(
            segment, videoEnd: min(partEnd, reader.videoEnd ?? partEnd),
            audioEnd: min(partEnd, reader.audioEnd ?? partEnd))
    }

    private func failed(_ segment: Segment, _ reader: any PacketReader, _ error: AVError) {
        let continues = context.state.withLock { state -> Bool in
            switch state.wantedInstead() {
            case .item: return true
            case .seek:
                state.giveWay()
                return true
            case nil: break
            }
            // The reader stopped for a seek that is no longer pending.
            if error.code == .cancelled {
                state.readAgain()
                return true
            }
            // A file whose rest is damaged plays like a truncated file. In all other cases the item has not ended, so
            // it fails, and another pass is not tried.
            let hasPart = reader.videoEnd != nil || reader.audioEnd != nil
            guard error.code == .fileFailedToParse, hasPart, reader.buffer == nil else {
                let entry = segment.entry
                entry.setLoops(false, in: entry.loopRange, passes: nil)
                state.readingFailed(segment, error)
                return false
            }
            if segment.pass == 0 { state.report(.endsEarly(segment.entry, error)) }
            return false
        }
        if !continues { finish(segment, videoEnd: reader.videoEnd, audioEnd: reader.audioEnd) }
    }
}
