import Foundation
import MediaCore

// The choice of the next segment, of its playlist, and of the time at which it is loaded.
extension StreamPlan {
    mutating func loadNextForAllRoles(_ conditions: any StreamConditions) {
        for role in StreamRole.allCases { loadNext(role, conditions) }
        emit(.loadSubtitles)
    }

    /// Decides what a rendition has to do next.
    mutating func loadNext(_ role: StreamRole, _ conditions: any StreamConditions) {
        sleep(role, until: nil)
        guard let rendition = self[role], let position = rendition.position, !rendition.isEnded, !rendition.hasFailed
        else { return }
        if let load = rendition.load {
            if load.isOpen, replaceFailingPlaylist(load.order.playlist, of: load.order.variant, role, conditions) {
                return
            }
            return follow(load, role, conditions)
        }
        let playhead = playhead(conditions)
        let surplus = position - playhead - bufferTarget(conditions)
        // A reader that waits needs the next segment in any case. Otherwise a playlist whose durations are too long, or
        // one segment as large as the cache, would stop the loading forever.
        let isFull =
            !conditions.isAwaited(role)
            // Nothing can play before the first segment has arrived, and skipped segments cannot play either. In both
            // cases, loading continues even if the position is far ahead of the playhead.
            && (settings.loadsOnDemand
                || surplus >= 0 && rendition.loaded > 0 && rendition.skippedInRow == 0
                || conditions.cacheIsFull(from: playhead, to: position))
        self[role]?.isFull = isFull
        if isFull {
            // The playhead may not move, for example while the player is paused, so the state is checked again after a
            // while.
            return sleep(role, until: conditions.now + min(max(surplus, 200_000_000), 2_000_000_000))
        }
        guard let (url, variant) = source(for: role, at: position, conditions) else { return end(role) }
        let known = conditions.playlist(url)
        guard let timed = known.timed else {
            guard let failure = known.failure else { return emit(.need(url)) }
            return playlistFailed(url, failure, isTransient: known.failureIsTransient, for: role, conditions)
        }
        activate(url, known, for: role)
        if replaceFailingPlaylist(url, of: variant, role, conditions) { return }
        if let failure = known.failure, timed.playlist.isLive { return fail(role, failure) }
        self[role]?.variant = variant
        next(role, in: timed, of: url, conditions)
    }

    /// Schedules the next check of a rendition. nil means that only an event leads to a check.
    mutating func sleep(_ role: StreamRole, until time: HostTime?) {
        guard self[role] != nil else { return }
        if self[role]?.wakesAt != time { emit(.wake(role, at: time)) }
        self[role]?.wakesAt = time
        if time != nil { emit(.changed) }
    }

    private mutating func next(
        _ role: StreamRole, in timed: TimedPlaylist, of url: URL, _ conditions: any StreamConditions
    ) {
        guard let rendition = self[role], let position = rendition.position else { return }
        switch rendition.next(in: timed, of: url, usesParts: usesParts(conditions)) {
        case .segment(let index): load(role, index, of: timed, url)
        case .parts: loadParts(role, of: timed, url, conditions)
        case .gap(let index):
            // The playlist has no media for this time, so the position moves past it.
            let end = timed.start(of: index + 1)
            self[role]?.addGap(min(position, end)..<end)
            self[role]?.pass(timed.playlist.segments[index].mediaSequence, of: url, to: end)
            emit(.checkAgain(role))
        case .isLost: jump(role, to: timed.seekable(usesParts: usesParts(conditions)).upperBound)
        case .later:
            // All available segments are loaded. More may follow at any time, because the playlist is available.
            self[role]?.isFull = true
            sleep(role, until: conditions.now + max(1_000_000_000, timed.targetDuration))
        case .end: end(role)
        }
    }

    private mutating func end(_ role: StreamRole) {
        self[role]?.isEnded = true
        emit(.feed(role, .end))
        emit(.changed)
    }

    /// Continues at `time`, because the next segment has left the window of a live stream.
    mutating func jump(_ role: StreamRole, to time: Int64) {
        self[role]?.hasFailed = true
        // The reader seeks next, and must know the seekable range.
        emit(.changed)
        emit(.feed(role, .jump(time)))
    }

