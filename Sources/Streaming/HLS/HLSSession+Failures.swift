import Foundation
import MediaCore

/// What the session does about failures, on the loop: again, from elsewhere, or the end.
///
/// **Elsewhere** is a rung's next redundant playlist (RFC 8216 §4.3.4.2), then another rung, which is avoided for a
/// while once it has failed. Where a host cannot be reached at all only another host is elsewhere. **Again** is as long
/// as the retry policy says: the opening's until a first segment has come, then that for playing, whatever is asked
/// for.
extension HLSSession {
    /// Since when nothing comes, and how often that was tried.
    struct Trouble {
        var since: Int64
        var failures = 0
    }

    var retry: RetryPolicy { hasLoaded ? settings.playing : settings.opening }

    /// - Returns: nanoseconds until the next try; nil: taken over by another source, or given up.
    func segmentFailed(
        _ fetch: SegmentFetch, _ error: HTTPError, _ tracker: PlaylistTracker, for loader: RenditionLoader
    ) -> Int64? {
        note(error)
        let isLive = tracker.timed?.playlist.isLive ?? false
        // The newest segment of a live stream may not be on every server yet.
        let isMissing = isLive && error.status == 404
        let mayCome = error.isTransient || isMissing && fetch.failures < 4
        let isHopeless = !mayCome || fetch.barren >= 3
        if isHopeless, let rung = loader.rung, let other = substitute(forRung: rung, after: error.avError) {
            decided = loader.role == .main ? (fetch.segment.start, other) : decided
            if loader.role == .audio { currentRung = other }
            loop.perform { [weak loader, weak fetch] in
                guard let loader, let fetch, loader.fetch === fetch else { return }
                loader.replace(fetch)
                loader.pump()
            }
            return nil
        }
        if isLive, hasLoaded, tracker.failure == nil { return heldOn(fetch, error, tracker, for: loader) }
        if mayCome, let delay = delay(fetch, error, retry) { return delay }
        loop.perform { [weak loader, weak fetch] in
            guard let loader, let fetch, loader.fetch === fetch else { return }
            loader.fail(tracker.failure ?? error.avError)
        }
        return nil
    }

    /// A live stream whose playlist answers is not given up, whatever becomes of its segments: one that does not come
    /// is asked for again, and passed over when there is another behind it.
    private func heldOn(
        _ fetch: SegmentFetch, _ error: HTTPError, _ tracker: PlaylistTracker, for loader: RenditionLoader
    ) -> Int64? {
        let again = max(tracker.timed?.targetDuration ?? 0, 1_000_000_000) / 2
        // The network's trouble would hit the next one as well, unless this one's time has passed.
        let isPast = tracker.timed?.playlist.index(ofMediaSequence: fetch.segment.mediaSequence) == nil
        if isPast || error.status != nil && fetch.failures >= 4 {
            loop.perform { [weak loader, weak fetch] in
                guard let loader, let fetch, loader.fetch === fetch else { return }
                if !loader.passOver(fetch, tracker) {
                    // The newest: maybe later, or the next one.
                    loader.replace(fetch)
                    loader.pump(after: again)
                }
            }
            return nil
        }
        return min(delay(fetch, error, retry) ?? again, again)
    }

    func delay(_ fetch: SegmentFetch, _ error: HTTPError, _ retry: RetryPolicy) -> Int64? {
        retry.delay(
            after: error, failures: fetch.failures, elapsed: loop.now - (fetch.firstFailure ?? loop.now),
            random: .random(in: 0...1))
    }

    func playlistFailed(_ tracker: PlaylistTracker, _ error: AVError, for loader: RenditionLoader) {
        let isTransient = tracker.failureIsTransient
        // Whoever comes back to it later asks anew.
        tracker.forgetFailure()
        if let rung = currentRung, let other = substitute(forRung: rung, after: error) {
            decided = loader.position.map { ($0, other) }
            currentRung = other
            return loop.perform { [weak loader] in loader?.pump() }
        }
        var now = trouble ?? Trouble(since: loop.now)
        now.failures += 1
        trouble = now
        // A live stream that has begun anew may not have all of its playlists yet.
        let mayCome = error.httpStatus == 404 && reference.flatMap { trackers[$0]?.timed }?.playlist.isLive == true
        guard isTransient || mayCome, hasLoaded,
            let delay = retry.delay(
                failures: now.failures, elapsed: loop.now - now.since, retryAfter: nil, random: .random(in: 0...1))
        else { return loader.fail(error) }
        loader.pump(after: delay)
    }

    /// What was read of `segment` is no media. False: nobody else has its time.
    func reject(_ segment: StreamSegment, _ error: AVError) -> Bool {
        log.add(
            StreamLog.Failure(
                date: Date(), url: URL(string: segment.run.source) ?? url, status: error.httpStatus,
                comment: error.reason))
        cache.remove(
            SegmentCache.Key(source: segment.run.source, generation: generation, mediaSequence: segment.mediaSequence))
        changed()
        guard let rung = segment.rung, let main, let sources = presentation?.sources, sources.indices.contains(rung),
            sources[rung].playlists.contains(where: { $0.absoluteString == segment.run.source })
        else { return false }
        // That copy may have been left already for another reason.
        let isLeft = segment.run.source != playlist(ofRung: rung).absoluteString
        guard let other = isLeft ? rung : substitute(forRung: rung, after: error) else { return false }
        main.reject(segment) { decided = (segment.start, other) }
        return true
    }

    /// Another way to a rung that fails: its next redundant playlist, else another rung that has not failed lately.
    func substitute(forRung rung: Int, after error: AVError) -> Int? {
        guard let sources = presentation?.sources, sources.indices.contains(rung) else { return nil }
        let isOutOfReach = error.code == .cannotConnectToHost || error.code == .cannotFindHost
        let here = playlist(ofRung: rung)
        func helps(_ url: URL) -> Bool { !isOutOfReach || url.host() != here.host() || url.port != here.port }
        let used = standIn[rung] ?? 0
        let all = sources[rung].playlists
        if let next = all.indices.dropFirst(used + 1).first(where: { helps(all[$0]) }) {
            standIn[rung] = next
            return rung
        }
        guard sources.count > 1, var choice else { return nil }
        let open = choice.openLadder(loop.now).filter { $0 != rung && helps(playlist(ofRung: $0)) }
        guard !isOutOfReach || !open.isEmpty else { return nil }
        // Its copies are tried from the first on when its time has come again.
        standIn[rung] = nil
        choice.failed(rung: rung, at: loop.now)
        self.choice = choice
        // If all have failed nothing is left to try but time.
        let fresh = open.filter { !choice.failures.avoids($0, at: loop.now) }
        return fresh.last { $0 < rung } ?? fresh.first
    }
}
