import Foundation
import MediaCore

/// Opens entries, reads their packets into the queues, joins passes and entries. Owns the reader, or the decoded clip,
/// of what it feeds.
///
/// How it opens stands in Feeder+Opening.swift, how it seeks in Feeder+Seeking.swift, how it goes on at an end in
/// Feeder+Joining.swift.
final class Feeder {
    let context: PipelineContext
    var reader: (any PacketReader)?
    var readerEntry: PlaybackEntry?
    var readerSelection: TrackSelection?
    /// What is being fed.
    var segment: Segment?
    var clip: DecodedClip?
    var clipKey: DecodedClip.Key?
    private var clipListener: Int?
    /// Read, and not in the queues yet.
    private var read: ReadStep?
    /// This player had the clip decoded, and reports its pictures when they are all there.
    var countsClip = false

    /// Opens what an entry is read from, at a place; blocks.
    typealias Opener = (PlaybackEntry, TrackSelection, MediaTime?) throws(AVError) -> any PacketReader
    /// Nil: what its address says (`ReaderFactory`).
    let opener: Opener?

    init(_ context: PipelineContext, opener: Opener? = nil) {
        self.context = context
        self.opener = opener
    }

    /// What is open.
    var description: ItemDescription? { clip?.description ?? reader?.description }

    enum Task {
        case close
        case open(PipelineState.Opening)
        case seek(SeekRequest, SeekPlan)
        case feed(Segment)
    }

    /// Until the pipeline is closed.
    func run() {
        defer {
            dropClip()
            dropReader()
        }
        while perform(
            context.state.wait(.feeder) { state in
                append(to: &state)
                if let task = nextTask(&state) { return .found(task) }
                // What waits for more data must not depend on word of it: a source that rests says nothing.
                return state.lookWhileWaitingForData().map { .waitUntil($0) } ?? .wait
            })
        {}
    }

    /// What is to be done now; nil: nothing.
    func nextTask(_ state: inout PipelineState) -> Task? {
        if state.isClosed { return .close }
        if let opening = state.beginOpening() { return .open(opening) }
        // With the decision, so that nobody sees a seek that has begun and what was there before it.
        if let seek = state.beginSeek() { return .seek(seek, begin(seek, &state)) }
        return segment.flatMap { state.feed.hasRoom(for: $0) ? .feed($0) : nil }
    }

    /// - Returns: whether it goes on.
    func perform(_ task: Task) -> Bool {
        switch task {
        case .close: return false
        case .open(let opening): open(opening)
        case .seek(let seek, let plan): carryOut(seek, plan)
        case .feed(let segment): feedOne(of: segment)
        }
        return true
    }

    /// What was read goes into the queues when the state is locked for the next task: one lock for a packet.
    func append(to state: inout PipelineState) {
        switch read {
        case .video(let packet): state.appendVideo(packet)
        case .audio(let packet): state.appendAudio(packet)
        default: break
        }
        read = nil
    }

    // MARK: what is open

    func adopt(_ clip: DecodedClip, _ key: DecodedClip.Key) {
        self.clip = clip
        clipKey = key
        clipListener = clip.addListener { [weak context] in context?.state.withLock { $0.wakeThreads() } }
    }
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

    // MARK: a segment begins

    /// Starts a segment of what is open.
    /// - Parameters:
    ///   - round: nil: the one its entry is in.
    ///   - place: where it begins on the timeline.
    func begin(
        _ entry: PlaybackEntry, pass: Int = 0, round: Int? = nil, mediaStart: MediaTime,
        at place: PipelineState.Beginning.Place,
        holdsAtEnd: Bool = false
    ) {
        guard let description else { return }
        segment = context.state.withLock {
            $0.begin(
                PipelineState.Beginning(
                    entry: entry, pass: pass, round: round, mediaStart: mediaStart, place: place,
                    holdsAtEnd: holdsAtEnd, description: description, clip: clip,
                    startOffset: reader?.startOffset ?? 0))
        }
    }

    // MARK: reading on

    private func feedOne(of segment: Segment) {
        if let clip { return feed(clip, segment) }
        guard let reader else { return }
        let partEnd = segment.mediaLimit
        let step = reader.next()
        switch step {
        case .video(let packet):
            if let partEnd, let pts = packet.pts, pts >= partEnd + 500_000_000 {
                return finish(segment, videoEnd: partEnd, audioEnd: partEnd)
            }
            read = step
        case .audio(let packet):
            if let partEnd, segment.description.video == nil, let pts = packet.pts, pts >= partEnd {
                return finish(segment, videoEnd: nil, audioEnd: partEnd)
            }
            read = step
        case .track(let track): context.state.withLock { $0.feed.append(track) }
        case .problem(let problem): context.tell(.trackFailed(segment.entry, problem))
        case .jump(let time): context.state.withLock { $0.jump(to: time, in: segment) }
        case .other: return
        case .end: end(of: segment, reader)
        case .failed(let error): failed(segment, reader, error)
        }
    }

    private func feed(_ clip: DecodedClip, _ segment: Segment) {
        if clip.currentState == .abandoned {
            // Larger than it looked.
            context.state.withLock { $0.refuseClip(of: segment.entry) }
            self.segment = nil
            return
        }
        if countsClip {
            countsClip = false
            context.state.withLock { $0.statistics.framesDecoded += clip.pictureCount }
        }
        finish(segment, videoEnd: clip.end, audioEnd: clip.end)
    }

    private func end(of segment: Segment, _ reader: any PacketReader) {
        if let error = reader.shortfall, segment.pass == 0 { context.tell(.endsEarly(segment.entry, error)) }
        guard let partEnd = segment.mediaLimit else {
            return finish(segment, videoEnd: reader.videoEnd, audioEnd: reader.audioEnd)
        }
        // A part ends with the item at the latest; one of which there is nothing would come round at once, for ever.
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
        let goesOn = context.state.withLock { state -> Bool in
            switch state.wantedInstead() {
            case .item: return true
            case .seek:
                state.giveWay()
                return true
            case nil: break
            }
            // The reader stopped waiting for a seek that is gone meanwhile.
            if error.code == .cancelled {
                state.readAgain()
                return true
            }
            // A stream that breaks off has not ended.
            if reader.videoEnd == nil && reader.audioEnd == nil || reader.buffer != nil {
                state.tell(.failed(segment.entry, error))
            }
            return false
        }
        if !goesOn { finish(segment, videoEnd: reader.videoEnd, audioEnd: reader.audioEnd) }
    }
}
