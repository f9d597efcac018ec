import Foundation
import MediaCore

// The handling of failures. The plan has three options:
//
// - **Alternative.** A variant's next redundant playlist (RFC 8216 §4.3.4.2) is used, or else another variant. A
//   variant that has failed is avoided for a while. If a host cannot be reached, only another host is an alternative.
// - **Retry.** The retry policy sets the limit. The policy for opening applies until a first segment has arrived. After
//   that, the policy for playing applies to segments and to playlists that fail. A live playlist is retried by its
//   tracker; after several failures, the plan looks for an alternative.
// - **Skip.** If neither helps, the segment is skipped and loading continues after it. Its reader receives the error
//   when it reaches the segment (`reject`), which ends the stream only if too many segments are missing.
extension StreamPlan {
    var retry: RetryPolicy { hasLoaded ? settings.playing : settings.opening }

    /// Handles a failed try to load a segment.
    mutating func failed(
        _ role: StreamRole, _ error: HTTPError, _ progress: LoadProgress, _ conditions: any StreamConditions
    ) {
        guard let rendition = self[role], let order = rendition.load?.order else { return }
        let tries = progress.retry
        let known = conditions.playlist(order.playlist)
        let isLive = known.timed?.playlist.isLive ?? false
        // The newest segment of a live stream may not have reached every server yet.
        let isMissing = isLive && error.status == 404
        let mayCome = error.isTransient || isMissing && tries.failures < 4
        let isHopeless = !mayCome || tries.failuresWithoutProgress >= 3
        if isHopeless, leave(order.playlist, of: rendition.variant, after: error.avError, role, conditions) {
            return loadNext(role, conditions)
        }
        if isLive, hasLoaded, known.failure == nil {
            return retryLiveSegment(role, order, tries, error, known, conditions)
        }
        // Without an HTTP status, the network may be down, so another segment would not help.
        let isNetworkFailure = error.isTransient && error.status == nil
        let isOutOfPatience =
            rendition.skippedForNetwork
            ? isHopeless
            : !isNetworkFailure && tries.failures >= 5 && tries.elapsed(at: conditions.now) >= StreamPlan.patience
        if mayCome, !isOutOfPatience,
            let delay = tries.delay(after: error, retry, at: conditions.now, random: conditions.random)
        {
            return emit(.retry(role, after: delay))
        }
        // While the reader needs no data, for example during a pause, the network may return before the segment is needed.
        if isNetworkFailure, hasLoaded, !conditions.readerWaits {
            replace(role)
            return sleep(role, until: conditions.now + retry.longestDelay)
        }
        guard known.failure == nil, !isNetworkFailure || hasLoaded, !error.isTransient || !rendition.skippedForNetwork
        else {
            return fail(role, known.failure ?? error.avError)
        }
        emit(.drop(role, .failed(error.avError)))
        skip(role, order, error.avError, conditions)
        if isHopeless { self[role]?.givenUp.insert(order.key) }
        self[role]?.skippedForNetwork = error.isTransient
    }

    /// The time for which one segment is retried if the server responds with errors, in nanoseconds.
    private static let patience: Int64 = 10_000_000_000
    /// The maximum number of segments in a row that are skipped before any segment has arrived.
    private static let maximumInitialSkips = 10

    /// Handles a segment that cannot be decrypted or whose key is not available.
    mutating func loadFailed(_ role: StreamRole, _ error: AVError, _ conditions: any StreamConditions) {
        guard let order = self[role]?.load?.order else { return }
        self[role]?.load = nil
        // The following segments could not be read either.
        if error.code == .unsupportedKeySystem { return fail(role, error) }
        skip(role, order, error, conditions)
    }

    /// Skips a segment that cannot be loaded, and continues after it. A reader of the segment receives the error.
    private mutating func skip(
        _ role: StreamRole, _ order: SegmentOrder, _ error: AVError, _ conditions: any StreamConditions
    ) {
        self[role]?.load = nil
        let end = conditions.playlist(order.playlist).timed.flatMap { timed in
            timed.playlist.index(ofMediaSequence: order.mediaSequence).map { timed.start(of: $0 + 1) }
        }
        self[role]?.addGap(order.start..<max(order.start, end ?? order.end))
        self[role]?.pass(order.mediaSequence, of: order.playlist, to: end ?? order.end)
        self[role]?.skippedInRow += 1
        if let rendition = self[role], rendition.loaded == 0, rendition.skippedInRow >= StreamPlan.maximumInitialSkips {
            return fail(role, error)
        }
        emit(.changed)
        emit(.checkAgain(role))
    }