    // MARK: the playlist

    /// Returns the playlist and the variant of the next segment, or nil if the variant has no separate audio.
    private mutating func source(
        for role: StreamRole, at position: Int64, _ conditions: any StreamConditions
    ) -> (URL, Int)? {
        switch role {
        case .main:
            let variant =
                variants.decision(at: position) ?? variants.decide(at: position, question(at: position, conditions))
            if let before = variants.current, before != variant { access(variant) }
            variants.current = variant
            return (variants.playlist(of: variant), variant)
        case .audio:
            guard let variant = variants.current, let url = audioPlaylist(of: variant) else { return nil }
            return (url, variant)
        }
    }

    /// Returns the input for choosing a variant.
    /// - Parameter position: The media time of the next segment in nanoseconds, or nil if nothing has been loaded yet.
    func question(at position: Int64?, _ conditions: any StreamConditions) -> VariantPlan.Question {
        let timed = timed(conditions)
        let playhead = playhead(conditions)
        return VariantPlan.Question(
            now: conditions.now, buffer: position.map { max(0, $0 - playhead) } ?? 0,
            bufferTarget: bufferTarget(conditions), isStartup: (main?.loaded ?? 0) == 0,
            isLive: timed?.playlist.isLive ?? false,
            remaining: timed.flatMap { timed in
                timed.playlist.isLive ? nil : position.map { max(0, timed.end - $0) }
            })
    }

    // MARK: one segment

    private mutating func load(_ role: StreamRole, _ index: Int, of timed: TimedPlaylist, _ url: URL) {
        let segment = timed.playlist.segments[index]
        begin(
            SegmentOrder(
                load: nextLoad(), role: role, playlist: url, base: timed.playlist.url, variant: self[role]?.variant,
                generation: timed.generation, mediaSequence: segment.mediaSequence, start: timed.start(of: index),
                duration: TimedPlaylist.nanoseconds(segment.duration),
                discontinuity: timed.discontinuity(segment.discontinuitySequence), map: segment.map,
                content: .whole(segment)),
            parts: nil)
    }

    private mutating func loadParts(
        _ role: StreamRole, of timed: TimedPlaylist, _ url: URL, _ conditions: any StreamConditions
    ) {
        let incomplete = timed.playlist.incompleteSegment
        guard incomplete.keys.isEmpty else {
            // Encrypted parts wait for the whole segment: its number and IV are only certain when it is complete.
            return sleep(role, until: conditions.now + 500_000_000)
        }
        begin(
            SegmentOrder(
                load: nextLoad(), role: role, playlist: url, base: timed.playlist.url, variant: self[role]?.variant,
                generation: timed.generation, mediaSequence: incomplete.mediaSequence, start: timed.end,
                duration: timed.targetDuration, discontinuity: timed.discontinuity(incomplete.discontinuitySequence),
                map: incomplete.map, content: .parts(SegmentFetch.pieces(incomplete.parts[...], timed.playlist))),
            parts: incomplete.parts)
    }

    /// Starts a load.
    /// - Parameter parts: The parts of an incomplete segment, or nil if the segment is complete.
    private mutating func begin(_ order: SegmentOrder, parts: [PartialSegment]?) {
        self[order.role]?.load = RenditionProgress.Load(order, parts: parts)
        emit(.load(order))
    }

