import Foundation
import MediaCore

/// What the session decides, on the loop.
extension HLSSession {
    // MARK: opening

    func begin(_ selection: StreamSelection, at start: Int64?) {
        guard !isStopped else { return }
        self.selection = selection
        wantedStart = start
        guard presentation == nil else { return prepare() }
        guard masterLoad == nil else { return }
        masterLoad = PresentationLoader(
            url: url, options: options, retry: settings.opening, canDecode: settings.canDecode, loop: loop,
            onFailure: { [weak self] in self?.note($0) }, completion: { [weak self] in self?.loadedMaster($0) })
    }

    private func loadedMaster(_ result: Result<PresentationLoader.Loaded, AVError>) {
        masterLoad = nil
        switch result {
        case .failure(let error): publish(.failure(error))
        case .success(let loaded):
            publish(settings.arrange(loaded.presentation))
            if let playlist = loaded.media { tracker(url).adopt(playlist) }
            prepare()
        }
    }

    /// Chooses the first rung, loads its playlists, and begins.
    private func prepare() {
        guard let presentation else { return }
        if choice == nil {
            choice = AdaptiveChoice(
                rungs: presentation.sources.map(\.rung), segmentDuration: 0, limits: limits,
                rememberedBitRate: ThroughputMemory.shared.bitRate(for: url))
        }
        limitChoice()
        audioOption = selection.audioOption(in: presentation.audio)
        decided = nil
        let first = currentRung ?? decide(at: nil)
        currentRung = first
        awaitPlaylists(rung: first)
    }

    private func awaitPlaylists(rung: Int) {
        guard !isStopped, let presentation, presentation.sources.indices.contains(rung) else { return }
        let mainURL = playlist(ofRung: rung)
        var needed = [tracker(mainURL)]
        if let audioURL = audioPlaylist(forRung: rung) { needed.append(tracker(audioURL)) }
        for tracker in needed { tracker.need() }
        for tracker in needed where tracker.timed == nil {
            guard let failure = tracker.failure else {
                tracker.onChange = { [weak self] in self?.awaitPlaylists(rung: rung) }
                return
            }
            tracker.onChange = { [weak self] in self?.reloaded() }
            // Another way to the same, or another rung; the last failure is the item's.
            if tracker.url == mainURL, let other = substitute(forRung: rung, after: failure) {
                tracker.forgetFailure()
                currentRung = other
                return awaitPlaylists(rung: other)
            }
            return publish(.failure(failure))
        }
        for tracker in needed { tracker.onChange = { [weak self] in self?.reloaded() } }
        guard let timed = needed[0].timed else { return }
        begin(timed, hasAudio: needed.count > 1)
    }

    private func begin(_ timed: TimedPlaylist, hasAudio: Bool) {
        if let presentation, choice?.throughput.hasSamples != true {
            // The segments' length is known now.
            let failed =
                choice.map { choice in presentation.sources.indices.filter { choice.failures.avoids($0, at: loop.now) }
                } ?? []
            choice = AdaptiveChoice(
                rungs: presentation.sources.map(\.rung), segmentDuration: timed.targetDuration, limits: limits,
                rememberedBitRate: ThroughputMemory.shared.bitRate(for: url))
            limitChoice()
            for rung in failed { choice?.failed(rung: rung, at: loop.now) }
        }
        chooseSubtitles()
        main = main ?? RenditionLoader(.main, feed: mainFeed, session: self)
        audio = hasAudio ? audio ?? RenditionLoader(.audio, feed: audioFeed, session: self) : nil
        if log.accesses.isEmpty, let rung = currentRung { initializeAccess(rung) }
        let range = timed.seekable(usesParts: usesParts)
        let start =
            (wantedStart ?? settings.start).map { max(range.lowerBound, min($0, range.upperBound - 2_000_000)) }
            ?? timed.defaultStart(presentation?.multivariant?.start, usesParts: usesParts)
        move(to: start)
        publish(
            .success(
                Opened(
                    start: start, duration: timed.playlist.isLive ? nil : timed.end - timed.epoch,
                    hasSeparateAudio: hasAudio,
                    encryption: timed.playlist.segments.first { !$0.keys.isEmpty }?.keys.first?.method.name)))
    }

