import Foundation
import MediaCore

/// What becomes of failures: again, from elsewhere, or the end.
///
/// **Elsewhere** is a rung's next redundant playlist (RFC 8216 §4.3.4.2), then another rung, which is avoided for a
/// while once it has failed. Where a host cannot be reached at all only another host is elsewhere. **Again** is as long
/// as the retry policy says: the opening's until a first segment has come, then that for playing, whatever is asked
/// for.
extension StreamPlan {
    var retry: RetryPolicy { hasLoaded ? settings.playing : settings.opening }

    /// A try to load a segment failed.
    mutating func failed(_ role: StreamRole, _ error: HTTPError, _ conditions: any StreamConditions) {
        guard let rendition = self[role], let order = rendition.load?.order, let progress = conditions.progress(role)
        else { return }
        let known = conditions.playlist(order.playlist)
        let isLive = known.timed?.playlist.isLive ?? false
        // The newest segment of a live stream may not be on every server yet.
        let isMissing = isLive && error.status == 404
        let mayCome = error.isTransient || isMissing && progress.failures < 4
        let isHopeless = !mayCome || progress.barren >= 3
        if isHopeless, let rung = rendition.rung,
            let other = rungs.substitute(for: rung, after: error.avError, at: conditions.now)
        {
            if role == .main { rungs.insist(on: other, at: order.start) } else { rungs.current = other }
            replace(role)
            return look(role, conditions)
        }
        if isLive, hasLoaded, known.failure == nil { return holdOn(role, order, progress, error, known, conditions) }
        if mayCome, let delay = delay(progress, error, conditions) { return emit(.retry(role, after: delay)) }
        fail(role, known.failure ?? error.avError)
    }

    /// A live stream whose playlist answers is not given up, whatever becomes of its segments: one that does not come
    /// is asked for again, and passed over when there is another behind it.
    private mutating func holdOn(
        _ role: StreamRole, _ order: SegmentOrder, _ progress: LoadProgress, _ error: HTTPError,
        _ known: KnownPlaylist, _ conditions: any StreamConditions
    ) {
        guard let timed = known.timed else { return }
        let again = max(timed.targetDuration, 1_000_000_000) / 2
        let index = timed.playlist.index(ofMediaSequence: order.mediaSequence)
        // The network's trouble would hit the next one as well, unless this one's time has passed.
        guard index == nil || error.status != nil && progress.failures >= 4 else {
            return emit(.retry(role, after: min(delay(progress, error, conditions) ?? again, again)))
        }
        replace(role)
        guard let index else { return jump(role, to: timed.seekable(usesParts: usesParts(conditions)).upperBound) }
        if index + 1 < timed.playlist.segments.count { return jump(role, to: timed.start(of: index + 1)) }
        // The newest: maybe later, or the next one.
        sleep(role, until: conditions.now + again)
    }

    private func delay(_ progress: LoadProgress, _ error: HTTPError, _ conditions: any StreamConditions) -> Int64? {
        retry.delay(
            after: error, failures: progress.failures,
            elapsed: conditions.now - (progress.firstFailure ?? conditions.now), random: conditions.random)
    }

    mutating func playlistFailed(
        _ url: URL, _ error: AVError, isTransient: Bool, for role: StreamRole, _ conditions: any StreamConditions
    ) {
        // Whoever comes back to it later asks anew.
        emit(.forgetFailure(url))
        if let rung = rungs.current, let other = rungs.substitute(for: rung, after: error, at: conditions.now) {
            if let position = self[role]?.position { rungs.insist(on: other, at: position) }
            rungs.current = other
            return emit(.lookAgain(role))
        }
        var now = trouble ?? Trouble(since: conditions.now)
        now.failures += 1
        trouble = now
        // A live stream that has begun anew may not have all of its playlists yet.
        let mayCome =
            error.httpStatus == 404 && reference.flatMap { conditions.playlist($0).timed }?.playlist.isLive == true
        guard isTransient || mayCome, hasLoaded,
            let delay = retry.delay(
                failures: now.failures, elapsed: conditions.now - now.since, retryAfter: nil,
                random: conditions.random)
        else { return fail(role, error) }
        sleep(role, until: conditions.now + delay)
    }

    /// Gives the running load up; the same time is asked of another source next.
    mutating func replace(_ role: StreamRole) {
        guard let order = self[role]?.load?.order else { return }
        emit(.drop(role, .replaced))
        self[role]?.goBack(to: order.start)
    }

    /// Nothing more comes before the reader has met that.
    mutating func fail(_ role: StreamRole, _ error: AVError) {
        guard let rendition = self[role] else { return }
        if rendition.load != nil { emit(.drop(role, .failed(error))) }
        self[role]?.load = nil
        self[role]?.hasFailed = true
        emit(.feed(role, .fail(error)))
        emit(.changed)
    }

    /// What was read of a segment of the main rendition is no media: the same time from elsewhere.
    /// - Parameters:
    ///   - source: the playlist it came from.
    ///   - start: media time, nanoseconds.
    /// - Returns: whether there is an elsewhere, and what is to be done.
    mutating func reject(
        from source: String, rung: Int?, start: Int64, _ error: AVError, in conditions: any StreamConditions
    ) -> (goesOn: Bool, effects: [StreamEffect]) {
        guard !isStopped, let rung, main != nil, let offered = rungs[rung],
            offered.playlists.contains(where: { $0.absoluteString == source })
        else { return (false, []) }
        // That copy may have been left already for another reason.
        let isLeft = source != rungs.playlist(of: rung).absoluteString
        guard let other = isLeft ? rung : rungs.substitute(for: rung, after: error, at: conditions.now) else {
            return (false, [])
        }
        if main?.load != nil { emit(.drop(.main, .replaced)) }
        emit(.feed(.main, .reset))
        rungs.insist(on: other, at: start)
        main?.goBack(to: start)
        main?.isEnded = false
        main?.hasFailed = false
        look(.main, conditions)
        return (true, takeEffects())
    }
}
