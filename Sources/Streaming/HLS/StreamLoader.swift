import Foundation
import MediaCore

/// The part of an `HLSSession` on the network loop. It sends events to `StreamPlan` and carries out the actions that
/// the plan returns.
@NetworkActor
final class StreamLoader {
    private let url: URL
    private let settings: HLSSession.Settings
    private let loop: any NetworkLoop
    private let shared: Gated<HLSSession.Shared>
    private let feeds: StreamFeeds
    private let subtitles: SubtitleTrack
    private let gate: StreamGate

    private var plan: StreamPlan
    private var events = PendingEvents()
    private var wakes: [StreamRole: any NetworkTimer] = [:]
    private var cache: SegmentCache

    private lazy var report = StreamReport(loop: loop) { [weak self] in self?.changed() }
    private lazy var playlists = makePlaylists()
    private lazy var context = makeContext()
    private lazy var loaders: [StreamRole: RenditionLoader] = [.main: makeLoader(.main), .audio: makeLoader(.audio)]

    nonisolated init(
        url: URL, settings: HLSSession.Settings, loop: any NetworkLoop, gate: StreamGate,
        shared: Gated<HLSSession.Shared>, feeds: StreamFeeds, subtitles: SubtitleTrack
    ) {
        self.url = url
        self.settings = settings
        self.loop = loop
        self.gate = gate
        self.shared = shared
        self.feeds = feeds
        self.subtitles = subtitles
        plan = StreamPlan(url: url, settings: settings)
        cache = SegmentCache(limit: settings.cacheLimit)
    }

    private func makePlaylists() -> StreamPlaylists {
        StreamPlaylists(
            url: url, settings: settings, loop: loop, align: { [weak self] in self?.align($0, $1) ?? (0, 0) },
            reference: { [weak self] in self?.plan.timeline.reference(besides: $0) },
            report: { [weak self] in self?.playlists(report: $0) })
    }

    private func makeContext() -> RenditionLoader.LoadContext {
        let note: @NetworkActor (HTTPError) -> Void = { [weak self] in self?.report.note($0) }
        let keys = KeyStore(loop: loop, options: settings.options, retry: settings.opening, log: note)
        return RenditionLoader.LoadContext(
            loop: loop, gate: gate, options: settings.options, keys: keys,
            initializations: InitializationLoader(
                loop: loop, gate: gate, options: settings.options, keys: keys,
                retry: { [weak self, opening = settings.opening] in self?.plan.retry ?? opening }, log: note))
    }

    private func makeLoader(_ role: StreamRole) -> RenditionLoader {
        RenditionLoader(feed: feeds[role], context: context) { [weak self] in self?.loader(reports: $0, $1) }
    }

    // MARK: calls of the session

    func stop() {
        send(.close)
        subtitles.stop()
        playlists.stop()
        context.keys.stop()
        context.initializations.forget()
        report.stop()
        cache.removeAll()
    }

    func suspend() {
        send(.suspend)
        subtitles.suspend()
        playlists.suspend()
        context.keys.stop()
        dropInitializations()
    }

    func excludeUndecodable(_ segment: StreamSegment, _ error: AVError) -> Bool {
        guard let variant = segment.variant else { return false }
        let (isElsewhere, effects) = plan.excludeUndecodable(variant, from: segment.start, in: self)
        if isElsewhere {
            report.warn(
                URL(string: segment.run.source) ?? url, "another variant is played instead of this one: \(error.reason)"
            )
        }
        carryOut(effects)
        return isElsewhere
    }

    func reject(_ segment: StreamSegment, _ error: AVError) -> AVError? {
        let source = segment.run.source
        cache.remove(
            SegmentCache.Key(source: source, generation: plan.timeline.generation, mediaSequence: segment.mediaSequence)
        )
        changed()
        let (verdict, effects) = plan.reject(
            from: source, variant: segment.variant, mediaSequence: segment.mediaSequence,
            range: segment.start..<max(segment.start, segment.end), error, in: self)
        report.warn(
            URL(string: segment.location) ?? URL(string: source) ?? url,
            "the segment can't be played: \(error.reason)", status: error.httpStatus)
        carryOut(effects)
        return verdict
    }

    func loseAudio(_ error: AVError) {
        report.warn(
            URL(string: error.location) ?? url,
            "the separate audio track can't be played, so the audio of the video stream is used: \(error.reason)",
            status: error.httpStatus)
        carryOut(plan.loseAudio())
        changed()
    }

    // MARK: events and effects

    /// Reports an event. Events that occur while another event is handled wait in a queue.
    func send(_ event: StreamEvent) {
        events.add(event)
        if !events.areBeingHandled { carryOut([]) }
    }

    /// Carries out actions, and then handles the events that they cause.
    private func carryOut(_ effects: [StreamEffect]) {
        events.areBeingHandled = true
        for effect in effects { carryOut(effect) }
        while let event = events.next() {
            for effect in plan.handle(event, in: self) { carryOut(effect) }
        }
        events.areBeingHandled = false
    }

