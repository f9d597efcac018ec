import Foundation
import MediaCore

/// Loads the segments of one role, the main rendition or the sound, in playing order and as far ahead as is wanted.
/// Confined to the loop.
final class RenditionLoader: @unchecked Sendable {
    enum Role: Sendable { case main, audio }

    // Guarded by confinement: everything happens on the loop.
    let role: Role
    let feed: SegmentFeed
    unowned let session: HLSSession
    /// Media time at which the next segment begins; nil: not wanted.
    private(set) var position: Int64?
    /// `position` is where some playlist has a segment begin: another playlist may have it begin a little later. Else
    /// it is where a seek goes, anywhere in a segment.
    private var isAtBoundary = false
    /// What came last, and from where: its successor is known by number.
    private var last: (url: URL, sequence: Int)?
    private(set) var fetch: SegmentFetch?
    private var timer: (any NetworkTimer)?
    private(set) var isEnded = false
    private(set) var isFull = false
    /// What comes next is gone or has failed, which the feed tells behind what has come.
    private(set) var hasFailed = false
    /// Media times of which the playlist said that nothing is to be had there: as good as loaded. The newest.
    private(set) var gaps: [Range<Int64>] = []
    /// The rung of the newest segment.
    private(set) var rung: Int?
    /// Segments since the start or a seek.
    private(set) var loaded = 0
    private var isAbandoning = false
    /// How often it has been sent elsewhere: a key that was asked for before opens nothing then.
    private var moves = 0

    init(_ role: Role, feed: SegmentFeed, session: HLSSession) {
        self.role = role
        self.feed = feed
        self.session = session
    }

    private var loop: any NetworkLoop { session.loop }

    // MARK: moving

    func begin(at time: Int64) {
        stop()
        feed.reset()
        position = time
        isAtBoundary = false
        pump()
    }

    func stop() {
        moves += 1
        fetch?.cancel()
        // Whoever reads it gets no more; the cache must not have half of it.
        if let segment = fetch?.segment { segment.buffer.end(.replaced) }
        fetch = nil
        timer?.cancel()
        timer = nil
        position = nil
        last = nil
        isEnded = false
        isFull = false
        hasFailed = false
        loaded = 0
    }

    /// Looks what is to be done next.
    func pump() {
        timer?.cancel()
        timer = nil
        guard let position, !isEnded, !hasFailed, !session.isStopped else { return }
        if let fetch {
            if fetch.isOpen { extend(fetch) }
            if fetch.isWaitingForParts != isFull {
                isFull = fetch.isWaitingForParts
                session.changed()
            }
            return
        }
        let ahead = position - session.playhead
        isFull =
            session.settings.loadsOnDemand
            ? !feed.isAwaited : ahead >= session.bufferTarget || session.cacheIsFull(for: self)
        guard !isFull else { return wait(until: ahead - session.bufferTarget) }
        guard let (url, chosen) = session.source(for: self, at: position) else { return }
        let tracker = session.tracker(url)
        tracker.need()
        guard let timed = tracker.timed else {
            if let failure = tracker.failure { session.playlistFailed(tracker, failure, for: self) }
            return
        }
        session.activate(tracker, for: self)
        if let failure = tracker.failure, timed.playlist.isLive { return fail(failure) }
        rung = chosen
        next(in: timed, tracker)
    }

    /// Looks again when so many nanoseconds have passed.
    func pump(after delay: Int64) {
        timer?.cancel()
        timer = loop.schedule(at: loop.now + delay) { [weak self] in self?.pump() }
        session.changed()
    }

    private func wait(until surplus: Int64) {
        // Time may stand (a paused player): looked at again now and then.
        timer = loop.schedule(at: loop.now + min(max(surplus, 200_000_000), 2_000_000_000)) { [weak self] in
            self?.pump()
        }
        session.changed()
    }

