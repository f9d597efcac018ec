import Foundation
import MediaCore

/// Where deciding and loading meet, on the loop: the plan is told what happens, and what it answers is carried out.
extension HLSSession {
    /// What happens while something is being carried out is told after it.
    func tell(_ event: StreamEvent) {
        untold.append(event)
        if !isTelling { carryOut([]) }
    }

    /// And what comes of it.
    func carryOut(_ effects: [StreamEffect]) {
        isTelling = true
        for effect in effects { carryOut(effect) }
        while !untold.isEmpty {
            for effect in plan.handle(untold.removeFirst(), in: self) { carryOut(effect) }
        }
        isTelling = false
    }

    private func carryOut(_ effect: StreamEffect) {
        switch effect {
        case .loadPresentation: loadPresentation()
        case .present(let presentation): publish(presentation)
        case .need(let url): tracker(url).need()
        case .forgetFailure(let url): trackers[url]?.forgetFailure()
        case .play(let url, let others): play(url, besides: others)
        case .forgetStream(let url, let generation): forgetStream(except: url, generation)

        case .load(let order): load(order)
        case .extend(let role, let pieces, let isLast): loaders[role]?.extend(by: pieces, isLast: isLast)
        case .retry(let role, let delay): loaders[role]?.retry(after: delay)
        case .drop(let role, let state): loaders[role]?.drop(state)
        case .feed(let role, let what): self.feed(role, what)
        case .account(let role, let duration, let progress): account(role, duration: duration, progress)

        case .wake(let role, let time): wake(role, at: time)
        case .lookAgain(let role): loop.perform { [weak self] in self?.tell(.lookAgain(role)) }
        case .abandonSoon(let role, let load, let rung):
            // From inside the client's call: the request is taken back after it.
            loop.perform { [weak self] in self?.tell(.abandon(role, load: load, rung: rung)) }
        case .readmit(let rungs, let time):
            loop.schedule(at: time) { [weak self] in self?.tell(.readmit(rungs)) }

        case .opened(let result): publish(result)
        case .access(let rung, let reason): beginAccess(rung, reason)
        case .abandoned: log.abandoned += 1
        case .remember(let bitRate): ThroughputMemory.shared.remember(bitRate, for: url)
        case .chooseSubtitles: chooseSubtitles()
        case .moveSubtitles: subtitles.loader?.begin()
        case .lookForSubtitles: subtitles.loader?.pump()
        case .changed: changed()
        case .progressed: progressed()
        }
    }

    // MARK: segments

    private func load(_ order: SegmentOrder) {
        guard let kept = cache.find(order.key), kept.start == order.start else {
            loaders[order.role]?.load(order)
            return
        }
        feed(order.role).append(kept)
        tell(.wasKept(order.role, load: order.load))
    }

    /// A loader for `role`.
    func makeLoader(_ role: StreamRole) -> RenditionLoader {
        RenditionLoader(feed: feed(role), means: means) { [weak self] in self?.loader(reports: $0, $1) }
    }

    private func loader(reports report: RenditionLoader.Report, _ order: SegmentOrder) {
        switch report {
        case .began: changed()
        case .progressed(let bytes):
            tally(bytes)
            progressed()
            tell(.progressed(order.role, load: order.load))
        case .partCame(let metrics): tell(.partCame(metrics))
        case .failed(let error):
            note(error)
            tell(.failed(order.role, load: order.load, error))
        case .noted(let url, let text):
            if noted.count < 1000, noted.insert(url).inserted { warn(url, text) }
        case .came(let segment, let progress):
            cache.insert(segment, for: order.key)
            let playhead = playhead
            cache.trim { $0.end > playhead - 2_000_000_000 && $0.start < playhead + forwardDuration }
            tell(.came(order.role, load: order.load, progress))
        case .broke(let error): tell(.broke(order.role, load: order.load, error))
        }
    }

    func feed(_ role: StreamRole) -> SegmentFeed { role == .main ? mainFeed : audioFeed }

    private func feed(_ role: StreamRole, _ what: StreamEffect.Feeding) {
        let feed = feed(role)
        switch what {
        case .reset: feed.reset()
        case .end: feed.end()
        case .jump(let time): feed.jump(to: time)
        case .fail(let error): feed.fail(error)
        }
    }