    private func carryOut(_ effect: StreamEffect) {
        switch effect {
        case .loadPresentation: playlists.loadPresentation()
        case .present(let presentation):
            shared.withLock { $0.presentation = presentation }
            changed()
        case .need(let url): playlists.tracker(url).need()
        case .forgetFailure(let url): playlists[url]?.forgetFailure()
        case .play(let url, let others): playlists.play(url, besides: others + [subtitles.url].compactMap { $0 })
        case .forgetStream(let url, let generation): forgetStream(except: url, generation)

        case .load(let order): load(order)
        case .extend(let role, let pieces, let isLast): loaders[role]?.extend(by: pieces, isLast: isLast)
        case .retry(let role, let delay): loaders[role]?.retry(after: delay)
        case .drop(let role, let state): loaders[role]?.drop(state)
        case .feed(let role, let feeding): feeds[role].take(feeding)
        case .account(let role, let duration, let progress):
            report.account(
                progress, duration: role == .main ? duration : nil,
                bitRate: plan.variants.choice?.throughput.bitRate ?? 0)

        case .wake(let role, let time): wake(role, at: time)
        case .checkAgain(let role): loop.perform { [weak self] in self?.send(.checkAgain(role)) }
        case .abandonSoon(let role, let load, let variant):
            // The effect is emitted during a callback of the HTTP client. The request is canceled after the callback.
            loop.perform { [weak self] in self?.send(.abandon(role, load: load, variant: variant)) }
        case .allowAgain(let variants, let time):
            loop.schedule(at: time) { [weak self] in self?.send(.allowAgain(variants)) }

        case .opened(let result): shared.read { $0.opening }?.give(result)
        case .access(let variant, let reason): beginAccess(variant, reason)
        case .abandoned: report.abandoned()
        case .remember(let bitRate): ThroughputMemory.shared.remember(bitRate, for: url)
        case .chooseSubtitles: chooseSubtitles()
        case .moveSubtitles: subtitles.begin()
        case .loadSubtitles: subtitles.loadNext()
        case .changed: changed()
        case .progressed: report.progressed()
        }
    }

    private func wake(_ role: StreamRole, at time: HostTime?) {
        wakes[role]?.cancel()
        wakes[role] = time.map { time in
            loop.schedule(at: time) { [weak self] in
                self?.wakes[role] = nil
                self?.send(.timerFired(role))
            }
        }
    }

    private func beginAccess(_ variant: Int, _ reason: String) {
        guard let source = plan.variants[variant] else { return }
        let throughput = plan.variants.choice?.throughput
        report.begin(
            StreamLog.Access(
                url: plan.variants.playlist(of: variant), began: Date(),
                indicatedBitRate: Double(source.attributes.peakBitRate),
                averageBitRate: source.attributes.averageBitRate.map(Double.init),
                resolution: source.attributes.resolution,
                observedBitRate: throughput.map { $0.hasSamples ? $0.bitRate : 0 } ?? 0, reason: reason))
    }

    /// Updates the shared buffer state and the log, and notifies the player.
    private func changed() {
        guard !plan.isStopped else { return }
        report.didNotify()
        let buffer = StreamBuffer(of: plan, in: self, cached: cache.segments)
        let call = shared.withLock { [log = report.log] shared in
            shared.buffer = buffer
            shared.log = log
            return shared.calls.onChange
        }
        call?()
    }

    // MARK: segments

    private func load(_ order: SegmentOrder) {
        guard let kept = cache.find(order.key), kept.start == order.start else {
            loaders[order.role]?.load(order)
            return
        }
        feeds[order.role].append(kept)
        send(.wasCached(order.role, load: order.load))
    }

    private func loader(reports event: RenditionLoader.Report, _ order: SegmentOrder) {
        switch event {
        case .began: changed()
        case .progressed(let bytes):
            report.tally(bytes)
            report.progressed()
            send(.progressed(order.role, load: order.load))
        case .didLoadPart(let metrics): send(.didLoadPart(metrics))
        case .tryFailed(let error, let progress):
            report.note(error)
            send(.tryFailed(order.role, load: order.load, error, progress))
        case .noted(let url, let text): report.warnOnce(url, text)
        case .didLoad(let segment, let progress):
            cache.insert(segment, for: order.key)
            let playhead = plan.playhead(self)
            cache.trim { $0.end > playhead - 2_000_000_000 && $0.start < playhead + forwardDuration }
            send(.didLoad(order.role, load: order.load, progress))
        case .loadFailed(let error): send(.loadFailed(order.role, load: order.load, error))
        }
    }

    // MARK: playlists

    private func playlists(report event: StreamPlaylists.Event) {
        switch event {
        case .presentationFailed(let error): send(.presentationFailed(error))
        case .didLoadPresentation(let loaded): send(.didLoadPresentation(settings.arrange(loaded.presentation)))
        case .changed(let url): send(.playlistChanged(url))
        case .restarted(let url): send(.restarted(url))
        case .failed(let error): report.note(error)
        case .warned(let url, let text): report.warn(url, text)
        }
    }

    private func align(_ playlist: MediaPlaylist, _ url: URL) -> (epoch: Int64, generation: Int) {
        plan.align(playlist, of: url, beside: plan.timeline.reference.flatMap { playlists[$0]?.timed })
    }