    /// Continues with an alternative to a playlist that has failed, or whose segment has failed.
    /// - Parameter variant: The variant of the playlist. An audio playlist belongs to the current variant.
    /// - Returns: Whether there is an alternative. The current load is then dropped.
    private mutating func leave(
        _ playlist: URL, of variant: Int?, after error: AVError, _ role: StreamRole, _ conditions: any StreamConditions
    ) -> Bool {
        switch role {
        case .main:
            guard let variant, let position = main?.load?.order.start ?? main?.position,
                let other = variants.substitute(for: variant, leaving: playlist, after: error, at: conditions.now)
            else { return false }
            variants.overrideDecision(with: other, at: position)
        case .audio:
            guard let variant = variants.current else { return false }
            // The main rendition may already have moved to another copy.
            if audioPlaylist(of: variant).map({ $0 == playlist }) ?? true {
                // An audio playlist that all variants share has no alternative.
                guard isElsewhere(playlist),
                    let other = variants.substitute(for: variant, after: error, at: conditions.now)
                else { return false }
                variants.current = other
            }
        }
        replace(role)
        return true
    }

    /// Continues with an alternative to a live playlist that can no longer be reloaded.
    /// - Returns: Whether there is one. If not, the reloads are still retried.
    mutating func replaceFailingPlaylist(
        _ url: URL, of variant: Int?, _ role: StreamRole, _ conditions: any StreamConditions
    ) -> Bool {
        let known = conditions.playlist(url)
        // The alternatives may fail too. Together, they are tried for no longer than one playlist is.
        guard known.timed?.playlist.isLive == true, let error = known.failure ?? known.reloadFailure,
            !playlistRetry.isUsedUp(retry, at: conditions.now), leave(url, of: variant, after: error, role, conditions)
        else { return false }
        playlistRetry.failed(at: conditions.now)
        emit(.forgetFailure(url))
        emit(.checkAgain(role))
        return true
    }

    /// Handles a failed segment of a live stream whose playlist is available. Such a stream never ends because of a
    /// segment. The segment is retried, and skipped if a newer one exists.
    private mutating func retryLiveSegment(
        _ role: StreamRole, _ order: SegmentOrder, _ tries: TransferRetry, _ error: HTTPError,
        _ known: KnownPlaylist, _ conditions: any StreamConditions
    ) {
        guard let timed = known.timed else { return }
        let retryInterval = max(timed.targetDuration, 1_000_000_000) / 2
        let playlist = timed.playlist
        let index = playlist.index(ofMediaSequence: order.mediaSequence)
        if let index, case .parts = order.content,
            playlist.segments[index].parts.isEmpty || tries.failures >= 3
        {
            // The segment is complete now, so it is loaded as a whole.
            replace(role)
            return loadNext(role, conditions)
        }
        let isIncomplete = index == nil && order.mediaSequence >= playlist.incompleteSegment.mediaSequence
        // The segment is retried while it is in the window, unless the server keeps returning errors for it. A network
        // failure would affect the next segment too. The parts of an incomplete segment are the newest media.
        if isIncomplete || index != nil && (error.status == nil || tries.failures < 4) {
            let delay = tries.delay(after: error, retry, at: conditions.now, random: conditions.random)
            return emit(.retry(role, after: min(delay ?? retryInterval, retryInterval)))
        }
        replace(role)
        guard let index else { return jump(role, to: timed.seekable(usesParts: usesParts(conditions)).upperBound) }
        if index + 1 < playlist.segments.count { return jump(role, to: timed.start(of: index + 1)) }
        // This is the newest segment. It may become available later, or the next one may.
        sleep(role, until: conditions.now + retryInterval)
    }