    func move(to time: Int64) {
        guard let main, !isStopped else { return }
        target = time
        isStarting = true
        decided = nil
        main.begin(at: time)
        audio?.begin(at: time)
        subtitles.loader?.begin()
        changed()
    }

    func pump() {
        main?.pump()
        audio?.pump()
        subtitles.loader?.pump()
    }

    // MARK: playlists

    private func reloaded() {
        pump()
        // A window moves on whether anything is loaded or not.
        progressed()
    }

    func tracker(_ url: URL) -> PlaylistTracker {
        if let known = trackers[url] { return known }
        let fresh = PlaylistTracker(
            url: url, loop: loop, options: options, opening: settings.opening, playing: settings.playing,
            variables: presentation?.multivariant?.variables ?? [:],
            place: { [weak self] (playlist: MediaPlaylist) -> (Int64, Int) in
                guard let self else { return (0, 0) }
                if let reference = self.reference, let known = self.trackers[reference]?.timed {
                    return (TimedPlaylist.align(playlist, with: known), known.generation)
                }
                self.reference = url
                return (0, self.generation)
            },
            onRestart: { [weak self] in self?.beginAnew($0) },
            log: { [weak self] in self?.note($0) })
        fresh.onChange = { [weak self] in self?.reloaded() }
        trackers[url] = fresh
        return fresh
    }

    /// The server has begun another stream under the same names, its numbers from the start again: what is known of the
    /// old one is forgotten, and media time goes on behind it.
    private func beginAnew(_ tracker: PlaylistTracker) {
        generation += 1
        tracker.begins(generation: generation)
        reference = tracker.url
        for (url, other) in trackers where other !== tracker {
            other.stop()
            trackers[url] = nil
        }
        dropInitializations()
        initializations = [:]
        keys.forget()
        decided = nil
        main?.streamBeganAnew()
        audio?.streamBeganAnew()
        subtitles.loader?.begin()
    }

    /// Only what is played from is reloaded.
    func activate(_ tracker: PlaylistTracker, for loader: RenditionLoader) {
        guard !tracker.isActive else { return }
        let others =
            [main, audio].compactMap { $0 }.filter { $0 !== loader }.compactMap { currentSource(of: $0)?.url }
            + [subtitles.loader?.url].compactMap { $0 }
        for (url, known) in trackers where url != tracker.url && !others.contains(url) { known.isActive = false }
        reference = loader.role == .main ? tracker.url : reference
        tracker.isActive = true
    }

    /// What tells how long the programme is and where it is live: the current rung's playlist and, until that has come,
    /// the one played from before. Else a live stream would be none for as long as a change of the rung takes.
    var timed: TimedPlaylist? {
        currentRung.flatMap { trackers[playlist(ofRung: $0)]?.timed } ?? reference.flatMap { trackers[$0]?.timed }
    }

    /// Low latency is used where the playlist offers it whole.
    var usesParts: Bool {
        guard let playlist = timed?.playlist else { return false }
        return playlist.partTargetDuration != nil && playlist.serverControl?.canBlockReload == true
    }

    func playlist(ofRung rung: Int) -> URL {
        guard let sources = presentation?.sources, sources.indices.contains(rung) else { return url }
        let all = sources[rung].playlists
        return all[min(standIn[rung] ?? 0, all.count - 1)]
    }

    func audioPlaylist(forRung rung: Int) -> URL? {
        guard let presentation, let audioOption, presentation.audio.indices.contains(audioOption),
            let group = presentation.sources[rung].audioGroup
        else { return nil }
        let option = presentation.audio[audioOption]
        return option.playlists[group] ?? nil
    }

    // MARK: which source