    private func wake(_ role: StreamRole, at time: HostTime?) {
        wakes[role]?.cancel()
        wakes[role] = time.map { time in
            loop.schedule(at: time) { [weak self] in
                self?.wakes[role] = nil
                self?.tell(.awoke(role))
            }
        }
    }

    // MARK: playlists

    private func loadPresentation() {
        guard masterLoad == nil else { return }
        masterLoad = PresentationLoader(
            url: url, options: options, retry: settings.opening, canDecode: settings.canDecode, loop: loop,
            onFailure: { [weak self] in self?.note($0) }, completion: { [weak self] in self?.loadedPresentation($0) })
    }

    private func loadedPresentation(_ result: Result<PresentationLoader.Loaded, AVError>) {
        masterLoad = nil
        switch result {
        case .failure(let error): tell(.presentationFailed(error))
        case .success(let loaded):
            let warnings = loaded.presentation.multivariant?.warnings ?? loaded.media?.warnings
            for warning in warnings?.entries ?? [] {
                warn(url, "line \(warning.line): \(warning.reason)")
            }
            if let playlist = loaded.media { tracker(url).adopt(playlist) }
            tell(.presentationCame(settings.arrange(loaded.presentation)))
        }
    }

    func tracker(_ url: URL) -> PlaylistTracker {
        if let known = trackers[url] { return known }
        let fresh = PlaylistTracker(
            url: url, loop: loop, options: options, opening: settings.opening, playing: settings.playing,
            variables: plan.presentation?.multivariant?.variables ?? [:],
            place: { [weak self] (playlist: MediaPlaylist) -> (Int64, Int) in
                guard let self else { return (0, 0) }
                let known = self.plan.reference.flatMap { self.trackers[$0]?.timed }
                return self.plan.place(playlist, of: url, beside: known)
            },
            onRestart: { [weak self] in self?.tell(.beganAnew($0.url)) },
            log: { [weak self] in self?.note($0) }, warn: { [weak self] in self?.warn($0, $1) })
        fresh.onChange = { [weak self] in self?.tell(.playlistChanged(url)) }
        trackers[url] = fresh
        return fresh
    }

    private func play(_ url: URL, besides others: [URL]) {
        let kept = others + [subtitles.loader?.url].compactMap { $0 }
        for (other, known) in trackers where other != url && !kept.contains(other) { known.isActive = false }
        tracker(url).isActive = true
    }

    private func forgetStream(except url: URL, _ generation: Int) {
        trackers[url]?.begins(generation: generation)
        for (other, known) in trackers where other != url {
            known.stop()
            trackers[other] = nil
        }
        dropInitializations()
        means.initializations.forget()
        means.keys.forget()
    }

    /// Initialization sections that have not come are given up, and with them the segments that were to be read with
    /// them.
    func dropInitializations() {
        for buffer in means.initializations.dropUnfinished() { cache.removeAll(readWith: buffer) }
    }
}

/// What the plan sees.
extension HLSSession: StreamConditions {
    var now: HostTime { loop.time }
    var random: Double { .random(in: 0...1) }
    var shownTime: Int64? { gate.monitor.withLock { playheadOf }?() }
    var rememberedBitRate: Double? { ThroughputMemory.shared.bitRate(for: url) }

    var forwardDuration: Int64 {
        let wanted = gate.monitor.withLock { wantedForward }
        return wanted > 0 ? max(wanted, 1_000_000_000) : settings.forwardDuration
    }

    func playlist(_ url: URL) -> KnownPlaylist {
        guard let tracker = trackers[url] else { return KnownPlaylist() }
        return KnownPlaylist(
            timed: tracker.timed, failure: tracker.failure, failureIsTransient: tracker.failureIsTransient,
            isActive: tracker.isActive)
    }

    func isAwaited(_ role: StreamRole) -> Bool { feed(role).isAwaited }

    func progress(_ role: StreamRole) -> LoadProgress? { loaders[role]?.fetch?.state }

    func cacheIsFull(from playhead: Int64, to position: Int64) -> Bool {
        let most = cache.limit / 4 * 3
        guard cache.bytes > most else { return false }
        return cache.segments.filter { $0.end > playhead && $0.start < position }.reduce(0) { $0 + $1.buffer.count }
            > most
    }
}