    mutating func playlistFailed(
        _ url: URL, _ error: AVError, isTransient: Bool, for role: StreamRole, _ conditions: any StreamConditions
    ) {
        // The next use requests the playlist again.
        emit(.forgetFailure(url))
        if leave(url, of: variants.current, after: error, role, conditions) { return emit(.checkAgain(role)) }
        playlistRetry.failed(at: conditions.now)
        // After a restart of a live stream, some of its playlists may not exist yet.
        let mayCome =
            error.httpStatus == 404
            && timeline.reference.flatMap { conditions.playlist($0).timed }?.playlist.isLive == true
        guard isTransient || mayCome, hasLoaded,
            let delay = playlistRetry.delay(after: nil, retry, at: conditions.now, random: conditions.random)
        else { return fail(role, error) }
        sleep(role, until: conditions.now + delay)
    }

    /// Drops the current load. The same time is then loaded from another playlist.
    mutating func replace(_ role: StreamRole) {
        guard let order = self[role]?.load?.order else { return }
        emit(.drop(role, .replaced))
        self[role]?.goBack(to: order.start)
    }

    /// Stops loading until the reader has received the error.
    mutating func fail(_ role: StreamRole, _ error: AVError) {
        guard let rendition = self[role] else { return }
        if rendition.load != nil { emit(.drop(role, .failed(error))) }
        self[role]?.load = nil
        self[role]?.hasFailed = true
        emit(.feed(role, .fail(error)))
        emit(.changed)
    }

    /// Returns whether some copy of a variant has its audio in a playlist other than `audioURL`.
    func isElsewhere(_ audioURL: URL) -> Bool {
        (0..<variants.count).lazy.flatMap { variants.copies(of: $0) }.contains { copy in
            selectedAudio.playlist(beside: [copy]).map { $0 != audioURL } ?? false
        }
    }

    /// Handles a segment that is not valid media: its time is loaded from another playlist, or the segment is skipped.
    /// - Parameters:
    ///   - source: The URL of the segment's playlist.
    ///   - variant: The segment's variant.
    ///   - range: The segment's media time, in nanoseconds.
    /// - Returns: The error if reading cannot continue, or nil if it can; and the actions to carry out.
    mutating func reject(
        from source: String, variant: Int?, mediaSequence: Int, range: Range<Int64>, _ error: AVError,
        in conditions: any StreamConditions
    ) -> (verdict: AVError?, effects: [StreamEffect]) {
        guard !isStopped, main != nil, error.code != .unsupportedKeySystem else { return (error, []) }
        var role = StreamRole.audio
        var playlist = currentPlaylist(of: .audio)
        if let variant, let offered = variants[variant],
            let own = offered.playlists.first(where: { $0.absoluteString == source })
        {
            role = .main
            playlist = own
            // An alternative is tried once for each copy of the segment, and not after all alternatives have failed.
            let key = SegmentCache.Key(source: source, generation: timeline.generation, mediaSequence: mediaSequence)
            if main?.givenUp.insert(key).inserted == true,
                let other = variants.substitute(for: variant, leaving: own, after: error, at: conditions.now)
            {
                if main?.load != nil { emit(.drop(.main, .replaced)) }
                emit(.feed(.main, .reset))
                variants.overrideDecision(with: other, at: range.lowerBound)
                main?.goBack(to: range.lowerBound)
                main?.isEnded = false
                main?.hasFailed = false
                loadNext(.main, conditions)
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

    /// Avoids a variant whose video cannot be decoded. Loading continues at the same time from another variant.
    /// - Parameter start: The media time of the segment that could not be decoded, in nanoseconds.
    /// - Returns: Whether there is another variant, and the actions to carry out.
    mutating func excludeUndecodable(_ variant: Int, from start: Int64, in conditions: any StreamConditions)
        -> (isElsewhere: Bool, effects: [StreamEffect])
    {
        guard !isStopped, main != nil, variants.excludeUndecodable(variant) else { return (false, []) }
        if main?.load != nil { emit(.drop(.main, .replaced)) }
        emit(.feed(.main, .reset))
        main?.goBack(to: start)
        main?.isEnded = false
        main?.hasFailed = false
        loadNext(.main, conditions)
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

    /// Stops using a separate audio playlist. Playback continues with the audio of the main rendition.
    mutating func loseAudio() -> [StreamEffect] {
        guard audio != nil else { return [] }
        stop(.audio)
        audio = nil
        selectedAudio = SelectedAudio()
        emit(.feed(.audio, .reset))
        emit(.changed)
        return takeEffects()
    }
}