    /// Adds new parts to the current load, if its segment was not complete.
    private mutating func follow(
        _ load: RenditionProgress.Load, _ role: StreamRole, _ conditions: any StreamConditions
    ) {
        var waits = conditions.progress(role)?.isWaitingForParts ?? false
        if load.isOpen, let timed = conditions.playlist(load.order.playlist).timed {
            let sequence = load.order.mediaSequence
            let playlist = timed.playlist
            if let index = playlist.index(ofMediaSequence: sequence) {
                // The segment is complete. Its remaining parts are loaded, or the whole segment if the server has
                // removed parts that have not been requested.
                let segment = playlist.segments[index]
                if segment.parts.isEmpty || segment.parts.count < load.taken,
                    !load.hasRequested || load.lacksParts(of: segment)
                {
                    return takeBack(role)
                }
                extend(role, by: segment.parts.dropFirst(load.taken), of: playlist, isLast: true)
                waits = false
            } else if playlist.isLive, playlist.incompleteSegment.mediaSequence == sequence {
                let more = extend(role, by: playlist.trailingParts.dropFirst(load.taken), of: playlist, isLast: false)
                waits = waits && !more
            } else {
                // The segment has left the playlist, or will never be complete.
                if !load.hasRequested { return takeBack(role) }
                extend(role, by: [], of: playlist, isLast: true)
                waits = false
            }
        }
        guard self[role]?.isFull != waits else { return }
        self[role]?.isFull = waits
        emit(.changed)
    }

    /// Drops a load that cannot be completed with parts, and looks for the next segment again. The reader skips the
    /// media that it has already returned.
    private mutating func takeBack(_ role: StreamRole) {
        replace(role)
        emit(.checkAgain(role))
    }

    @discardableResult
    private mutating func extend(
        _ role: StreamRole, by parts: ArraySlice<PartialSegment>, of playlist: MediaPlaylist, isLast: Bool
    ) -> Bool {
        let pieces = SegmentFetch.pieces(parts, playlist)
        self[role]?.load?.take(parts)
        if !pieces.isEmpty { self[role]?.load?.hasRequested = true }
        self[role]?.load?.isOpen = !isLast
        if !pieces.isEmpty || isLast { emit(.extend(role, pieces, isLast: isLast)) }
        return !pieces.isEmpty
    }

    // MARK: arrived data

    mutating func didLoad(_ role: StreamRole, _ progress: LoadProgress, _ conditions: any StreamConditions) {
        guard let load = self[role]?.load else { return }
        hasLoaded = true
        playlistRetry.reset()
        // Throughput was already measured for each part. Between the parts, the server had nothing to send.
        if progress.mediaBrought == 0 { variants.received(progress, until: conditions.now) }
        emit(.account(role, duration: load.order.duration, progress))
        if let throughput = variants.choice?.throughput, throughput.hasSamples { emit(.remember(throughput.bitRate)) }
        if role == .main, let variant = load.order.variant { variants.succeeded(variant) }
        arrived(role, conditions)
        loadNext(role, conditions)
    }

    mutating func arrived(_ role: StreamRole, _ conditions: any StreamConditions) {
        guard let order = self[role]?.load?.order else { return }
        if role == .main { target.mediaArrived(until: order.end) }
        self[role]?.load = nil
        // The playlist now states the duration of a segment that was loaded in parts.
        let end = conditions.playlist(order.playlist).timed.flatMap { timed in
            timed.playlist.index(ofMediaSequence: order.mediaSequence).map { timed.start(of: $0 + 1) }
        }
        self[role]?.pass(order.mediaSequence, of: order.playlist, to: end ?? order.end)
        self[role]?.loaded += 1
        self[role]?.skippedInRow = 0
        self[role]?.skippedForNetwork = false
        emit(.changed)
    }

    /// Decides, while a segment is arriving, whether to abandon it.
    mutating func checkAbandonment(_ role: StreamRole, _ conditions: any StreamConditions) {
        guard role == .main, let main, let load = main.load, !load.isOpen, !load.isLeaving, let variant = main.variant,
            let progress = conditions.progress(role),
            let instead = variants.abandonment(
                of: progress, duration: load.order.duration, variant: variant,
                buffer: load.order.start - playhead(conditions), isStartup: main.loaded == 0, at: conditions.now)
        else { return }
        self.main?.load?.isLeaving = true
        emit(.abandonSoon(role, load: load.order.load, variant: instead))
    }

    mutating func abandon(_ role: StreamRole, for variant: Int, _ conditions: any StreamConditions) {
        guard let load = self[role]?.load else { return }
        emit(.abandoned)
        if let progress = conditions.progress(role) { variants.received(progress, until: conditions.now) }
        variants.abandoned(for: variant, at: load.order.start)
        replace(role)
        loadNext(role, conditions)
    }
}