    /// Where `loader` takes its next segment from; nil: nowhere now.
    func source(for loader: RenditionLoader, at position: Int64) -> (URL, Int)? {
        switch loader.role {
        case .main:
            let rung: Int
            if let decided, decided.position == position {
                rung = decided.rung
            } else {
                rung = decide(at: position)
                decided = (position, rung)
            }
            if let before = currentRung, before != rung { initializeAccess(rung) }
            currentRung = rung
            return (playlist(ofRung: rung), rung)
        case .audio:
            guard let rung = currentRung, let url = audioPlaylist(forRung: rung) else { return nil }
            return (url, rung)
        }
    }

    func currentSource(of loader: RenditionLoader) -> (url: URL, rung: Int)? {
        guard let rung = loader.rung ?? currentRung else { return nil }
        switch loader.role {
        case .main: return (playlist(ofRung: rung), rung)
        case .audio: return audioPlaylist(forRung: rung).map { ($0, rung) }
        }
    }

    /// The adaptive choice. At nil nothing has been loaded yet.
    private func decide(at position: Int64?) -> Int {
        guard let sources = presentation?.sources, sources.count > 1, let choice else { return 0 }
        let timed = timed
        let buffer = position.map { max(0, $0 - playhead) } ?? 0
        let remaining = timed.flatMap { timed in timed.playlist.isLive ? nil : position.map { max(0, timed.end - $0) } }
        let decision = choice.nextRung(
            now: loop.now, buffer: buffer, bufferTarget: bufferTarget, current: position == nil ? nil : currentRung,
            isStartup: (main?.loaded ?? 0) == 0, isLive: timed?.playlist.isLive ?? false, remaining: remaining)
        lastReason = decision.reason.rawValue
        return min(max(0, decision.rung), sources.count - 1)
    }

    /// How far ahead to load, nanoseconds.
    var bufferTarget: Int64 {
        let wanted = forwardDuration
        guard let timed, timed.playlist.isLive else { return wanted }
        // More than there is cannot be had.
        return min(wanted, max(timed.holdBack(usesParts: usesParts), 2 * timed.targetDuration))
    }

    /// What lies ahead takes as much memory as it may.
    func cacheIsFull(for loader: RenditionLoader) -> Bool {
        guard cache.bytes > cache.limit / 4 * 3, let position = loader.position else { return false }
        let playhead = playhead
        let ahead = cache.segments.filter { $0.end > playhead && $0.start < position }.reduce(0) {
            $0 + $1.buffer.count
        }
        return ahead > cache.limit / 4 * 3
    }

    func abandonment(_ fetch: SegmentFetch, rung: Int, loader: RenditionLoader) -> Int? {
        guard let choice, let sources = presentation?.sources, sources.count > 1, !fetch.isOpen else { return nil }
        return choice.abandonment(
            now: loop.now, startedAt: fetch.began, bytesSoFar: Int(clamping: fetch.bytes),
            bytesTotal: fetch.total.map { Int(clamping: $0) },
            segmentDuration: fetch.segment.duration, rung: rung, buffer: max(0, fetch.segment.start - playhead),
            isStartup: loader.loaded == 0)
    }

    func noteAbandoned(_ fetch: SegmentFetch, to rung: Int) {
        log.abandoned += 1
        choice?.received(bytes: Int(clamping: fetch.bytes), from: fetch.began, firstByte: fetch.firstByte, to: loop.now)
        lastReason = "abandoned"
        decided = (fetch.segment.start, rung)
    }

    // MARK: what came

