import Foundation
import MediaCore

/// What becomes of failures: again, from elsewhere, or the end.
///
/// **Elsewhere** is a rung's next redundant playlist (RFC 8216 §4.3.4.2), then another rung, which is avoided for a
/// while once it has failed. Where a host cannot be reached at all only another host is elsewhere. **Again** is as long
/// as the retry policy says: the opening's until a first segment has come, then that for playing, whatever is asked
/// for. **Passed over** is a segment that neither brings: loading goes on behind it, and its reader meets its error in
/// its turn (`reject`), which ends the stream only where too many are missing.
extension StreamPlan {
    var retry: RetryPolicy { hasLoaded ? settings.playing : settings.opening }

    /// A try to load a segment failed.
    mutating func failed(
        _ role: StreamRole, _ error: HTTPError, _ progress: LoadProgress, _ conditions: any StreamConditions
    ) {
        guard let rendition = self[role], let order = rendition.load?.order else { return }
        let tries = progress.retry
        let known = conditions.playlist(order.playlist)
        let isLive = known.timed?.playlist.isLive ?? false
        // The newest segment of a live stream may not be on every server yet.
        let isMissing = isLive && error.status == 404
        let mayCome = error.isTransient || isMissing && tries.failures < 4
        let isHopeless = !mayCome || tries.barren >= 3
        if isHopeless, role == .main || isElsewhere(order.playlist), let rung = rendition.rung,
            let other = rungs.substitute(for: rung, after: error.avError, at: conditions.now)
        {
            if role == .main { rungs.insist(on: other, at: order.start) } else { rungs.current = other }
            replace(role)
            return look(role, conditions)
        }
        if isLive, hasLoaded, known.failure == nil { return holdOn(role, order, tries, error, known, conditions) }
        // Without a status the network may be gone, which no other segment helps with.
        let isTrouble = error.isTransient && error.status == nil
        let isOutOfPatience =
            rendition.isInTrouble
            ? isHopeless
            : !isTrouble && tries.failures >= 5 && tries.elapsed(at: conditions.now) >= StreamPlan.patience
        if mayCome, !isOutOfPatience,
            let delay = tries.delay(after: error, retry, at: conditions.now, random: conditions.random)
        {
            return emit(.retry(role, after: delay))
        }
        guard known.failure == nil, !isTrouble || hasLoaded, !error.isTransient || !rendition.isInTrouble else {
            return fail(role, known.failure ?? error.avError)
        }
        emit(.drop(role, .failed(error.avError)))
        passOver(role, order, error.avError, conditions)
        self[role]?.isInTrouble = error.isTransient
    }

    /// How long a server that answers with errors of its own is asked for one segment, nanoseconds.
    private static let patience: Int64 = 10_000_000_000
    /// Segments in a row that are passed over before any has come.
    private static let mostAtFirst = 10

    /// What was loading cannot be decrypted, or its key is not to be had.
    mutating func broke(_ role: StreamRole, _ error: AVError, _ conditions: any StreamConditions) {
        guard let order = self[role]?.load?.order else { return }
        self[role]?.load = nil
        // No segment behind it can be read either.
        if error.code == .unsupportedKeySystem { return fail(role, error) }
        passOver(role, order, error, conditions)
    }

    /// Loading goes on behind a segment that cannot be had; whoever reads it meets why.
    private mutating func passOver(
        _ role: StreamRole, _ order: SegmentOrder, _ error: AVError, _ conditions: any StreamConditions
    ) {
        self[role]?.load = nil
        let end = conditions.playlist(order.playlist).timed.flatMap { timed in
            timed.playlist.index(ofMediaSequence: order.mediaSequence).map { timed.start(of: $0 + 1) }
        }
        self[role]?.addGap(order.start..<max(order.start, end ?? order.end))
        self[role]?.pass(order.mediaSequence, of: order.playlist, to: end ?? order.end)
        self[role]?.passedOver += 1
        if let rendition = self[role], rendition.loaded == 0, rendition.passedOver >= StreamPlan.mostAtFirst {
            return fail(role, error)
        }
        emit(.changed)
        emit(.lookAgain(role))
    }

    /// A live stream whose playlist answers is not given up, whatever becomes of its segments: one that does not come
    /// is asked for again, and passed over when there is another behind it.
    private mutating func holdOn(
        _ role: StreamRole, _ order: SegmentOrder, _ tries: TransferRetry, _ error: HTTPError,
        _ known: KnownPlaylist, _ conditions: any StreamConditions
    ) {
        guard let timed = known.timed else { return }
        let again = max(timed.targetDuration, 1_000_000_000) / 2
        let index = timed.playlist.index(ofMediaSequence: order.mediaSequence)
        // The network's trouble would hit the next one as well, unless this one's time has passed.
        guard index == nil || error.status != nil && tries.failures >= 4 else {
            let delay = tries.delay(after: error, retry, at: conditions.now, random: conditions.random)
            return emit(.retry(role, after: min(delay ?? again, again)))
        }
        replace(role)
        guard let index else { return jump(role, to: timed.seekable(usesParts: usesParts(conditions)).upperBound) }
        if index + 1 < timed.playlist.segments.count { return jump(role, to: timed.start(of: index + 1)) }
        // The newest: maybe later, or the next one.
        sleep(role, until: conditions.now + again)
    }