    private func next(in timed: TimedPlaylist, _ tracker: PlaylistTracker) {
        guard let position else { return }
        let playlist = timed.playlist
        // Half a millisecond: what a time told in other units is rounded by.
        let tolerance = isAtBoundary ? timed.tolerance : 500_000
        var index: Int?
        if let last, last.url == tracker.url {
            let wanted = last.sequence + 1
            if let first = playlist.segments.first?.mediaSequence, first > wanted, playlist.isLive {
                return jump(in: timed)
            }
            index = playlist.index(ofMediaSequence: wanted)
            if index == nil, let final = playlist.lastMediaSequence, wanted > final + 1 {
                // The server counts anew.
                index = timed.index(at: position + tolerance)
            }
        } else {
            if playlist.isLive, position < timed.epoch - timed.tolerance { return jump(in: timed) }
            index = timed.index(at: position + tolerance)
        }
        guard let index else { return beyond(timed, tracker) }
        let segment = playlist.segments[index]
        if segment.isGap {
            // Nothing is to be had: time passes over it.
            let end = timed.start(of: index + 1)
            gaps = gaps.suffix(63) + [min(position, end)..<end]
            self.position = end
            isAtBoundary = true
            last = (tracker.url, segment.mediaSequence)
            loop.perform { [weak self] in self?.pump() }
            return
        }
        start(segment, index: index, timed, tracker)
    }

    /// What comes next has left the window of a live stream.
    private func jump(in timed: TimedPlaylist, to place: Int64? = nil) {
        let target = place ?? timed.seekable(usesParts: session.usesParts).upperBound
        hasFailed = true
        // The seek that follows must know where it can go.
        session.changed()
        feed.jump(to: target)
    }

    /// Its numbers and places are void: what comes next is told by time alone.
    func streamBeganAnew() {
        moves += 1
        last = nil
        gaps = []
        if let fetch { replace(fetch) }
    }

    /// `fetch`, of a live stream, does not come though its server answers: playing goes on behind it, or comes back to
    /// live if its time has passed. False while it is the newest there is.
    func passOver(_ fetch: SegmentFetch, _ tracker: PlaylistTracker) -> Bool {
        guard let timed = tracker.timed, timed.playlist.isLive else { return false }
        let number = fetch.segment.mediaSequence
        var target: Int64?
        if let index = timed.playlist.index(ofMediaSequence: number) {
            guard index + 1 < timed.playlist.segments.count else { return false }
            target = timed.start(of: index + 1)
        }
        replace(fetch)
        jump(in: timed, to: target)
        return true
    }

    /// Behind the last segment: the end, or more to come.
    private func beyond(_ timed: TimedPlaylist, _ tracker: PlaylistTracker) {
        let playlist = timed.playlist
        guard playlist.isLive else {
            isEnded = true
            feed.end()
            return session.changed()
        }
        if session.usesParts, !playlist.trailingParts.isEmpty, let position,
            position + (isAtBoundary ? timed.tolerance : 500_000) >= timed.end
        {
            return startPartial(timed, tracker)
        }
        // All there is has come. More may, however long it takes: the playlist is there.
        isFull = true
        timer = loop.schedule(at: loop.now + max(1_000_000_000, timed.targetDuration)) { [weak self] in self?.pump() }
        session.changed()
    }

    // MARK: one segment

    private func start(_ segment: MediaSegment, index: Int, _ timed: TimedPlaylist, _ tracker: PlaylistTracker) {
        let key = SegmentCache.Key(
            source: tracker.url.absoluteString, generation: timed.generation, mediaSequence: segment.mediaSequence)
        if let cached = session.cache.find(key), cached.start == timed.start(of: index) {
            feed.append(cached)
            session.readied(cached, role)
            arrived(cached, tracker)
            return loop.perform { [weak self] in self?.pump() }
        }
        guard let url = segment.url(relativeTo: timed.playlist.url) else {
            return fail(
                AVError(.unsupportedURL, at: segment.uri, reason: "the playlist names a segment that is no URL"))
        }
        do throws(AVError) {
            let need = try KeyStore.usable(segment.keys, at: tracker.url.absoluteString)
            let moves = moves
            prepare(segment, need, timed, tracker) { [weak self] result in
                guard let self, self.fetch == nil, self.position != nil else { return }
                guard self.moves == moves else { return self.pump() }
                switch result {
                case .failure(let error): self.fail(error)
                case .success(let (decryptor, sampleKey)):
                    let fresh = StreamSegment(
                        run: .init(
                            source: tracker.url.absoluteString,
                            discontinuity: timed.discontinuity(segment.discontinuitySequence),
                            map: Self.name(of: segment.map)),
                        rung: self.rung, mediaSequence: segment.mediaSequence, start: timed.start(of: index),
                        duration: TimedPlaylist.nanoseconds(segment.duration),
                        discontinuity: timed.discontinuity(segment.discontinuitySequence),
                        initialization: self.session.initialization(segment.map, base: timed.playlist.url),
                        buffer: SegmentBuffer(gate: self.session.gate),
                        name: url.lastPathComponent, location: url.absoluteString, sampleKey: sampleKey)
                    let fetch = SegmentFetch(
                        fresh, pieces: [.init(url: url, range: segment.byteRange)], loop: self.loop,
                        options: self.session.options)
                    self.run(fetch, decryptor, key, tracker)
                }
            }
        } catch {
            fail(error)
        }
    }