    func completed(_ fetch: SegmentFetch, _ key: SegmentCache.Key, for loader: RenditionLoader) {
        let segment = fetch.segment
        hasLoaded = true
        trouble = nil
        tally(fetch)
        // Parts have been counted one by one: between them nothing was there to come.
        if fetch.mediaBrought == 0 {
            choice?.received(
                bytes: Int(clamping: fetch.bytes), from: fetch.began, firstByte: fetch.firstByte, to: loop.now)
        }
        if let bitRate = choice?.throughput.bitRate, choice?.throughput.hasSamples == true {
            ThroughputMemory.shared.remember(bitRate, for: url)
        }
        if loader.role == .main, let rung = segment.rung { choice?.succeeded(rung: rung) }
        account(fetch, loader)
        cache.insert(segment, for: key)
        let playhead = playhead
        cache.trim { $0.end > playhead - 2_000_000_000 && $0.start < playhead + forwardDuration }
        readied(segment, loader.role)
    }

    /// Counts what has come since it was last asked, of segments that are given up too.
    func tally(_ fetch: SegmentFetch) {
        let fresh = fetch.takeUncounted()
        log.bytes += fresh
        if !log.accesses.isEmpty { log.accesses[log.accesses.count - 1].bytes += fresh }
    }

    func received(_ part: HTTPMetrics) {
        choice?.received(
            bytes: Int(clamping: part.bytes), from: part.started, firstByte: part.firstByte, to: part.ended)
    }

    /// Where the feeder begins has come: from now on the playhead is the player's.
    func readied(_ segment: StreamSegment, _ role: RenditionLoader.Role) {
        if role == .main, segment.end > target { isStarting = false }
    }

    private func initializeAccess(_ rung: Int) {
        guard let sources = presentation?.sources, sources.indices.contains(rung) else { return }
        let source = sources[rung]
        log.add(
            StreamLog.Access(
                url: playlist(ofRung: rung), began: Date(), indicatedBitRate: Double(source.rung.peakBitRate),
                averageBitRate: source.rung.averageBitRate.map(Double.init), resolution: source.rung.resolution,
                observedBitRate: choice.map { $0.throughput.hasSamples ? $0.throughput.bitRate : 0 } ?? 0,
                reason: lastReason))
    }

    private func account(_ fetch: SegmentFetch, _ loader: RenditionLoader) {
        guard !log.accesses.isEmpty else { return }
        let index = log.accesses.count - 1
        let seconds = Double(loop.now - (fetch.firstByte ?? fetch.began)) / 1e9
        log.accesses[index].requests += 1
        log.accesses[index].transferDuration += seconds
        if loader.role == .main {
            log.accesses[index].mediaDuration += Double(fetch.segment.duration) / 1e9
            if Double(loop.now - fetch.began) > Double(fetch.segment.duration) { log.accesses[index].overdue += 1 }
        }
        log.accesses[index].observedBitRate = choice?.throughput.bitRate ?? 0
    }

    func snapshot() -> StreamBuffer {
        var buffer = StreamBuffer()
        guard let main else { return buffer }
        let audioURL = audio.flatMap { currentSource(of: $0)?.url.absoluteString }
        let sources = Set((presentation?.sources ?? []).flatMap(\.playlists).map(\.absoluteString))
        func ranges(_ loader: RenditionLoader, _ belongs: (StreamSegment) -> Bool) -> [Range<Int64>] {
            var all = cache.segments.filter(belongs).map { $0.start..<max($0.start, $0.end) } + loader.gaps
            if let fetch = loader.fetch {
                let share = fetch.total.map { $0 > 0 ? min(1, Double(fetch.bytes) / Double($0)) : 0 } ?? 0
                let part = max(fetch.mediaBrought, Int64(Double(fetch.segment.duration) * share))
                all.append(fetch.segment.start..<(fetch.segment.start + part))
            }
            return StreamBuffer.union(all)
        }
        buffer.main = ranges(main) { sources.contains($0.run.source) }
        if let audio, let audioURL { buffer.audio = ranges(audio) { $0.run.source == audioURL } }
        if let rung = currentRung, let timed {
            buffer.seekable = timed.seekable(usesParts: usesParts)
            if !timed.playlist.isLive {
                buffer.end = timed.end
            } else {
                buffer.holdBack = timed.holdBack(usesParts: usesParts)
            }
            let here = min(max(playhead, timed.epoch), max(timed.epoch, timed.end - 1))
            buffer.anchor = timed.date(at: here).map { (here, $0) }
            if let rate = presentation?.sources[rung].rung.sustainedBitRate, rate > 1, let choice,
                choice.throughput.isKnown
            {
                buffer.surplus = choice.throughput.bitRate / rate
            }
        }
        let loaders = [main, audio].compactMap { $0 }
        buffer.isFull = loaders.allSatisfy { $0.isFull || $0.isEnded }
        buffer.breaksOff =
            loaders.contains { $0.hasFailed } && loaders.allSatisfy { $0.isFull || $0.isEnded || $0.hasFailed }
        return buffer
    }