    mutating func playlistFailed(
        _ url: URL, _ error: AVError, isTransient: Bool, for role: StreamRole, _ conditions: any StreamConditions
    ) {
        // Whoever comes back to it later asks anew.
        emit(.forgetFailure(url))
        // Sound that all variants share is nowhere else.
        if role == .main || isElsewhere(url), let rung = rungs.current,
            let other = rungs.substitute(for: rung, after: error, at: conditions.now)
        {
            if let position = self[role]?.position { rungs.insist(on: other, at: position) }
            rungs.current = other
            return emit(.lookAgain(role))
        }
        trouble.failed(at: conditions.now)
        // A live stream that has begun anew may not have all of its playlists yet.
        let mayCome =
            error.httpStatus == 404
            && timeline.reference.flatMap { conditions.playlist($0).timed }?.playlist.isLive == true
        guard isTransient || mayCome, hasLoaded,
            let delay = trouble.delay(after: nil, retry, at: conditions.now, random: conditions.random)
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

    /// Some variant has its sound in another playlist.
    func isElsewhere(_ sound: URL) -> Bool {
        (0..<rungs.count).contains { rung in audioPlaylist(of: rung).map { $0 != sound } ?? false }
    }

    /// What a reader met in a segment's place is no media: the same time from elsewhere, or on behind it.
    /// - Parameters:
    ///   - source: the playlist it came from.
    ///   - range: media time, nanoseconds.
    /// - Returns: why reading cannot go on, nil: it can; and what is to be done.
    mutating func reject(
        from source: String, rung: Int?, mediaSequence: Int, range: Range<Int64>, _ error: AVError,
        in conditions: any StreamConditions
    ) -> (verdict: AVError?, effects: [StreamEffect]) {
        guard !isStopped, main != nil, error.code != .unsupportedKeySystem else { return (error, []) }
        var role = StreamRole.audio
        var playlist = currentSource(of: .audio)
        if let rung, let offered = rungs[rung],
            let own = offered.playlists.first(where: { $0.absoluteString == source })
        {
            role = .main
            playlist = own
            // That copy may have been left already for another reason.
            let isLeft = source != rungs.playlist(of: rung).absoluteString
            if let other = isLeft ? rung : rungs.substitute(for: rung, after: error, at: conditions.now) {
                if main?.load != nil { emit(.drop(.main, .replaced)) }
                emit(.feed(.main, .reset))
                rungs.insist(on: other, at: range.lowerBound)
                main?.goBack(to: range.lowerBound)
                main?.isEnded = false
                main?.hasFailed = false
                look(.main, conditions)
                return (nil, takeEffects())
            }
        }
        var unread = self.unread[role] ?? Unread(first: error)
        unread.sequences.insert(mediaSequence)
        self.unread[role] = unread
        let timed = playlist.flatMap { conditions.playlist($0).timed }
        let count = timed?.playlist.segments.count ?? 0
        guard timed?.playlist.isLive == true || unread.sequences.count <= count / 3 else {
            return (tooManyUnread(unread, of: count), [])
        }
        self[role]?.addGap(range)
        emit(.changed)
        return (nil, takeEffects())
    }

    /// The video of a rung cannot be decoded: the same time comes from another rung, and so does all that follows.
    /// - Parameter start: of the segment that has shown it, media time in nanoseconds.
    /// - Returns: whether there is another rung, and what is to be done.
    mutating func avoidUndecodable(_ rung: Int, from start: Int64, in conditions: any StreamConditions)
        -> (isElsewhere: Bool, effects: [StreamEffect])
    {
        guard !isStopped, main != nil, rungs.avoidUndecodable(rung) else { return (false, []) }
        if main?.load != nil { emit(.drop(.main, .replaced)) }
        emit(.feed(.main, .reset))
        main?.goBack(to: start)
        main?.isEnded = false
        main?.hasFailed = false
        look(.main, conditions)
        return (true, takeEffects())
    }

    private func tooManyUnread(_ unread: Unread, of count: Int) -> AVError {
        guard unread.sequences.count > 1 else { return unread.first }
        return AVError(
            unread.first.code, at: unread.first.location,
            reason:
                "\(unread.sequences.count) of the stream's \(count) segments can't be played; the first error was: \(unread.first.reason)",
            suggestion: unread.first.suggestion, httpStatus: unread.first.httpStatus)
    }

    /// The sound in a playlist of its own is given up for what the main rendition has of its own.
    mutating func loseAudio() -> [StreamEffect] {
        guard audio != nil else { return [] }
        stop(.audio)
        audio = nil
        audioOption = nil
        emit(.feed(.audio, .reset))
        emit(.changed)
        return takeEffects()
    }
}