    private static func name(of map: InitializationSection?) -> String {
        map.map { "\($0.uri) \($0.byteRange.map { "\($0.offset)+\($0.length)" } ?? "")" } ?? ""
    }

    /// Fetches what the segment's bytes are to be read with.
    private func prepare(
        _ segment: MediaSegment, _ need: KeyStore.Need, _ timed: TimedPlaylist, _ tracker: PlaylistTracker,
        _ completion: @escaping (Result<(SegmentDecryptor?, StreamSegment.SampleKey?), AVError>) -> Void
    ) {
        switch need {
        case .nothing: completion(.success((nil, nil)))
        case .wholeSegments(let key), .samples(let key):
            guard let url = key.url(relativeTo: timed.playlist.url) else {
                return completion(
                    .failure(AVError(.unsupportedURL, at: key.uri, reason: "the playlist names a key that is no URL")))
            }
            if case .samples = need, segment.map == nil {
                return completion(
                    .failure(
                        AVError(
                            .unsupportedKeySystem, at: tracker.url.absoluteString,
                            reason: "SAMPLE-AES can be decrypted here in fragmented MP4 only",
                            suggestion: "Use AES-128, or fragmented MP4")))
            }
            session.keys.key(at: url) { result in
                let iv = key.initializationVector(forMediaSequence: segment.mediaSequence)
                completion(
                    result.map { bytes in
                        if case .samples = need { return (nil, StreamSegment.SampleKey(key: bytes, iv: iv)) }
                        return (SegmentDecryptor(key: bytes, iv: iv), nil)
                    })
            }
        }
    }

    private func run(
        _ fetch: SegmentFetch, _ decryptor: SegmentDecryptor?, _ key: SegmentCache.Key, _ tracker: PlaylistTracker
    ) {
        self.fetch = fetch
        fetch.onProgress = { [weak self, weak fetch] in
            guard let self, let fetch else { return }
            self.progressed(fetch)
        }
        fetch.onPart = { [weak self] in self?.session.received($0) }
        fetch.onFailure = { [weak self, weak fetch] error in
            guard let self, let fetch else { return nil }
            return self.session.segmentFailed(fetch, error, tracker, for: self)
        }
        fetch.onEnd = { [weak self, weak fetch] result in
            guard let self, let fetch, self.fetch === fetch else { return }
            self.fetch = nil
            switch result {
            case .failure(let error): self.fail(error)
            case .success:
                self.session.completed(fetch, key, for: self)
                self.arrived(fetch.segment, tracker)
                self.pump()
            }
        }
        feed.append(fetch.segment)
        session.changed()
        fetch.start(decryptor: decryptor)
    }

    private func arrived(_ segment: StreamSegment, _ tracker: PlaylistTracker) {
        last = (tracker.url, segment.mediaSequence)
        // A segment loaded by its parts lasts what its playlist says now.
        position =
            tracker.timed.flatMap { timed in
                timed.playlist.index(ofMediaSequence: segment.mediaSequence).map { timed.start(of: $0 + 1) }
            } ?? segment.end
        isAtBoundary = true
        loaded += 1
        session.changed()
    }

    private func progressed(_ fetch: SegmentFetch) {
        session.tally(fetch)
        session.progressed()
        guard role == .main, !isAbandoning, let rung, let instead = session.abandonment(fetch, rung: rung, loader: self)
        else { return }
        // From inside the client's call: the request is taken back after it.
        isAbandoning = true
        loop.perform { [weak self, weak fetch] in
            guard let self else { return }
            self.isAbandoning = false
            guard let fetch, self.fetch === fetch else { return }
            self.session.noteAbandoned(fetch, to: instead)
            self.replace(fetch)
            self.pump()
        }
    }