    func initialization(_ map: InitializationSection?, base: URL) -> SegmentBuffer? {
        guard let map, let url = map.url(relativeTo: base) else { return nil }
        let name = "\(url.absoluteString) \(map.byteRange?.offset ?? -1) \(map.byteRange?.length ?? -1)"
        if let known = initializations[name], !Self.hasFailed(known.buffer) { return known.buffer }
        let buffer = SegmentBuffer(gate: gate)
        let carrier = StreamSegment(
            run: .init(source: name, discontinuity: 0, map: ""), rung: nil, mediaSequence: 0, start: 0, duration: 0,
            discontinuity: 0,
            initialization: nil, buffer: buffer, name: url.lastPathComponent, location: url.absoluteString,
            sampleKey: nil)
        let fetch = SegmentFetch(carrier, pieces: [.init(url: url, range: map.byteRange)], loop: loop, options: options)
        initializations[name] = (buffer, fetch)
        fetch.onFailure = { [weak self, weak fetch] error in
            guard let self, let fetch else { return nil }
            self.note(error)
            if error.isTransient, let delay = self.delay(fetch, error, self.retry) { return delay }
            buffer.end(.failed(error.avError))
            return nil
        }
        begin(fetch, map, base)
        return buffer
    }

    /// Initialization sections that have not come are given up, and with them the segments that were to be read with
    /// them.
    func dropInitializations() {
        for (name, entry) in initializations where entry.buffer.currentState == .loading {
            entry.fetch.cancel()
            entry.buffer.end(.replaced)
            initializations[name] = nil
            cache.removeAll(readWith: entry.buffer)
        }
    }

    /// An initialization section may be encrypted whole, like a segment (RFC 8216 §4.3.2.5).
    private func begin(_ fetch: SegmentFetch, _ map: InitializationSection, _ base: URL) {
        guard let key = map.keys.first(where: { $0.method == .aes128 && $0.keyFormat == "identity" }), let iv = key.iv,
            let url = key.url(relativeTo: base)
        else { return fetch.start(decryptor: nil) }
        keys.key(at: url) { [weak fetch] result in
            switch result {
            case .failure(let error): fetch?.segment.buffer.end(.failed(error))
            case .success(let bytes): fetch?.start(decryptor: SegmentDecryptor(key: bytes, iv: iv))
            }
        }
    }

    private static func hasFailed(_ buffer: SegmentBuffer) -> Bool {
        if case .failed = buffer.currentState { true } else { false }
    }
}

/// What the network carried lately, by host, so that the next stream need not begin at the bottom.
package final class ThroughputMemory: Sendable {
    package static let shared = ThroughputMemory()
    private let monitor = Monitor()
    private let known = Known()
    /// Guarded by `monitor`.
    private final class Known: @unchecked Sendable { var rates: [String: Double] = [:] }

    package func remember(_ bitRate: Double, for url: URL) {
        monitor.withLock {
            if known.rates.count > 64 { known.rates = [:] }
            known.rates[Self.name(url)] = bitRate
        }
    }

    func bitRate(for url: URL) -> Double? { monitor.withLock { known.rates[Self.name(url)] } }

    private static func name(_ url: URL) -> String { "\(url.host() ?? ""):\(url.port ?? 0)" }
}