    private func forgetStream(except url: URL, _ generation: Int) {
        playlists.forget(except: url, generation)
        dropInitializations()
        context.initializations.forget()
        context.keys.forget()
    }

    /// Drops the initialization sections that have not arrived, and the cached segments that require them.
    private func dropInitializations() {
        for buffer in context.initializations.dropUnfinished() { cache.removeAll(readWith: buffer) }
    }

    // MARK: subtitles

    func chooseSubtitles(_ choice: StreamSelection.Choice) {
        subtitles.select(choice)
        chooseSubtitles()
    }

    /// Carries out the selection as soon as the presentation is known.
    private func chooseSubtitles() {
        guard let presentation = plan.presentation, !plan.isStopped else { return }
        let audioLanguage = plan.audioOption.flatMap {
            presentation.audio.indices.contains($0) ? presentation.audio[$0].language : nil
        }
        let group = plan.variants.current.flatMap { plan.variants.copies(of: $0).first?.groups.subtitles }
        // Before playback begins, there is no timeline for subtitles.
        let unusedURL = subtitles.choose(
            of: presentation, audioLanguage: audioLanguage, preferring: group, begins: plan.main != nil
        ) { subtitleStream() }
        // Subtitles are no longer loaded from this playlist.
        if let unusedURL { playlists[unusedURL]?.isActive = false }
    }

    private func subtitleStream() -> SubtitleLoader.Stream {
        SubtitleLoader.Stream(
            loop: loop, gate: gate, options: settings.options, retry: settings.opening, keys: context.keys,
            track: subtitles,
            window: { [weak self] in
                guard let self, !self.plan.isStopped, self.plan.timeline.reference != nil else { return nil }
                let playhead = self.plan.playhead(self)
                return playhead..<max(playhead, playhead + self.plan.bufferTarget(self))
            },
            tracker: { [weak self] in self?.playlists.tracker($0) },
            offset: { [weak self] in self?.offset(of: $0) },
            note: { [weak self] in self?.report.note($0) },
            onFailure: { [weak self] url, status, reason in
                guard let self else { return }
                self.report.subtitlesFailed(url ?? self.url, status: status, reason)
            })
    }

    /// Returns the offset in nanoseconds from the stream's timestamps to media time for a subtitle segment, or nil if
    /// it is not known yet.
    private func offset(of segment: CueStore.Held) -> Int64? {
        if let known = subtitles.offset(discontinuity: segment.discontinuity) { return known }
        // This subtitle playlist does not number its discontinuities like the main playlist.
        guard let reference = plan.timeline.reference, let timed = playlists[reference]?.timed,
            let index = timed.index(at: segment.start + timed.tolerance)
        else { return nil }
        return subtitles.offset(
            discontinuity: timed.discontinuity(timed.playlist.segments[index].discontinuitySequence))
    }
}

// The conditions that the plan reads.
extension StreamLoader: @NetworkActor StreamConditions {
    var now: HostTime { loop.time }
    var random: Double { .random(in: 0...1) }
    var shownTime: Int64? { shared.read { $0.calls.playhead }?() }
    var rememberedBitRate: Double? { ThroughputMemory.shared.bitRate(for: url) }

    var forwardDuration: Int64 {
        let wanted = shared.read { $0.wantedForward }
        return wanted > 0 ? max(wanted, 1_000_000_000) : settings.forwardDuration
    }

    func playlist(_ url: URL) -> KnownPlaylist {
        guard let tracker = playlists[url] else { return KnownPlaylist() }
        return KnownPlaylist(
            timed: tracker.timed, failure: tracker.failure, failureIsTransient: tracker.failureIsTransient,
            reloadFailure: tracker.reloadFailure, isActive: tracker.isActive, isOutdated: tracker.isOutdated)
    }

    func isAwaited(_ role: StreamRole) -> Bool { feeds[role].isAwaited }

    var readerWaits: Bool { gate.isWaitedAt }

    func progress(_ role: StreamRole) -> LoadProgress? { loaders[role]?.fetch?.state }

    func cacheIsFull(from playhead: Int64, to position: Int64) -> Bool {
        let most = cache.limit / 4 * 3
        guard cache.bytes > most else { return false }
        return cache.segments.filter { $0.end > playhead && $0.start < position }.reduce(0) { $0 + $1.buffer.count }
            > most
    }
}

/// A queue of events that occur while another event is handled.
private struct PendingEvents {
    private var events: [StreamEvent] = []
    var areBeingHandled = false

    mutating func add(_ event: StreamEvent) { events.append(event) }
    mutating func next() -> StreamEvent? { events.isEmpty ? nil : events.removeFirst() }
}

/// The two feeds of a stream.
struct StreamFeeds: Sendable {
    let main: SegmentFeed
    let audio: SegmentFeed

    init(gate: StreamGate) {
        main = SegmentFeed(gate: gate)
        audio = SegmentFeed(gate: gate)
    }

    subscript(role: StreamRole) -> SegmentFeed { role == .main ? main : audio }
}