    /// Gives the running segment up; the same time is asked of another source next.
    func replace(_ fetch: SegmentFetch) {
        fetch.cancel()
        fetch.segment.buffer.end(.replaced)
        if self.fetch === fetch { self.fetch = nil }
        position = fetch.segment.start
        isAtBoundary = true
        last = nil
    }

    func fail(_ error: AVError) {
        hasFailed = true
        fetch?.cancel()
        fetch?.segment.buffer.end(.failed(error))
        fetch = nil
        feed.fail(error)
        session.changed()
    }

    /// What was read of `segment` is nothing that can be played: the same time from elsewhere.
    func reject(_ segment: StreamSegment, _ prepare: () -> Void) {
        moves += 1
        if let fetch { replace(fetch) }
        feed.reset()
        prepare()
        position = segment.start
        isAtBoundary = true
        last = nil
        isEnded = false
        hasFailed = false
        pump()
    }

    // MARK: parts of a segment that is being made (8216bis §4.4.4.9)

    private func startPartial(_ timed: TimedPlaylist, _ tracker: PlaylistTracker) {
        let trailing = timed.playlist.trailing
        guard trailing.keys.isEmpty else {
            // Encrypted parts: each segment has one key, but its number and IV are only sure when it is whole.
            timer = loop.schedule(at: loop.now + 500_000_000) { [weak self] in self?.pump() }
            return
        }
        let fresh = StreamSegment(
            run: .init(
                source: tracker.url.absoluteString, discontinuity: timed.discontinuity(trailing.discontinuitySequence),
                map: Self.name(of: trailing.map)),
            rung: rung, mediaSequence: trailing.mediaSequence, start: timed.end, duration: timed.targetDuration,
            discontinuity: timed.discontinuity(trailing.discontinuitySequence),
            initialization: session.initialization(trailing.map, base: timed.playlist.url),
            buffer: SegmentBuffer(gate: session.gate), name: "part", location: tracker.url.absoluteString,
            sampleKey: nil)
        let pieces = Self.pieces(timed.playlist.trailingParts, timed.playlist)
        taken = pieces.count
        let fetch = SegmentFetch(fresh, pieces: pieces, isOpen: true, loop: loop, options: session.options)
        run(
            fetch, nil,
            SegmentCache.Key(
                source: tracker.url.absoluteString, generation: timed.generation, mediaSequence: trailing.mediaSequence),
            tracker)
    }

    /// Parts of the open segment that have been asked for.
    private var taken = 0

    private func extend(_ fetch: SegmentFetch) {
        guard let (url, _) = session.currentSource(of: self), let timed = session.tracker(url).timed else { return }
        let sequence = fetch.segment.mediaSequence
        if let index = timed.playlist.index(ofMediaSequence: sequence) {
            // It is whole now: what is left of its parts; where the server has dropped them, the segment again.
            let segment = timed.playlist.segments[index]
            guard !segment.parts.isEmpty else {
                if taken == 0 { return replace(fetch) }
                fetch.add([], isLast: true)
                return
            }
            let rest = Self.pieces(Array(segment.parts.dropFirst(taken)), timed.playlist)
            taken += rest.count
            fetch.add(rest, isLast: true)
        } else if timed.playlist.trailing.mediaSequence == sequence {
            let rest = Self.pieces(Array(timed.playlist.trailingParts.dropFirst(taken)), timed.playlist)
            taken += rest.count
            if !rest.isEmpty { fetch.add(rest, isLast: false) }
        } else {
            fetch.add([], isLast: true)
        }
    }

    private static func pieces(_ parts: [PartialSegment], _ playlist: MediaPlaylist) -> [SegmentFetch.Piece] {
        parts.filter { !$0.isGap }.compactMap { part in
            part.url(relativeTo: playlist.url).map {
                SegmentFetch.Piece(url: $0, range: part.byteRange, duration: TimedPlaylist.nanoseconds(part.duration))
            }
        }
    }
}
